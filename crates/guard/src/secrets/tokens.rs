//! Recognises tokens by a fixed part that their issuer gives them: a prefix such as `ghp_`, or a signature in the middle.
//!
//! The rules are rows of `tables/tokens.txt` and `tables/infix_tokens.txt`.

use crate::bytes::{
    bytes_after, bytes_before, contains_any, equals_any_ignoring_case, is_word_or, run_after,
    run_before,
};
use crate::secrets::Secret;
use crate::secrets::WORDS;
use crate::secrets::forms::{Characters, is_generated_base64, is_random};
use crate::secrets::shape::{Run, RunEnds, is_member, matched_end, matched_span, matched_start};
use crate::secrets::stand_ins::{is_end_of_file_name, is_published};
use crate::table::WordList;
use crate::{table, work};
use std::ops::Range;
use std::sync::LazyLock;

/// The minimum length of a run of random characters in a token that has a known prefix but does not match the rule.
const MIN_RUN: usize = 20;
/// The minimum length of the body of a token that is followed by a word without a separator. A shorter body may be the
/// start of a longer name.
const MIN_GLUED_BODY: usize = 24;
/// The maximum number of bytes of a word that are examined after a token.
const MAX_GLUED: usize = 256;
/// How many bytes before a reCAPTCHA key are searched for its name.
const MAX_SITE_KEY_NAME: usize = 32;
/// The maximum number of bytes of a token's body that are examined. A long text can contain a prefix many times, so
/// only the start of each body is read.
const MAX_EXAMINED_BYTES: usize = 160;
/// Prefixes that another issuer uses for public keys. Only tokens of the exact form are redacted after them.
const PUBLIC_PREFIXES: &[&str] = &["pk_test_"];
/// Prefixes that identify a token even directly after another letter or digit.
const UNAMBIGUOUS_PREFIXES: &[&str] = &["SG.", "tskey-"];
static AMBIGUOUS_PREFIXES: WordList = WordList::new(WORDS, "ambiguous prefixes");
/// The prefixes of the identifiers that are issued together with a secret, and the length of that secret.
const PAIRED_SECRETS: &[(&str, usize)] =
    &[("LTAI", 30), ("AKID", 32), ("AKIA", 40), ("ASIA", 40), ("rzp_live_", 24), ("rzp_test_", 24)];
/// The maximum number of bytes after an identifier that are searched on its line.
const MAX_PAIR_DISTANCE: usize = 160;
static INSTRUCTION_WORDS: WordList = WordList::new(WORDS, "instruction words");
const MAX_INSTRUCTION: usize = 48;
/// The minimum length of a part of a body that repeats one character.
const MIN_UNIFORM_PART: usize = 4;
/// The minimum length of a run of `x` that masks the middle of a token.
const MIN_MASKED_RUN: usize = 12;

/// Describes a token that has a fixed prefix.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) kind: &'static str,
    pub(crate) prefix: &'static str,
    pub(crate) shape: &'static str,
}

/// Describes a token with a fixed part in the middle, which is the anchor.
pub(crate) struct InfixRule {
    kind: &'static str,
    before: Run,
    pub(crate) anchor: &'static str,
    after: &'static str,
}

pub(crate) static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    table::rows(include_str!("tables/tokens.txt"))
        .map(|[kind, prefix, shape]| Rule { kind, prefix, shape })
        .collect()
});

pub(crate) static INFIX_RULES: LazyLock<Vec<InfixRule>> = LazyLock::new(|| {
    table::rows(include_str!("tables/infix_tokens.txt"))
        .filter_map(|[kind, before, anchor, after]| {
            let before = Run::parse(before.strip_prefix('{')?.strip_suffix('}')?.as_bytes())?;
            Some(InfixRule { kind, before, anchor, after })
        })
        .collect()
});

impl Rule {
    /// Returns whether the prefix ends with a separator and is not part of other names. The prefix may be short, so the
    /// text after it must look like a token.
    pub(crate) fn identifies_issuer(&self) -> bool {
        matches!(self.prefix, "AIza" | "SG.")
            || self.prefix.len() > 2
                && self.prefix.ends_with(['_', '-'])
                && !AMBIGUOUS_PREFIXES.contains(&self.prefix)
    }

    /// Returns whether the prefix alone identifies the issuer.
    pub(crate) fn is_distinctive(&self) -> bool {
        self.prefix == "AIza"
            || self.prefix.len() > 4
                && self.prefix.ends_with(['_', '-'])
                && !AMBIGUOUS_PREFIXES.contains(&self.prefix)
    }
}

pub(crate) fn token_at(
    text: &str,
    first: usize,
    prefix: Range<usize>,
    runs: &mut RunEnds,
) -> Option<Secret> {
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
        let end = end_of_word(text, rule, span.end, runs);
        is_issued.then_some(Secret { kind: rule.kind, span: span.start..end })
    });
    issued
        .next()
        .or_else(|| changed_token(text, &RULES[first], prefix.clone(), runs))
        .or_else(|| rules.clone().find_map(|rule| glued_token(text, rule, &prefix, runs)))
}

