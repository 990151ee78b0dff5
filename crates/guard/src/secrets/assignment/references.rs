//! Recognises values that refer to a secret instead of containing it: tags, templates, and names of stored secrets.

use crate::bytes::{
    bytes_before, consists_of, contains_any, ends_with, ends_with_any_ignoring_case, is_word_or,
    line_after, line_before, run_after,
};
use crate::secrets::WORDS;
use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::forms::{has_digit, is_random};
use crate::table::WordList;
use crate::work;

/// The maximum number of bytes in a call that are read after its first argument.
const MAX_ARGUMENTS: usize = 96;

/// The minimum length of a value that is encrypted with the public key of a cluster.
const MIN_SEALED: usize = 150;
/// The maximum number of bytes between `encryptedData` and a value below it.
const MAX_SEALED: usize = 2048;

/// Prefixes of functions that read a password. Such a function takes an account name, not the password:
/// `get_password("app", user)`.
const READERS: &[&str] =
    &["get", "get_", "fetch", "fetch_", "read", "read_", "find_", "lookup_", "load_"];

/// Returns whether the value refers to a secret instead of containing it.
pub(super) fn refers_to_secret(candidate: &Candidate<'_>) -> bool {
    // `scheme://<user>:<password>@host`
    candidate.before().ends_with(b":<") && candidate.value().starts_with('@')
        || candidate.relation == Relation::Argument && ends_with_any_ignoring_case(candidate.before(), READERS)
        || is_name_of_resource(candidate)
        || is_name_of_key(candidate)
        || is_service_of_keyring(candidate)
        || is_tagged(candidate)
        || is_format_template(candidate)
        // `password = local.is_primary ? var.password : null`
        || candidate.quoting == Quoting::Bare && candidate.after().starts_with(b" ? ")
        || is_message_of_variable(candidate)
        || is_bound_by_arrow(candidate)
        || is_sealed(candidate)
}

/// Recognises the name of a key in a stored secret: `adminPasswordKey: postgres-password`.
fn is_name_of_key(candidate: &Candidate<'_>) -> bool {
    candidate.name == Name::Password
        && ends_with(candidate.tail(b"_-").as_bytes(), b"key")
        && consists_of(candidate.value(), u8::is_ascii_lowercase, "-_.")
}

/// Recognises the name of a service in `keyring.set_password("service", user, password)`. The password is the last of
/// three arguments.
fn is_service_of_keyring(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let line = line_after(bytes, bytes.len().min(candidate.value.end + 1), MAX_ARGUMENTS);
    candidate.relation == Relation::Argument
        && ends_with_any_ignoring_case(candidate.before(), &["set_", "set"])
        && line.starts_with(b", ")
        && memchr::memchr_iter(b',', line).count() >= 2
        && consists_of(candidate.value(), u8::is_ascii_lowercase, "-_.")
}

/// Recognises `password: !vault_lookup db/main`.
fn is_tagged(candidate: &Candidate<'_>) -> bool {
    let is_tag =
        |name: &str| !name.is_empty() && consists_of(name, u8::is_ascii_alphabetic, "_-:/");
    candidate.relation == Relation::Colon
        && candidate.quoting == Quoting::Bare
        && candidate.value().strip_prefix('!').is_some_and(is_tag)
        && matches!(candidate.after(), [b' ', next, ..] if next.is_ascii_graphic())
}

/// Recognises `"prefix_{0}".format(…)`.
fn is_format_template(candidate: &Candidate<'_>) -> bool {
    candidate.quoting == Quoting::Quoted
        && candidate.value().contains('{')
        && candidate.after().get(1..).is_some_and(|rest| rest.starts_with(b".format("))
}

/// Recognises the error message that is shown if a variable has no value: `${TOKEN:?set TOKEN first}`.
fn is_message_of_variable(candidate: &Candidate<'_>) -> bool {
    let before = bytes_before(candidate.before(), candidate.word.start, MAX_ARGUMENTS);
    let Some(open) = memchr::memmem::rfind(before, b"${") else { return false };
    let message = &before[open..];
    let name = run_after(&message[2..], usize::MAX, |byte| is_word_or(byte, b"_"));
    let rest = &message[2 + name..];
    let is_own_message = rest.is_empty() && candidate.between().contains('?');
    is_own_message
        || (rest.starts_with(b":?") || rest.starts_with(b"?"))
            && memchr::memchr2(b'}', b'\n', rest).is_none()
}

