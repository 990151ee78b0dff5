//! Recognises names of stored secrets and of vaults: `imagePullSecret: "registry-login"`.

use crate::secrets::candidate::{Candidate, Name};
use crate::secrets::value::{ends_with, is_random};

const MAX_IDENTIFIER: usize = 48;
const MAX_PARTS: usize = 8;
/// The maximum length of the name of a vault in Azure.
const MAX_VAULT: usize = 24;
/// The last words of names of stored secrets, in alphabetical order.
#[rustfmt::skip]
const RESOURCES: &[&str] = &[
    "account", "auth", "authentication", "ca", "cert", "certificate", "certificates", "certification", "certs", "config", "configuration",
    "credential", "credentials", "creds", "data", "encryption", "identity", "key", "keys", "keystore", "kubeconfig", "login", "pull",
    "registry", "secret", "secrets", "tls", "token", "tokens", "truststore", "uuid",
];
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
    let bytes = candidate.text.as_bytes();
    if !bytes[candidate.word.clone()].eq_ignore_ascii_case(b"secret") {
        return false;
    }
    let before = &bytes[..candidate.word.start];
    let value = candidate.value();
    let is_plain =
        value.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_'));
    is_plain && ANNOUNCEMENTS.iter().any(|words| ends_with(before, words.as_bytes()))
        || is_words_of_resource(value) && !names_signing_key(candidate)
}

/// Returns whether the value consists of words that are joined by hyphens, the last of which is usual in names of
/// resources. At most one word may contain digits: `k8s-infra-key`.
fn is_words_of_resource(value: &str) -> bool {
    let parts = || value.split('-');
    let is_word =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_numbered = |part: &&str| part.bytes().any(|byte| byte.is_ascii_digit());
    let is_short = |part: &str| {
        part.len() <= MAX_PARTS
            && part.starts_with(|first: char| first.is_ascii_lowercase())
            && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    (2..=MAX_PARTS).contains(&parts().count())
        && parts().all(|part| is_word(part) || is_short(part))
        && parts().filter(is_numbered).count() <= 1
        && parts().next_back().is_some_and(|last| RESOURCES.binary_search(&last).is_ok())
        && !is_random(value)
}

/// Returns whether the name of the secret contains a word for signing: `JWT_SECRET`, `session({ secret: … })`.
fn names_signing_key(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let before = &bytes[candidate.word.start.saturating_sub(MAX_IDENTIFIER)..candidate.word.start];
    let line = memchr::memrchr(b'\n', before).map_or(before, |at| &before[at + 1..]);
    let line = line.to_ascii_lowercase();
    crate::work::count(line.len());
    SIGNING.iter().any(|word| memchr::memmem::find(&line, word.as_bytes()).is_some())
}

/// Recognises the name of a vault: `keyVaultForSecrets: team-prd-4471`.
fn is_vault(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let before = bytes[..candidate.word.start].iter().rev().take(MAX_IDENTIFIER);
    let head = before.take_while(is_part).count();
    let tail = bytes[candidate.word.end..].iter().take(MAX_IDENTIFIER).take_while(is_part).count();
    let identifier: Vec<u8> = bytes[candidate.word.start - head..candidate.word.end + tail]
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
        .collect();
    crate::work::count(identifier.len());
    let value = candidate.value();
    memchr::memmem::find(&identifier, b"keyvault").is_some()
        && value.len() <= MAX_VAULT
        && value.contains('-')
        && value.starts_with(|first: char| first.is_ascii_lowercase())
        && value
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::RESOURCES;

    #[test]
    fn resources_are_sorted() {
        assert!(RESOURCES.is_sorted());
    }
}
