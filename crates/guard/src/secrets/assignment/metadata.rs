//! Recognises identifiers that contain an anchor word such as `password`, but whose value is not secret. The value
//! describes a secret (`password_length`) or is public (`algoliaAppId`).

use std::ops::Range;

use crate::secrets::candidate::Candidate;
use crate::secrets::value::ends_with;

/// Identifier endings that mark a description of a secret, as in `password_length`. Values of such identifiers are not
/// secrets.
#[rustfmt::skip]
const METADATA_SUFFIXES: &[&str] = &[
    "name", "type", "url", "uri", "path", "file", "field", "length", "len", "size", "count", "limit", "expiry", "expires", "expiration",
    "ttl", "label", "hint", "pattern", "regex", "policy", "class", "izer", "endpoint", "version", "format", "hash", "digest", "md5", "sha1", "sha256", "sha512", "checksum", "fingerprint", "thumbprint", "store", "index",
    "offset", "kind", "prefix", "suffix", "placeholder", "error", "message", "description", "title", "help", "text", "required",
    "enabled", "valid", "validator", "provider", "manager", "service", "factory", "handler", "input", "timeout", "encryption", "algorithm", "startswith", "endswith", "contains", "change", "encoder", "address", ".txt", "variable", "_var", "envvar",
];

/// Words that, before `id`, form the name of a public identifier: `SPOTIFY_CLIENT_ID`, `algoliaAppId`.
#[rustfmt::skip]
const PUBLIC_IDENTIFIERS: &[&str] = &[
    "client", "app", "application", "tenant", "project", "account", "user", "org", "organization", "workspace", "team", "guild", "channel",
    "subscription", "message", "request", "run", "thread", "trace", "span", "pool", "installation", "merchant", "measurement", "property", "site",
    "zone", "bucket", "database", "board", "list", "group", "member", "customer", "store", "webhook", "chat", "object",
];
/// The maximum length of the part of a name after the anchor word.
const MAX_NAME: usize = 48;
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
    METADATA_SUFFIXES.iter().any(|suffix| ends_with(tail, suffix.as_bytes()))
        || ends_with(tail, b"id") && names_public_identifier(&tail[..tail.len() - "id".len()])
}

/// Recognises the identifier of a credential, which is public: `"credentialId"`, `credentials_id`. `tail` is the part of
/// the identifier after the anchor word.
pub(super) fn is_id_of_credential(text: &str, word: Range<usize>, tail: &str) -> bool {
    let tail = tail.strip_prefix(['s', 'S']).unwrap_or(tail).trim_start_matches(['_', '-']);
    text.as_bytes()[word].eq_ignore_ascii_case(b"credential") && tail.eq_ignore_ascii_case("id")
}

/// Returns whether `head`, the part of an identifier before `id`, ends with one of [`PUBLIC_IDENTIFIERS`].
pub(super) fn names_public_identifier(head: &[u8]) -> bool {
    let head = head.strip_suffix(b"_").or_else(|| head.strip_suffix(b"-")).unwrap_or(head);
    PUBLIC_IDENTIFIERS.iter().any(|word| ends_with(head, word.as_bytes()))
}

/// Returns whether the value is the secret of a Vault role: `role_id=… secret_id=…`. In other systems, a `secret_id` is
/// the public identifier of a stored secret, so Vault or a role must be named nearby.
pub(super) fn is_role_secret(candidate: &Candidate<'_>, tail: &str) -> bool {
    const MARKS: &[&str] = &["approle", "role_id", "role-id", "roleid", "secret_id_"];
    let bytes = candidate.text.as_bytes();
    let is_secret_id = bytes[candidate.word.clone()].eq_ignore_ascii_case(b"secret")
        && ["id", "_id", "-id"].iter().any(|id| tail.eq_ignore_ascii_case(id));
    if !is_secret_id {
        return false;
    }
    let before = &bytes[candidate.word.start.saturating_sub(MAX_ROLE)..candidate.word.start];
    let after = &bytes[candidate.value.end..bytes.len().min(candidate.value.end + MAX_ROLE)];
    crate::work::count(before.len() + after.len());
    // Azure Key Vault is another system.
    let names_vault = |text: &[u8]| {
        memchr::memmem::find_iter(text, b"vault").any(|at| {
            let head = &text[..at];
            let head = head.strip_suffix(b"_").or_else(|| head.strip_suffix(b"-")).unwrap_or(head);
            !head.trim_ascii_end().ends_with(b"key")
        })
    };
    [before.to_ascii_lowercase(), after.to_ascii_lowercase()].iter().any(|text| {
        names_vault(text)
            || MARKS.iter().any(|mark| memchr::memmem::find(text, mark.as_bytes()).is_some())
    })
}

/// Returns whether `tail`, the text after a name, makes it the name of an event, as `.revoked` does in
/// `"api_key.revoked"`. The fields that follow describe the event and are not secrets.
pub(super) fn is_event(tail: &str) -> bool {
    tail.strip_prefix('.').is_some_and(|verb| {
        verb.ends_with("ed") && verb.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    })
}

/// Recognises a number in a Windows registry file: `"RememberPassword"=dword:00000000`. `end` is the end of the anchor
/// word, here of `Password`.
pub(super) fn is_typed_number(text: &str, end: usize) -> bool {
    let rest = text.as_bytes()[end..].trim_ascii_start();
    let name = rest.iter().take(MAX_NAME).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    crate::work::count(name);
    let rest = rest[name..].strip_prefix(b"\"=").unwrap_or_default();
    [&b"dword:"[..], b"qword:", b"hex(b):"].iter().any(|kind| rest.starts_with(kind))
}

/// Returns whether the word at `start` is part of a cloud resource's name:
/// `arn:aws:secretsmanager:eu-west-1:123456789012:secret:db`.
pub(super) fn is_in_resource_name(text: &str, start: usize) -> bool {
    let before = &text.as_bytes()[start.saturating_sub(MAX_RESOURCE_NAME)..start];
    let run = before
        .iter()
        .rev()
        .take_while(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'/' | b'_')
        })
        .count();
    let run = &before[before.len() - run..];
    run.starts_with(b"arn:") && run.ends_with(b":")
}

/// Recognises a token count: `"prompt_tokens": 1211`. `tail` is the part of the identifier after the anchor word, and
/// `value` is the start of the value. After a count, the caller does not search the rest of the line, because the
/// values in it belong to other names.
pub(super) fn is_count(text: &str, tail: &str, value: usize) -> bool {
    let rest = text.as_bytes().get(value..).unwrap_or_default();
    let n_digits = rest.iter().take(MAX_COUNT).take_while(|byte| byte.is_ascii_digit()).count();
    let after = rest.get(n_digits);
    tail.as_bytes().first().is_some_and(|byte| byte.eq_ignore_ascii_case(&b's'))
        && n_digits > 0
        && after.is_none_or(|byte| !byte.is_ascii_alphanumeric())
}
