//! Finds all secrets in a string, in order and without overlap.

use std::ops::Range;

use super::anchors::{ANCHORS, Anchor};
use super::cursor::Cursor;
use super::definition::Definitions;
use super::file_names::is_end_of_file_name;
use super::presentation::own_texts;
use super::rules::{INFIX_RULES, RULES, Rule};
use super::sample_tokens::is_sample_token;
use super::seen_values::SeenValues;
use super::shape::{RunEnds, is_member, matched_end, matched_span};
use super::value::is_random;
use super::{
    Secret, account_lines, assignment, calls, columns, commands, cookies, dsn, encoded, glued,
    json_fields, key_list, key_maps, key_pairs, manifest, mentions, mnemonic, one_time_codes,
    pairs, passphrases, printed, private_key, prompts, recovery_codes, schemes, secret_keys,
    stellar, url,
};

/// The minimum length of a run of random characters that counts as part of a secret. Used for secrets that are wrapped
/// over several lines, and for tokens that have a known prefix but do not match the rule (see [`changed_token`]).
const MIN_CONTINUATION: usize = 20;
/// How many bytes before a reCAPTCHA key are searched for its name.
const MAX_SITE_KEY_NAME: usize = 32;

/// The maximum number of bytes after a token's prefix that [`changed_token`] and [`is_lower_case_words`] examine.
const MAX_CHANGED_BODY: usize = 160;

/// The minimum length of a secret that may continue on the next line even if no character joins the lines.
const MIN_FULL_LINE: usize = 48;

/// Prefixes that another issuer uses for public keys. Only tokens of the exact form are redacted after them.
const PUBLIC_PREFIXES: &[&str] = &["pk_test_"];

/// Prefixes that identify a token even directly after another letter or digit.
const UNAMBIGUOUS_PREFIXES: &[&str] = &["SG.", "tskey-"];

/// The number of prefixes that are removed from a line one after the other: the time stamp and the mark of a diff.
const MAX_PREFIXES: usize = 3;

/// Whether to redact the sample values in the rule definitions of secret scanners (see `definition`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Samples {
    Keep,
    /// Used for input that may have been cut off. A rule definition in it may be incomplete and therefore not
    /// recognisable.
    Redact,
}

/// Returns the secrets near the anchors in `text`, and every other occurrence of their values and of the values in
/// `seen`. Adds the values that were found near anchors to `seen`.
pub(crate) fn secrets(text: &str, seen: &mut SeenValues, samples: Samples) -> Vec<Secret> {
    let found = find_in_all_views(text, samples, MAX_PREFIXES);
    seen.remember(text, &found);
    let repeated = seen.find(text);
    merged(found, repeated)
}

/// Returns the secrets in `text` and those that are found after up to `max_prefixes` prefixes have been removed from its
/// lines.
fn find_in_all_views(text: &str, samples: Samples, max_prefixes: usize) -> Vec<Secret> {
    let mut found = find_by_anchors(text);
    let mut behind_prefixes = Vec::new();
    for own in if max_prefixes > 0 { own_texts(text) } else { Vec::new() } {
        let secrets = find_in_all_views(&own.text, samples, max_prefixes - 1);
        behind_prefixes.extend(secrets.iter().map(|secret| own.in_original(secret)));
    }
    if samples == Samples::Keep && !(found.is_empty() && behind_prefixes.is_empty()) {
        let definitions = Definitions::of(text);
        found.retain(|secret| !definitions.contain_sample(secret));
        behind_prefixes.retain(|secret| !definitions.contain_sample(secret));
    }
    merged(found, behind_prefixes)
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "`secret_after` and `secrets_near` match the other anchors"
)]
fn find_by_anchors(text: &str) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    let mut listed: Vec<Secret> = stellar::seeds(text);
    let mut runs = RunEnds::default();
    let (mut covered, mut manifest_end, mut table_end) = (0, 0, 0);
    let anchors: Vec<_> = ANCHORS.find_iter(text).collect();
    for (at, &(anchor, start, end)) in anchors.iter().enumerate() {
        if start < covered || is_chained(text, (anchor, end), &anchors[at + 1..]) {
            continue;
        }
        let secret = match anchor {
            Anchor::Token { first } => {
                let token = token_at(text, first, start..end, &mut runs);
                let secret = token
                    .as_ref()
                    .and_then(|id| key_pairs::secret_after(text, RULES[first].prefix, id.span.end));
                listed.extend(secret);
                token
            }
            Anchor::Infix { rule } => token_around(text, rule, start..end, covered, &mut runs),
            Anchor::Name(name) => {
                let named = assignment::assigned_secret(text, name, start, end);
                if named.is_none() && name.implies_secret() && start >= table_end {
                    let (values, read_to) = columns::values(text, name, &(start..end));
                    listed.extend(values);
                    table_end = read_to;
                }
                if named.is_none() {
                    listed.extend(assignment::compared_literal(text, name, start..end));
                }
                named.map(|secret| as_known_token(text, secret, &mut runs))
            }
            Anchor::Scheme => schemes::bearer_secret(text, start, end)
                .map(|secret| as_known_token(text, secret, &mut runs)),
            Anchor::Cookies => {
                listed.extend(cookies::session_values(text, end));
                None
            }
            Anchor::Encoded => encoded::secret_around(text, covered, start, &mut runs),
            Anchor::KeyBlockEnd => private_key::secret_before(text, covered, start),
            Anchor::Manifest if start < manifest_end => None,
            Anchor::Manifest => {
                let (values, read_to) = manifest::secrets_at(text, covered.max(manifest_end), end);
                listed.extend(values);
                manifest_end = read_to;
                None
            }
            _ => {
                listed.extend(secrets_near(text, anchor, start, end));
                secret_after(text, anchor, start, end)
            }
        };
        if let Some(mut secret) = secret {
            secret.span.end = continued(text, &secret.span, &mut runs);
            covered = secret.span.end;
            found.push(secret);
        }
    }
    merged(found, listed)
}

