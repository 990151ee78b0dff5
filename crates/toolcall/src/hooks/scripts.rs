//! The commands of a hook file, as trust in it covers them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use policy::{ContentHash, WrittenCommand, covered_content, named_files};

use super::Run;
use super::file::Rule;

pub(super) fn content_hash(text: &str, rules: &[Rule], repository: &Path) -> ContentHash {
    covered_content(text, &commands(rules), repository)
}

/// Real paths inside the repository, in order.
pub(super) fn named_in(rules: &[Rule], repository: &Path) -> BTreeSet<PathBuf> {
    named_files(&commands(rules), repository)
}

fn commands(rules: &[Rule]) -> Vec<WrittenCommand> {
    let actions = rules.iter().flat_map(|rule| &rule.actions);
    actions
        .filter_map(|action| match &action.run {
            Run::Shell(command) => Some(vec![command.clone()]),
            Run::Program(words) => Some(words.clone()),
            Run::Text(_) => None,
        })
        .collect()
}
