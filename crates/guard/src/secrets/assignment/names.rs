//! Classifies an anchor word. It may be the name of a secret, of a description of a secret or of a public value, a part of
//! another word, a command-line option, or joined to its value.

use crate::bytes::{
    Cursor, bytes_after, bytes_before, consists_of, contains_any, ends_with, ends_with_any,
    ends_with_any_ignoring_case, equals_any_ignoring_case, is_word_or, run_after, run_before,
    starts_with_any, without_separator,
};
use crate::secrets::WORDS;
use crate::secrets::bounds::MAX_VALUE;
use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::forms::is_uuid;
use crate::table::WordList;
use std::ops::Range;

const MAX_NAME: usize = 48;
/// The maximum number of blanks between two columns of a table.
const MAX_COLUMN: usize = 64;
static ORDINALS: WordList = WordList::new(WORDS, "ordinals");

/// Returns whether the word can be the name of a secret. Short and vague words must not be part of a longer word.
pub(super) fn is_name(text: &str, name: Name, start: usize, end: usize, tail: &str) -> bool {
    if is_of_public_value(text, start..end)
        || is_step_or_result(text, start..end)
        || name == Name::Provider && is_inside_word(text, start, tail)
    {
        return false;
    }
    // Short words also occur within many other words and within random strings.
    let max_short = if name == Name::Password { 5 } else { 4 };
    let is_short = end - start <= max_short
        && text.is_char_boundary(start)
        && text.as_bytes()[start].is_ascii();
    let is_vague = name == Name::Vague;
    !(is_short || is_vague) || is_word_end(tail) && is_own_word(text, start)
}

/// Recognises `first pass: …` (a processing step) and `**Pass:** …` (a test result).
fn is_step_or_result(text: &str, word: Range<usize>) -> bool {
    let before = text.as_bytes()[..word.start].trim_ascii_end();
    let is_result = text.as_bytes()[word.end..].starts_with(b":**");
    text.as_bytes()[word].eq_ignore_ascii_case(b"pass")
        && (is_result || ends_with_any_ignoring_case(before, &ORDINALS))
}

/// Returns whether the word is part of the name of a public value: a public key or its digest (`publicKeyToken`),
/// `Sec-WebSocket-Key`, a position in a list (`nextPageToken`), or a digest (`hashed_secret`,
/// `checksum/secret`).
fn is_of_public_value(text: &str, word: Range<usize>) -> bool {
    const POSITIONS: &[&str] =
        &["page", "next", "continuation", "pagination", "resume", "sync", "delta", "cursor"];
    const DIGESTS: &[&str] = &["checksum", "hash", "digest", "sha256", "sha1", "md5"];
    let before = &text.as_bytes()[..word.start];
    let head = without_separator(before);
    ends_with_any_ignoring_case(
        before,
        &["publickey", "public_key", "public-key", "sec-websocket-"],
    ) || ends_with_any_ignoring_case(head, &["hashed"])
        || before.strip_suffix(b"/").is_some_and(|head| ends_with_any_ignoring_case(head, DIGESTS))
        || text[word.clone()].eq_ignore_ascii_case("token")
            && ends_with_any_ignoring_case(head, POSITIONS)
        || is_public_token(&text.as_bytes()[word], head)
}

/// Recognises a token or an API key that is public by its name: `publicToken`, `STRIPE_PUBLIC_API_KEY`. `head` is the text
/// before the word. Web frameworks give the prefix `PUBLIC_` to every variable that a browser may read, so
/// `NEXT_PUBLIC_API_KEY` may contain a secret by mistake.
fn is_public_token(word: &[u8], head: &[u8]) -> bool {
    const OF_FRAMEWORKS: &[&str] =
        &["next_public", "expo_public", "vite_public", "react_app_public"];
    equals_any_ignoring_case(word, &["token", "apikey", "api_key", "api-key"])
        && ends_with_any_ignoring_case(head, &["public"])
        && !ends_with_any_ignoring_case(head, OF_FRAMEWORKS)
}