/// Returns whether the value of a name starts with another name and an operator, as in `key=token=value`. The value then
/// belongs to the other name, which is one of the `following` anchors, unless the other name is a weaker sign of a secret.
fn is_chained(
    text: &str,
    (anchor, end): (Anchor, usize),
    following: &[(Anchor, usize, usize)],
) -> bool {
    let is_operator = |at: usize| matches!(text.as_bytes().get(at), Some(b'=' | b':'));
    let Anchor::Name(name) = anchor else { return false };
    following.iter().take_while(|(_, start, _)| *start <= end + 1).any(|next| {
        let (Anchor::Name(next), start, next_end) = *next else { return false };
        (next.implies_secret() || !name.implies_secret())
            && start >= end
            && is_operator(start - 1)
            && (is_operator(next_end - 1) || is_operator(next_end))
    })
}

/// Returns the secret near an anchor, for the kinds of anchors that have at most one secret and do not depend on
/// earlier anchors. Returns `None` for other kinds.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "`find_by_anchors` and `secrets_near` match the other anchors"
)]
fn secret_after(text: &str, anchor: Anchor, start: usize, end: usize) -> Option<Secret> {
    match anchor {
        Anchor::Basic => schemes::basic_secret(text, end),
        Anchor::Pair if text[start..end].ends_with("/ ") || text[start..end].ends_with(": ") => {
            pairs::password_after(text, "", start)
        }
        Anchor::Pair => pairs::password_after(text, &text[start..end], end),
        Anchor::PuttyLines => private_key::putty_lines(text, end),
        Anchor::Mnemonic => mnemonic::phrase_after(text, end),
        Anchor::MnemonicAnnouncement => mnemonic::phrase_after_announcement(text, end),
        Anchor::OneTimeCode => one_time_codes::code_after(text, end),
        Anchor::KeyBlock => private_key::secret_at(text, start),
        Anchor::Url => url::password_at(text, end),
        Anchor::DsnOpen => dsn::password_on_line(text, end),
        Anchor::OracleUrl => dsn::oracle_password_at(text, end),
        Anchor::KeyBytes => key_list::bytes_after(text, end),
        Anchor::Answer => prompts::answer_at(text, end),
        Anchor::Question => mentions::answer_below(text, end),
        Anchor::OpenQuestion => mentions::answer_below_line(text, end),
        Anchor::Mention => mentions::password_after_phrase(text, start, end),
        Anchor::SameUser => mentions::password_after_user(text, end),
        Anchor::Announcement => printed::value_below_announcement(text, end),
        Anchor::Passphrase if text[start..end].ends_with('>') => {
            passphrases::phrase_of_element(text, start, end)
        }
        Anchor::Passphrase => passphrases::phrase_after(text, end),
        Anchor::SecretKey => secret_keys::key_after(text, end),
        _ => None,
    }
}

