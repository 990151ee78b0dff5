//! Files that are never quoted, by name (A51). Names are compared without case: many file systems do the same.

use std::path::{Component, Path};

const DIRECTORIES: &[&str] = &[".ssh", "secrets", ".gnupg", ".aws", ".azure", ".kube", ".docker"];
const NAMES: &[&str] = &[
    ".npmrc",
    ".pypirc",
    ".netrc",
    "_netrc",
    ".git-credentials",
    ".pgpass",
    ".htpasswd",
    "credentials",
    "credentials.json",
];
const PREFIXES: &[&str] = &[".env", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];
const SUFFIXES: &[&str] = &[".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk"];

/// Whether the file at this path, relative to the root, must not be quoted whatever it holds.
#[must_use]
pub fn is_sensitive(relative: &Path) -> bool {
    let parts: Vec<String> = relative
        .components()
        .filter_map(|component| match component {
            Component::Normal(part) => Some(part.to_string_lossy().to_lowercase()),
            Component::Prefix(_)
            | Component::RootDir
            | Component::CurDir
            | Component::ParentDir => None,
        })
        .collect();
    let Some((name, directories)) = parts.split_last() else { return false };
    directories.iter().any(|directory| DIRECTORIES.contains(&directory.as_str()))
        || NAMES.contains(&name.as_str())
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}