/// Returns whether the name of a provider is only a part of a longer word, as `meraki` is in `CameraKit`. A word for a
/// key may follow without a separator: `mymailgunapikey`.
fn is_inside_word(text: &str, start: usize, tail: &str) -> bool {
    let bytes = text.as_bytes();
    let is_continued = tail.starts_with(|first: char| first.is_ascii_lowercase())
        && !starts_with_any(tail, &["api", "key", "token", "secret", "pass", "auth"]);
    let is_preceded = start.checked_sub(1).is_some_and(|at| bytes[at].is_ascii_lowercase());
    is_continued && is_preceded && bytes[start].is_ascii_lowercase()
}

/// Returns whether the word ends before `tail`. This is the case if `tail` is empty or starts with a digit, a
/// separator or a capitalised word: `pwd2`, `pwd_admin`, but not `pwdx`.
fn is_word_end(tail: &str) -> bool {
    !tail.starts_with(|first: char| first.is_ascii_lowercase())
        && !tail.starts_with(|first: char| first.is_ascii_uppercase())
        || tail.starts_with(|first: char| first.is_ascii_uppercase())
            && tail.as_bytes().get(1).is_some_and(u8::is_ascii_lowercase)
}

/// Returns whether a word starts at `start` and the previous word is not `public` or `cache`. For example, a word
/// starts at `key` in `_key` and at `Key` in `apiKey`, but not at `key` in `monkey`.
fn is_own_word(text: &str, start: usize) -> bool {
    let bytes = text.as_bytes();
    let before = bytes[..start].last();
    let starts_word = before.is_none_or(|before| {
        !before.is_ascii_alphabetic()
            || before.is_ascii_lowercase() && bytes[start].is_ascii_uppercase()
    });
    let word_before = without_separator(bytes[..start].trim_ascii_end());
    starts_word && !ends_with_any_ignoring_case(word_before, &["public", "cache"])
}

/// Returns whether the name is a command-line option: `--token`, `-Password`.
pub(super) fn is_flag(text: &str, start: usize) -> bool {
    let word = run_before(&text.as_bytes()[..start], MAX_NAME, |byte| is_word_or(byte, b"-_"));
    word > 0 && text.as_bytes()[start - word] == b'-'
}

/// Recognises words that are not followed by a password, because they are an argument, a command or a variable:
/// `-field=password path`, `passwd user`, `$PW`.
pub(super) fn is_argument_of_command(text: &str, word: Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let before = bytes[..word.start].last();
    let is_command = bytes[word.clone()].eq_ignore_ascii_case(b"passwd")
        && before.is_none_or(|byte| matches!(byte, b' ' | b'\n' | b'/'))
        // `user bob passwd …`
        && !contains_any(bytes_before(bytes, word.start, MAX_NAME), &["user ", "login "]);
    let identifier = run_before(&bytes[..word.start], MAX_NAME, |byte| is_word_or(byte, b"_"));
    let before_name = &bytes[..word.start - identifier];
    // `-e DB_PASSWORD image` passes a variable to a container; `$PW` is a variable.
    let is_variable = ends_with_any(before_name, &["-e ", "--env ", "$", "${"]);
    before == Some(&b'=') || is_command || is_variable
}

/// Returns whether `tail`, the rest of the identifier, contains the value: `apikey-4f9c…`.
pub(super) fn is_joined(tail: &str) -> bool {
    tail.starts_with(['-', '_'])
        && tail.len() > 16
        && tail.bytes().filter(u8::is_ascii_digit).count() >= 3
        && !is_pod_name(tail)
}

