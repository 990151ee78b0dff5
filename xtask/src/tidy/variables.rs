//! Checks that every environment variable in the code is in the catalogue of settings, from which the documentation is
//! generated.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

const PREFIXES: [&str; 4] = ["ADJUTANT_", "CI_", "CODEX_", "DFA_"];
/// Words and prefixes that are not settings: error codes, and variables for tests and builds.
const NO_SETTINGS: [&str; 5] = [
    "CODEX_NOT_FOUND",
    "CODEX_VERSION_INCOMPATIBLE",
    "ADJUTANT_TEST_",
    "ADJUTANT_FUZZ_",
    "ADJUTANT_BUILD_",
];

pub(super) fn check(files: &[PathBuf]) -> Vec<String> {
    let known = known();
    let sources = files.iter().filter(|path| is_source(path));
    let unknown = sources.flat_map(|path| {
        let text = fs::read_to_string(root().join(path)).unwrap_or_default();
        let names = named_in(&text).into_iter().filter(|name| !known.contains(name.as_str()));
        let complaint = |name| {
            format!(
                "{}: `{name}` is not in crates/policy/src/catalogue.rs, from which the documentation is generated",
                path.display()
            )
        };
        names.map(complaint).collect::<Vec<_>>()
    });
    unknown.collect()
}

fn known() -> BTreeSet<&'static str> {
    let settings = policy::BRIEFING_SETTINGS
        .iter()
        .chain(policy::PLACE_SETTINGS.iter())
        .chain(policy::UNATTENDED_SETTINGS.iter());
    let settings = settings.filter_map(|setting| setting.variable);
    let settings = settings.map(|name| name.split('<').next().unwrap_or(name));
    settings.chain(policy::GIVEN_VARIABLES.iter().map(|(name, _)| *name)).collect()
}

fn is_source(path: &Path) -> bool {
    let is_test =
        path.iter().any(|part| part == "tests" || part == "testkit" || part == "tests.rs");
    path.starts_with("crates") && path.extension().is_some_and(|it| it == "rs") && !is_test
}

/// Returns the string literals that are names of environment variables.
fn named_in(text: &str) -> BTreeSet<String> {
    let is_name = |text: &&str| {
        PREFIXES.iter().any(|start| text.starts_with(start))
            && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
            && !NO_SETTINGS.iter().any(|other| text.starts_with(other))
    };
    text.split('"').skip(1).step_by(2).filter(is_name).map(str::to_owned).collect()
}