/// Returns whether the token at `start` is the key of reCAPTCHA that a web page contains: `data-sitekey="6Lc…"`. The secret
/// key has the same form.
fn is_site_key(text: &str, rule: &Rule, start: usize) -> bool {
    if rule.kind != "recaptcha-key" {
        return false;
    }
    let before = bytes_before(text.as_bytes(), start, MAX_SITE_KEY_NAME).to_ascii_lowercase();
    contains_any(before, &["sitekey", "site_key", "site-key"])
}

/// Returns whether the body of a token consists only of lower-case letters and separators and reads like words:
/// `test_warningisshownonlyonce_later`.
fn is_lower_case_words(body: &str) -> bool {
    // A long text can contain a prefix many times, so only the start of each body is read.
    let length = body.len().min(MAX_EXAMINED_BYTES);
    work::count(length);
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
    let start = &text[prefix.end..end.min(prefix.end + MAX_EXAMINED_BYTES)];
    let run = start
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .max_by_key(|run| run.len())
        .unwrap_or_default();
    work::count(start.len());
    let n_digits = Characters::of(run).digits;
    let is_token = run.len() >= MIN_RUN
        && n_digits >= 2
        && n_digits < run.len()
        && is_random(run)
        && !is_sample_token(&text[prefix.start..prefix.end + start.len()], prefix.len());
    is_token.then_some(Secret { kind: rule.kind, span: prefix.end..end })
}

