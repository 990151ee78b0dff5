//! Checks the licences, sources and duplicates of third-party crates.

use std::collections::BTreeMap;
use std::process::Command;

use serde::Deserialize;

use crate::root;

/// The allowed licences. A crate must be available under at least one of them.
const ALLOWED_LICENCES: [&str; 11] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Zlib",
];

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Crates that are used in two incompatible versions, because other dependencies require both.
const ACCEPTED_DUPLICATES: [&str; 14] = [
    "base64",
    "bitflags",
    "block-buffer",
    "const-oid",
    "cpufeatures",
    "crypto-common",
    "digest",
    "fallible-iterator",
    "getrandom",
    "r-efi",
    "sha2",
    "syn",
    "wasi",
    "windows-sys",
];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    /// The crate's registry. `None` for a crate of this workspace.
    source: Option<String>,
}

pub(super) fn check() -> Vec<String> {
    match read_metadata() {
        Ok(metadata) => complaints_about(&metadata.packages),
        Err(error) => vec![format!("cannot read the dependencies: {error}")],
    }
}

#[expect(clippy::disallowed_methods, reason = "a chore runs cargo; it is not part of the product")]
fn read_metadata() -> Result<Metadata, String> {
    let output = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

fn complaints_about(packages: &[Package]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        let Package { name, version, license, source } = package;
        let Some(source) = source else { continue };
        if source != REGISTRY {
            complaints.push(format!("{name} {version} comes from {source}, not from the registry"));
        }
        if !license.as_deref().is_some_and(is_allowed) {
            let license = license.as_deref().unwrap_or("no licence");
            complaints.push(format!("{name} {version}: licence `{license}` is not allowed"));
        }
        versions.entry(name).or_default().push(version);
    }
    for (name, versions) in versions {
        if versions.len() > 1 && !ACCEPTED_DUPLICATES.contains(&name) {
            complaints.push(format!("{name} has several versions: {}", versions.join(", ")));
        }
    }
    complaints
}

/// Returns true if an SPDX expression is satisfied: every part joined with `AND` must offer one of the [`ALLOWED_LICENCES`].
fn is_allowed(expression: &str) -> bool {
    expression.split(" AND ").all(|part| {
        part.trim_matches(['(', ')'])
            .split(" OR ")
            .flat_map(|choice| choice.split('/'))
            .any(|licence| ALLOWED_LICENCES.contains(&licence.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, version: &str, license: &str, source: &str) -> Package {
        Package {
            name: name.to_owned(),
            version: version.to_owned(),
            license: Some(license.to_owned()),
            source: Some(source.to_owned()),
        }
    }

    #[test]
    fn licence_expressions_are_read() {
        assert!(is_allowed("MIT"));
        assert!(is_allowed("Unlicense/MIT"));
        assert!(is_allowed("GPL-3.0 OR Apache-2.0"));
        assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(!is_allowed("MIT AND GPL-3.0"));
        assert!(!is_allowed("AGPL-3.0"));
    }

    #[test]
    fn sources_licences_and_duplicates_are_reported() {
        let packages = [
            package("good", "1.0.0", "MIT", REGISTRY),
            package("twice", "1.0.0", "MIT", REGISTRY),
            package("twice", "2.0.0", "MIT", REGISTRY),
            package("copyleft", "1.0.0", "GPL-3.0", REGISTRY),
            package("elsewhere", "1.0.0", "MIT", "git+https://example.com/x"),
        ];
        let complaints = complaints_about(&packages).join("\n");
        for name in ["twice", "copyleft", "elsewhere"] {
            assert!(complaints.contains(name), "{complaints}");
        }
        assert!(!complaints.contains("good"), "{complaints}");
    }
}