/// Recognises the function in a Haskell statement such as `password <- fromMaybe …`. A literal after the arrow would
/// be quoted.
fn is_bound_by_arrow(candidate: &Candidate<'_>) -> bool {
    let between = candidate.between();
    candidate.quoting == Quoting::Bare
        && between.trim_end().ends_with("<-")
        && consists_of(candidate.value(), u8::is_ascii_alphabetic, ".")
}

/// Recognises a value that only the cluster can decrypt, in the `encryptedData` of a `SealedSecret`.
fn is_sealed(candidate: &Candidate<'_>) -> bool {
    if candidate.value.len() < MIN_SEALED || !candidate.value().starts_with("Ag") {
        return false;
    }
    let before = bytes_before(candidate.before(), candidate.word.start, MAX_SEALED);
    memchr::memmem::find(before, b"encryptedData").is_some()
}

const MAX_IDENTIFIER: usize = 48;
const MAX_PARTS: usize = 8;
/// The maximum length of the name of a vault in Azure.
const MAX_VAULT: usize = 24;
static RESOURCES: WordList = WordList::new(WORDS, "resources");
/// Words in the names of secrets with which a program signs. People choose such secrets themselves.
const SIGNING: &[&str] = &["cookie", "hmac", "jwt", "session", "sign", "webhook"];
/// Texts before `secret` that announce the name of a stored secret.
const ANNOUNCEMENTS: &[&str] =
    &["existing", "--", "imagepull", "imagepull_", "image_pull_", "image-pull-", "path to "];

/// Returns whether the value is the name of a stored secret or of a vault.
pub(super) fn is_name_of_resource(candidate: &Candidate<'_>) -> bool {
    candidate.name == Name::Token && is_stored_secret(candidate)
        || candidate.name != Name::Password && is_vault(candidate)
}

/// Recognises the name of a stored secret: `existingSecret: "postgres-auth"`, `secret: 'mongodb-client-cert'`.
fn is_stored_secret(candidate: &Candidate<'_>) -> bool {
    if !candidate.word().eq_ignore_ascii_case("secret") {
        return false;
    }
    let value = candidate.value();
    let is_plain = consists_of(value, u8::is_ascii_lowercase, "-_");
    is_plain && ends_with_any_ignoring_case(candidate.before(), ANNOUNCEMENTS)
        || is_words_of_resource(value) && !names_signing_key(candidate)
}

/// Returns whether the value consists of words that are joined by hyphens, the last of which is usual in names of
/// resources. At most one word may contain digits: `k8s-infra-key`.
fn is_words_of_resource(value: &str) -> bool {
    let parts = || value.split('-');
    let is_word = |part: &str| !part.is_empty() && consists_of(part, u8::is_ascii_lowercase, "");
    let is_short = |part: &str| {
        part.len() <= MAX_PARTS
            && part.starts_with(|first: char| first.is_ascii_lowercase())
            && part.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'))
    };
    (2..=MAX_PARTS).contains(&parts().count())
        && parts().all(|part| is_word(part) || is_short(part))
        && parts().filter(|part| has_digit(part)).count() <= 1
        && parts().next_back().is_some_and(|last| RESOURCES.binary_search(&last).is_ok())
        && !is_random(value)
}

/// Returns whether the name of the secret contains a word for signing: `JWT_SECRET`, `session({ secret: … })`.
fn names_signing_key(candidate: &Candidate<'_>) -> bool {
    let line = line_before(candidate.before(), candidate.word.start, MAX_IDENTIFIER);
    contains_any(line.to_ascii_lowercase(), SIGNING)
}

/// Recognises the name of a vault: `keyVaultForSecrets: team-prd-4471`.
fn is_vault(candidate: &Candidate<'_>) -> bool {
    let (head, tail) = (candidate.head(b"_-").len(), candidate.tail(b"_-").len());
    let identifier = &candidate.text[candidate.word.start - head..candidate.word.end + tail];
    work::count(identifier.len());
    let value = candidate.value();
    let letters = identifier.replace(|sign: char| !sign.is_ascii_alphanumeric(), "");
    letters.to_ascii_lowercase().contains("keyvault")
        && value.len() <= MAX_VAULT
        && value.contains('-')
        && value.starts_with(|first: char| first.is_ascii_lowercase())
        && value.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

#[cfg(test)]
mod tests;