/// Returns the secrets near an anchor, for the kinds of anchors that can have several secrets, or a secret before the
/// anchor. The returned secrets may overlap with secrets that were found earlier, so the caller merges them.
fn secrets_near(text: &str, anchor: Anchor, start: usize, end: usize) -> Vec<Secret> {
    match anchor {
        Anchor::Command(command) => commands::passwords_at(text, command, start, end),
        Anchor::Call(call) => calls::credentials_at(text, call, end),
        Anchor::PipedPassword => pairs::piped_password(text, start).into_iter().collect(),
        Anchor::DsnAddress => dsn::password_before(text, start).into_iter().collect(),
        Anchor::PasswordLine => dsn::password_of_line(text, start).into_iter().collect(),
        Anchor::JsonField => json_fields::value_beside(text, start, end).into_iter().collect(),
        Anchor::VerbAfter => mentions::password_before_verb(text, start).into_iter().collect(),
        Anchor::KeyMap => key_maps::values_after(text, start, end),
        Anchor::KeyList => key_list::keys_after(text, end),
        Anchor::RecoveryCodes => recovery_codes::codes_after(text, end),
        Anchor::AccountLines => account_lines::passwords_below(text, start),
        Anchor::Printed => printed::value_below(text, start, end).into_iter().collect(),
        Anchor::CookieTable => cookies::values_of_table(text, end),
        Anchor::CookieField => cookies::values_of_next_field(text, end),
        Anchor::JsonManifest => manifest::json_secrets_around(text, start),
        Anchor::Token { .. }
        | Anchor::Infix { .. }
        | Anchor::Name(_)
        | Anchor::Scheme
        | Anchor::Cookies
        | Anchor::Basic
        | Anchor::Pair
        | Anchor::PuttyLines
        | Anchor::Mnemonic
        | Anchor::MnemonicAnnouncement
        | Anchor::OneTimeCode
        | Anchor::Encoded
        | Anchor::KeyBlockEnd
        | Anchor::KeyBlock
        | Anchor::Url
        | Anchor::DsnOpen
        | Anchor::OracleUrl
        | Anchor::KeyBytes
        | Anchor::Answer
        | Anchor::Question
        | Anchor::OpenQuestion
        | Anchor::Mention
        | Anchor::SameUser
        | Anchor::Announcement
        | Anchor::Passphrase
        | Anchor::SecretKey
        | Anchor::Manifest => Vec::new(),
    }
}

/// Merges both lists, ordered by position. Overlapping secrets become one secret.
fn merged(mut found: Vec<Secret>, values: Vec<Secret>) -> Vec<Secret> {
    if values.is_empty() {
        return found;
    }
    found.extend(values);
    found.sort_by_key(|secret| (secret.span.start, secret.span.end));
    found.dedup_by(|next, kept| {
        let overlaps = next.span.start < kept.span.end;
        kept.span.end = if overlaps { kept.span.end.max(next.span.end) } else { kept.span.end };
        overlaps
    });
    found
}

