//! Recognises files that are never quoted because of their path (requirement A51). Names are compared without regard
//! to case, because many file systems ignore case.

use std::path::{Component, Path};

const DIRECTORIES: &[&str] = &[
    ".ssh",
    "secrets",
    ".secrets",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".gcloud",
    "gcloud",
    ".password-store",
    ".vault",
    ".1password",
];
/// Names of files in which common tools store credentials.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    ".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".netrc", "_netrc", ".git-credentials", ".gitcredentials", ".pgpass", "pgpass.conf",
    ".my.cnf", ".mylogin.cnf", ".htpasswd", ".dockercfg", ".dockerconfigjson", ".terraformrc", "terraform.rc", "terraform.tfstate",
    "terraform.tfstate.backup", ".vault-token", ".boto", ".s3cfg", ".ftpconfig", "sftp-config.json", ".credentials.json", "auth.json",
    "hosts.yml", "kubeconfig", "shadow", "gshadow", "master.passwd", "ntds.dit", "wallet.dat", "keyfile", ".passwd", ".pass",
    "settings-security.xml", ".envrc", ".bash_history", ".zsh_history", ".psql_history", ".mysql_history", ".python_history",
    ".node_repl_history", ".rediscli_history", ".sh_history", ".irb_history", "proxychains.conf", ".fetchmailrc", ".msmtprc",
    "access_tokens.db", "cookies.sqlite", "key3.db", "key4.db", "logins.json", "login data", ".vnc_passwd", ".secret", ".token",
    "sitemanager.xml", "recentservers.xml", "filezilla.xml", "winscp.ini", "robomongo.json", "robo3t.json", ".remote-sync.json",
    "credentials-config.json", ".esmtprc", "htpasswd",
];
const PREFIXES: &[&str] = &[
    ".env",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_ecdsa_sk",
    "id_ed25519_sk",
    "client_secret",
    "ssh_host_",
];
#[rustfmt::skip]
const SUFFIXES: &[&str] = &[
    ".pem", ".key", ".p12", ".pfx", ".p8", ".pkcs12", ".pkcs8", ".jks", ".keystore", ".bks", ".kdb", ".kdbx", ".ppk", ".ovpn", ".agekey",
    ".keytab", ".mobileprovision", ".tfvars", ".tfvars.json", ".env", ".gpg", ".pgp", ".keychain", ".keychain-db", ".rdp", ".jceks", ".snk",
];
/// File name stems that are sensitive in combination with any of [`STEM_EXTENSIONS`]. The stem may have a prefix or
/// suffix: `credentials.yml`, `prod-secrets.json`.
const STEMS: &[&str] = &[
    "credentials",
    "credential",
    "secrets",
    "secret",
    "passwords",
    "password",
    "service-account",
    "service_account",
    "serviceaccount",
];
const STEM_EXTENSIONS: &[&str] = &[
    "",
    "json",
    "yml",
    "yaml",
    "toml",
    "ini",
    "xml",
    "csv",
    "txt",
    "properties",
    "conf",
    "cfg",
    "enc",
    "db",
    "plist",
];

/// Returns whether a file must never be quoted, regardless of its content. `relative` is the file's path relative to
/// the root.
#[must_use]
pub fn is_sensitive(relative: &Path) -> bool {
    let parts: Vec<String> = relative
        .components()
        .filter(|component| matches!(component, Component::Normal(_)))
        .map(|component| component.as_os_str().to_string_lossy().to_lowercase())
        .collect();
    let Some((name, directories)) = parts.split_last() else { return false };
    // Windows and some file systems treat `key.pem. ` and `key.pem::$DATA` as `key.pem`.
    let name = name.split("::").next().unwrap_or_default().trim_end_matches(['.', ' ']);
    directories.iter().any(|directory| DIRECTORIES.contains(&directory.as_str()))
        || is_tool_configuration(directories, name)
        || NAMES.contains(&name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
        || has_sensitive_stem(name)
}

/// Returns whether the file is a tool's credential file that can be recognised only by its directory, such as
/// `.docker/config.json`.
fn is_tool_configuration(directories: &[String], name: &str) -> bool {
    let directory = directories.last().map_or("", String::as_str);
    matches!(
        (directory, name),
        (".docker", "config.json")
            | (".cargo" | ".gem", "credentials" | "credentials.toml")
            | (".m2", "settings.xml")
            | (".bundle", "config")
    )
}

fn has_sensitive_stem(name: &str) -> bool {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let stem = stem.trim_start_matches('.');
    let is_sensitive_stem = STEMS.iter().any(|sensitive| {
        stem.strip_suffix(sensitive)
            .is_some_and(|before| before.is_empty() || before.ends_with(['-', '_', '.']))
            || stem.strip_prefix(sensitive).is_some_and(|after| after.starts_with(['-', '_', '.']))
    });
    is_sensitive_stem && STEM_EXTENSIONS.contains(&extension)
}
