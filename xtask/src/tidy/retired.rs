//! Checks that source files do not use retired names, which `docs/glossary.md` has replaced. Only whole words are compared.

use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

/// Retired names, each with its replacement.
const RETIRED: [(&str, &str); 22] = [
    ("Life", "CallState"),
    ("Lived", "CompletedCall"),
    ("Occasion", "HookEvent"),
    ("World", "Host"),
    ("Ground", "RepoContext"),
    ("on_ground", "brief_repository"),
    ("Desk", "RepoTools"),
    ("House", "ServerState"),
    ("Errand", "CallContext"),
    ("Teller", "ProgressSender"),
    ("Scene", "RankContext"),
    ("Cast", "SymbolCandidates"),
    ("Spot", "Location"),
    ("Familiar", "KnownTerms"),
    ("acquaintance", "repository_terms"),
    ("Suffers", "Incoming"),
    ("Portion", "BriefingSize"),
    ("Patience", "TimeLimits"),
    ("Ward", "Setup"),
    ("Worded", "RunArguments"),
    ("fall_silent", "close_stdin"),
    ("surplus_word", "unexpected_argument"),
];

/// A prefix that is no longer used for constants. Such a constant must be named `MAX_…`.
const RETIRED_PREFIX: &str = "MOST_";

pub(super) fn check(files: &[PathBuf]) -> Vec<String> {
    let this_file = Path::new("xtask/src/tidy/retired.rs");
    files
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .filter(|path| path.as_path() != this_file)
        .flat_map(|path| {
            let text = fs::read_to_string(root().join(path)).unwrap_or_default();
            retired_in(&text)
                .into_iter()
                .map(|(line, name, instead)| {
                    format!("{}:{line}: `{name}` is retired, use `{instead}`", path.display())
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

fn retired_in(text: &str) -> Vec<(usize, &str, &'static str)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for word in line.split(|c: char| !c.is_alphanumeric() && c != '_') {
            if let Some((_, instead)) = RETIRED.iter().find(|(name, _)| *name == word) {
                found.push((number + 1, word, *instead));
            } else if word.starts_with(RETIRED_PREFIX) {
                found.push((number + 1, word, "MAX_…"));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::retired_in;

    #[test]
    fn only_whole_words_are_retired() {
        assert_eq!(
            retired_in("struct Lifetime;\nstruct Life;\nconst MOST_X: u8 = 1;"),
            [(2, "Life", "CallState"), (3, "MOST_X", "MAX_…")]
        );
    }
}