/// Recognises the end of a Kubernetes pod name: `-worker-5f74c8d9bb-n8zlp`. Its suffixes are generated, but they are
/// not secret.
fn is_pod_name(tail: &str) -> bool {
    let is_suffix = |part: &str, lengths: std::ops::RangeInclusive<usize>| {
        lengths.contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let mut parts = tail.rsplit('-');
    let (pod, set) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    // Kubernetes generates this suffix from an alphabet without vowels and without the digits 0, 1 and 3. A hexadecimal
    // suffix is also accepted.
    let is_generated = !set.bytes().any(|byte| b"aeiou013".contains(&byte))
        || set.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_suffix(pod, 5..=5) && is_suffix(set, 8..=10) && is_generated
}

/// Returns whether the identifier that ends at `at` is the name of a pod in a table: the number of its ready containers
/// follows, as in `token-exchange-o5zf8ow02-aa7iv   1/1`.
pub(super) fn is_pod(text: &str, at: usize) -> bool {
    let mut cursor = Cursor::new(text, at);
    let gap = cursor.skip(MAX_COLUMN, |byte| matches!(byte, b' ' | b'\t'));
    let ready = cursor.skip(3, |byte| byte.is_ascii_digit());
    let slash = cursor.skip(1, |byte| byte == b'/');
    let all = cursor.skip(3, |byte| byte.is_ascii_digit());
    gap > 0 && ready > 0 && slash > 0 && all > 0
}

/// Returns whether `before`, the text before a UUID, ends with a number between hyphens. Message brokers generate such
/// identifiers for the members of a consumer group: `consumer-token-audit-1-…`.
fn is_before_member_id(before: &str) -> bool {
    let before = before.trim_end_matches('-');
    before.rsplit_once('-').is_some_and(|(name, number)| {
        !name.is_empty() && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

pub(super) fn joined(
    text: &str,
    name: Name,
    word: Range<usize>,
    tail_end: usize,
) -> Option<Candidate<'_>> {
    let mut cursor = Cursor::new(text, tail_end);
    cursor.skip(MAX_VALUE, |byte| is_word_or(byte, b"_-."));
    let run = text.get(word.end..cursor.at)?;
    let is_value = |part: &str| {
        part.len() >= 16 && part.bytes().filter(u8::is_ascii_digit).count() * 5 >= part.len()
    };
    // The value starts after the last separator that is followed by enough characters. A UUID contains separators, so
    // it is checked first.
    let uuid =
        run.len().checked_sub(36).filter(|&at| run.is_char_boundary(at) && is_uuid(&run[at..]));
    if uuid.is_some_and(|at| is_before_member_id(&run[..at])) {
        return None;
    }
    let begin = uuid.or_else(|| {
        run.match_indices(['-', '_']).map(|(at, _)| at + 1).rfind(|&at| is_value(&run[at..]))
    })?;
    let value = word.end + begin..cursor.at;
    Some(Candidate { text, name, word, relation: Relation::Joined, quoting: Quoting::Bare, value })
}

static METADATA_SUFFIXES: WordList = WordList::new(WORDS, "metadata suffixes");
static PUBLIC_IDENTIFIERS: WordList = WordList::new(WORDS, "public identifiers");
/// How many bytes before a word are searched for the start of a cloud resource's name.
const MAX_RESOURCE_NAME: usize = 96;
/// How many bytes before and after a `secret_id` are searched for a role.
const MAX_ROLE: usize = 200;
/// The maximum number of digits in a count.
const MAX_COUNT: usize = 9;

/// Returns whether the identifier names a description of a secret or a public identifier. `tail` is the part of the
/// identifier after the anchor word, such as `_length` in `password_length`.
pub(super) fn is_metadata(tail: &str) -> bool {
    let tail = tail.as_bytes();
    ends_with_any_ignoring_case(tail, &METADATA_SUFFIXES)
        || ends_with(tail, b"id")
            && ends_with_any_ignoring_case(
                without_separator(&tail[..tail.len() - "id".len()]),
                &PUBLIC_IDENTIFIERS,
            )
}

/// Recognises the identifier of a credential, which is public: `"credentialId"`, `credentials_id`. `tail` is the part of
/// the identifier after the anchor word.
pub(super) fn is_id_of_credential(text: &str, word: Range<usize>, tail: &str) -> bool {
    let tail = tail.strip_prefix(['s', 'S']).unwrap_or(tail).trim_start_matches(['_', '-']);
    text.as_bytes()[word].eq_ignore_ascii_case(b"credential") && tail.eq_ignore_ascii_case("id")
}

/// Returns whether the value is the secret of a Vault role: `role_id=… secret_id=…`. In other systems, a `secret_id` is
/// the public identifier of a stored secret, so Vault or a role must be named nearby.
pub(super) fn is_role_secret(candidate: &Candidate<'_>, tail: &str) -> bool {
    const MARKS: &[&str] = &["approle", "role_id", "role-id", "roleid", "secret_id_"];
    let bytes = candidate.text.as_bytes();
    let is_secret_id = candidate.word().eq_ignore_ascii_case("secret")
        && equals_any_ignoring_case(tail, &["id", "_id", "-id"]);
    if !is_secret_id {
        return false;
    }
    let before = bytes_before(bytes, candidate.word.start, MAX_ROLE);
    let after = bytes_after(bytes, candidate.value.end, MAX_ROLE);
    // Azure Key Vault is another system.
    let names_vault = |text: &[u8]| {
        memchr::memmem::find_iter(text, b"vault")
            .any(|at| !without_separator(&text[..at]).trim_ascii_end().ends_with(b"key"))
    };
    [before.to_ascii_lowercase(), after.to_ascii_lowercase()]
        .iter()
        .any(|text| names_vault(text) || contains_any(text, MARKS))
}

/// Returns whether `tail`, the text after a name, makes it the name of an event, as `.revoked` does in
/// `"api_key.revoked"`. The fields that follow describe the event and are not secrets.
pub(super) fn is_event(tail: &str) -> bool {
    tail.strip_prefix('.')
        .is_some_and(|verb| verb.ends_with("ed") && consists_of(verb, u8::is_ascii_lowercase, "_"))
}

/// Recognises a number in a Windows registry file: `"RememberPassword"=dword:00000000`. `end` is the end of the anchor
/// word, here of `Password`.
pub(super) fn is_typed_number(text: &str, end: usize) -> bool {
    let rest = text.as_bytes()[end..].trim_ascii_start();
    let name = run_after(rest, MAX_NAME, |byte| byte.is_ascii_alphanumeric());
    let rest = rest[name..].strip_prefix(b"\"=").unwrap_or_default();
    starts_with_any(rest, &["dword:", "qword:", "hex(b):"])
}

/// Returns whether the word at `start` is part of a cloud resource's name:
/// `arn:aws:secretsmanager:eu-west-1:123456789012:secret:db`.
pub(super) fn is_in_resource_name(text: &str, start: usize) -> bool {
    let before = &text.as_bytes()[..start];
    let length = run_before(before, MAX_RESOURCE_NAME, |byte| is_word_or(byte, b":-/_"));
    before[start - length..].starts_with(b"arn:") && before.ends_with(b":")
}

/// Recognises a token count: `"prompt_tokens": 1211`. `tail` is the part of the identifier after the anchor word, and
/// `value` is the start of the value. After a count, the caller does not search the rest of the line, because the
/// values in it belong to other names.
pub(super) fn is_token_count(text: &str, tail: &str, value: usize) -> bool {
    let rest = text.as_bytes().get(value..).unwrap_or_default();
    let n_digits = run_after(rest, MAX_COUNT, |byte| byte.is_ascii_digit());
    let after = rest.get(n_digits);
    tail.as_bytes().first().is_some_and(|byte| byte.eq_ignore_ascii_case(&b's'))
        && n_digits > 0
        && after.is_none_or(|byte| !byte.is_ascii_alphanumeric())
}