fn token_at(text: &str, first: usize, prefix: Range<usize>, runs: &mut RunEnds) -> Option<Secret> {
    let bytes = text.as_bytes();
    let expected = RULES[first].prefix;
    // Most hits are parts of longer words, so this is checked before the prefix is compared.
    let is_inside_word = prefix.start > 0
        && bytes[prefix.start - 1].is_ascii_alphanumeric()
        && matches!(expected.as_bytes()[0], b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z')
        && !UNAMBIGUOUS_PREFIXES.contains(&expected);
    if is_inside_word || &bytes[prefix.clone()] != expected.as_bytes() {
        return None;
    }
    let rules = RULES[first..].iter().take_while(|rule| rule.prefix == expected);
    let mut issued = rules.clone().filter_map(|rule| {
        let span = matched_span(rule.shape, bytes, prefix.end, runs)?;
        let token = &text[prefix.start..span.end];
        let is_issued = !is_sample_token(token, span.start - prefix.start)
            && (rule.is_distinctive() || !is_lower_case_words(&text[span.clone()]))
            && !is_end_of_file_name(text, prefix.start..span.end)
            && !is_site_key(text, rule, prefix.start);
        let end = glued::end_of_word(text, rule, span.end, runs);
        is_issued.then_some(Secret { kind: rule.kind, span: span.start..end })
    });
    issued
        .next()
        .or_else(|| changed_token(text, &RULES[first], prefix.clone(), runs))
        .or_else(|| rules.clone().find_map(|rule| glued::token(text, rule, &prefix, runs)))
}

/// Returns whether the token at `start` is the key of reCAPTCHA that a web page contains: `data-sitekey="6Lc…"`. The secret
/// key has the same form.
fn is_site_key(text: &str, rule: &Rule, start: usize) -> bool {
    let before = &text.as_bytes()[start.saturating_sub(MAX_SITE_KEY_NAME)..start];
    rule.kind == "recaptcha-key"
        && ["sitekey", "site_key", "site-key"].iter().any(|name| {
            before.windows(name.len()).any(|part| part.eq_ignore_ascii_case(name.as_bytes()))
        })
}

/// Returns whether the body of a token consists only of lower-case letters and separators and reads like words:
/// `test_warningisshownonlyonce_later`.
fn is_lower_case_words(body: &str) -> bool {
    // A long text can contain a prefix many times, so only the start of each body is read.
    let length = body.len().min(MAX_CHANGED_BODY);
    crate::work::count(length);
    let is_letter = |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-');
    body.as_bytes()[..length].iter().all(is_letter) && !is_random(&body[..length])
}

/// Returns the text after a distinctive prefix as a token if it contains a long random run of characters, even if it
/// does not match the rule's shape. Issuers sometimes change the length or the alphabet of their tokens.
fn changed_token(
    text: &str,
    rule: &Rule,
    prefix: Range<usize>,
    runs: &mut RunEnds,
) -> Option<Secret> {
    if !rule.is_distinctive() || PUBLIC_PREFIXES.contains(&rule.prefix) {
        return None;
    }
    let end = matched_end("{b20-}", text.as_bytes(), prefix.end, runs)?;
    let start = &text[prefix.end..end.min(prefix.end + MAX_CHANGED_BODY)];
    let run = start
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .max_by_key(|run| run.len())
        .unwrap_or_default();
    crate::work::count(start.len());
    let n_digits = run.bytes().filter(u8::is_ascii_digit).count();
    let is_token = run.len() >= MIN_CONTINUATION
        && n_digits >= 2
        && n_digits < run.len()
        && is_random(run)
        && !is_sample_token(&text[prefix.start..prefix.end + start.len()], prefix.len());
    is_token.then_some(Secret { kind: rule.kind, span: prefix.end..end })
}

/// If the secret is a provider's token, returns it with the token's kind and with a span that excludes the token's
/// prefix. Otherwise, returns the secret unchanged.
fn as_known_token(text: &str, secret: Secret, runs: &mut RunEnds) -> Secret {
    let bytes = text.as_bytes();
    RULES
        .iter()
        .filter(|rule| text[secret.span.clone()].starts_with(rule.prefix))
        .filter_map(|rule| {
            let body = secret.span.start + rule.prefix.len();
            let span = matched_span(rule.shape, bytes, body, runs)
                .filter(|span| span.end >= secret.span.end)?;
            Some((rule.prefix.len(), Secret { kind: rule.kind, span }))
        })
        .reduce(|longest, next| if next.0 > longest.0 { next } else { longest })
        .map_or(secret, |(_, token)| token)
}

fn token_around(
    text: &str,
    rule: usize,
    anchor: Range<usize>,
    covered: usize,
    runs: &mut RunEnds,
) -> Option<Secret> {
    let rule = &INFIX_RULES[rule];
    let bytes = text.as_bytes();
    let (class, min, max) = rule.before;
    let before = bytes[covered..anchor.start]
        .iter()
        .rev()
        .take(max + 1)
        .take_while(|&&byte| is_member(class, byte))
        .count();
    if &bytes[anchor.clone()] != rule.anchor.as_bytes() || before < min || before > max {
        return None;
    }
    let end = matched_end(rule.after, bytes, anchor.end, runs)?;
    let span = anchor.start - before..end;
    (!is_sample_token(&text[span.clone()], 0)).then_some(Secret { kind: rule.kind, span })
}

/// Returns the end of a secret that may be wrapped over several lines. A secret continues on the next line if that line
/// starts with a long random run of characters.
fn continued(text: &str, secret: &Range<usize>, runs: &mut RunEnds) -> usize {
    let bytes = text.as_bytes();
    let (start, mut end) = (secret.start, secret.end);
    while let Some(wrap) = Wrap::at(bytes, end) {
        let length = bytes[wrap.end..].iter().take_while(|&&byte| is_member(b'v', byte)).count();
        let run = &text[wrap.end..wrap.end + length];
        let is_full_line = wrap.is_joined || end - start >= MIN_FULL_LINE;
        let is_assignment = run.trim_end_matches('=').contains('=');
        // Another token on the next line does not continue the secret.
        if !is_full_line
            || length < MIN_CONTINUATION
            || is_assignment
            || !is_random(run)
            || glued::starts_token(text, wrap.end, runs)
        {
            break;
        }
        end = wrap.end + length;
    }
    end
}

/// The line break within a wrapped string.
struct Wrap {
    end: usize,
    /// Whether quotes, `+` or a backslash join the lines.
    is_joined: bool,
}

impl Wrap {
    fn at(bytes: &[u8], start: usize) -> Option<Self> {
        let mut cursor = Cursor { bytes, at: start };
        let joints = cursor.skip(6, |byte| matches!(byte, b'"' | b'\'' | b' ' | b'+' | b'\\'));
        cursor.skip(1, |byte| byte == b'\r');
        if cursor.skip(1, |byte| byte == b'\n') == 0 {
            return None;
        }
        cursor.skip_blanks();
        let quotes = cursor.skip(1, |byte| matches!(byte, b'"' | b'\''));
        Some(Self {
            end: cursor.at,
            is_joined: joints > 0 && quotes > 0 || bytes.get(start) == Some(&b'\\'),
        })
    }
}