/// If the secret is a provider's token, returns it with the token's kind and with a span that excludes the token's
/// prefix. Otherwise, returns the secret unchanged.
pub(crate) fn as_known_token(text: &str, secret: Secret, runs: &mut RunEnds) -> Secret {
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

pub(crate) fn token_around(
    text: &str,
    rule: usize,
    anchor: Range<usize>,
    covered: usize,
    runs: &mut RunEnds,
) -> Option<Secret> {
    let rule = &INFIX_RULES[rule];
    let bytes = text.as_bytes();
    let Run { class, min, max } = rule.before;
    let max = max?;
    let before = run_before(&bytes[covered..anchor.start], max + 1, |byte| is_member(class, byte));
    if &bytes[anchor.clone()] != rule.anchor.as_bytes() || !(min..=max).contains(&before) {
        return None;
    }
    let end = matched_end(rule.after, bytes, anchor.end, runs)?;
    let span = anchor.start - before..end;
    (!is_sample_token(&text[span.clone()], 0)).then_some(Secret { kind: rule.kind, span })
}

/// Returns the secret on the same line after the identifier that ends at `end`. `prefix` is the fixed start of the
/// identifier.
pub(crate) fn secret_of_pair(text: &str, prefix: &str, end: usize) -> Option<Range<usize>> {
    let &(_, length) = PAIRED_SECRETS.iter().find(|(issued, _)| *issued == prefix)?;
    let bytes = text.as_bytes();
    let rest = bytes_after(bytes, end, MAX_PAIR_DISTANCE);
    let line = &rest[..arguments_end(rest)];
    let mut start = end;
    line.split(|byte| !is_member(b'm', *byte)).find_map(|word| {
        let span = start..start + word.len();
        start = span.end + 1;
        let key = text.get(span.clone())?;
        (key.len() == length && is_generated_base64(key, 1)).then_some(span)
    })
}

/// Returns the end of the first line of `rest`, the text after the identifier. Returns the end of the next line if the
/// first line contains only the end of an argument (`",`), or if it is empty and the next line is a single word.
fn arguments_end(rest: &[u8]) -> usize {
    let line_end = |from: usize| {
        memchr::memchr(b'\n', &rest[from..]).map_or(rest.len(), |newline| from + newline)
    };
    let end = line_end(0);
    if end == rest.len() {
        return end;
    }
    let first = rest[..end].trim_ascii();
    let is_argument = matches!(first, b"\"," | b"'," | b"`,");
    let next_end = line_end(end + 1);
    let is_next_word = matches!(first, b"" | b"," | b":" | b"\"" | b"'")
        && rest[end + 1..next_end].trim_ascii().iter().all(|byte| is_word_or(*byte, b"+/\"',"));
    if is_argument || is_next_word { next_end } else { end }
}

/// Returns the end of the word that continues after a token. The token ends at `end`.
fn end_of_word(text: &str, rule: &Rule, end: usize, runs: &mut RunEnds) -> usize {
    if !rule.identifies_issuer() {
        return end;
    }
    matched_end("{w0-}", text.as_bytes(), end, runs).unwrap_or(end)
}

/// Returns the token and the word characters after it if the text after `prefix` starts with the shape of the rule, but
/// is longer than the shape allows: `npm_…extra`.
fn glued_token(
    text: &str,
    rule: &Rule,
    prefix: &Range<usize>,
    runs: &mut RunEnds,
) -> Option<Secret> {
    let bytes = text.as_bytes();
    // In the middle of a base64 string, a short prefix occurs by chance.
    let is_inside = matches!(bytes[..prefix.start].last(), Some(b'-' | b'_' | b'+'));
    if is_inside || !rule.identifies_issuer() || rule.shape.contains("{!}") {
        return None;
    }
    let (body_end, _) = matched_start(rule.shape, bytes, prefix.end, runs)?;
    let body = text.get(prefix.end..body_end)?;
    let rest = &bytes[body_end..];
    let n_rest = run_after(rest, MAX_GLUED, |byte| is_member(b'w', byte));
    work::count(body.len().min(MAX_GLUED) + n_rest);
    // A longer hexadecimal string is a digest with a name before it.
    let is_digest =
        body.bytes().chain(rest[..n_rest].iter().copied()).all(|byte| is_member(b'x', byte));
    let Characters { upper, lower, digits, .. } = Characters::of(body);
    let is_token = body.len() >= MIN_GLUED_BODY
        && body.len() <= MAX_GLUED
        && !is_digest
        && (upper.min(lower) > 0 || digits >= 2)
        && is_random(body)
        // `pat_eyJ…`: the other token extends further.
        && !starts_token(text, prefix.end, runs)
        && !is_sample_token(&text[prefix.start..body_end], prefix.len());
    is_token.then(|| Secret {
        kind: rule.kind,
        span: prefix.end..end_of_word(text, rule, body_end, runs),
    })
}

/// Returns whether a token starts at `at`.
pub(crate) fn starts_token(text: &str, at: usize, runs: &mut RunEnds) -> bool {
    work::count(1);
    RULES.iter().filter(|rule| text[at..].starts_with(rule.prefix)).any(|rule| {
        matched_span(rule.shape, text.as_bytes(), at + rule.prefix.len(), runs).is_some()
    })
}

/// Returns whether the token is a mask, an instruction such as `your-token-here`, an example or a value published in a
/// manual. The first `prefix` bytes of the token are its fixed prefix.
fn is_sample_token(token: &str, prefix: usize) -> bool {
    let body = &token[prefix..];
    let start = &body[..body.floor_char_boundary(MAX_EXAMINED_BYTES)];
    work::count(start.len());
    has_masked_body(start)
        // A path each part of which repeats one letter: `XXX/YYY/ZZZ`.
        || start.contains('/') && start.split('/').all(is_uniform)
        || asks_for_token(body, &token[..prefix])
        || start.contains("EXAMPLE")
        || is_published(token)
        || is_published(body)
}

fn is_uniform(part: &str) -> bool {
    let mut letters = part.chars();
    letters.next().is_some_and(|first| letters.all(|letter| letter == first))
}

/// Recognises a token body whose words tell the reader to insert a token: `your-token-here`, `replace_me`,
/// `XXXX_PUT_YOUR_TOKEN_HERE_XXXX`, `1-AppAccessTokenHere`.
fn asks_for_token(body: &str, prefix: &str) -> bool {
    if body.len() > MAX_INSTRUCTION {
        return false;
    }
    let mut words = body.split(['-', '_', '.']).filter(|word| !word.is_empty());
    let is_word = |word: &str| {
        equals_any_ignoring_case(word, &INSTRUCTION_WORDS)
            || word.len() >= MIN_UNIFORM_PART && is_uniform(word) && word.starts_with(['x', 'X'])
            || prefix.trim_end_matches(['-', '_']) == word
    };
    let is_place = |word: &str| {
        word.len() > "Here".len()
            && word.bytes().all(|byte| byte.is_ascii_alphabetic())
            && (word.ends_with("Here") || word.ends_with("HERE"))
    };
    words.clone().next_back().is_some_and(is_place)
        || words.clone().count() > 1 && words.all(is_word)
}

/// Recognises masked values such as `xxxxxxxx`, `XXXX-XXXX`, `v1-00000000`, `XXXXXXXX_AAAA` and `k2Rxxxxxxxxxxxxxxx9q`.
fn has_masked_body(body: &str) -> bool {
    let letters = || body.bytes().filter(u8::is_ascii_alphanumeric);
    let is_mask = |byte: &u8| matches!(byte, b'x' | b'X' | b'0');
    let n_masks = letters().filter(is_mask).count();
    let n_letters = letters().count();
    letters().next_back().is_none_or(|last| is_mask(&last)) && n_masks * 4 >= n_letters * 3
        || has_uniform_parts(body)
        || longest_run_of_x(body) >= MIN_MASKED_RUN.max(n_letters * 3 / 5)
}

/// Returns whether every part of the body repeats one character and one of the parts is a mask: `XXXXXXXX_AAAA`.
fn has_uniform_parts(body: &str) -> bool {
    let parts = || body.split(['-', '_', '.']);
    parts().all(|part| part.len() >= MIN_UNIFORM_PART && is_uniform(part))
        && parts().any(|part| part.starts_with(['x', 'X', '0']))
}

fn longest_run_of_x(body: &str) -> usize {
    let runs = body.split(|letter| letter != 'x').chain(body.split(|letter| letter != 'X'));
    runs.map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
