//! The commands of a hook file, as trust in it covers them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use policy::{
    ContentHash, CoverError, Uncovered, WrittenCommand, covered_content, named_files,
    uncovered_commands,
};

use super::file::Rule;
use super::{Action, Run};

pub(super) fn content_hash(
    text: &str,
    rules: &[Rule],
    repository: &Path,
) -> Result<ContentHash, CoverError> {
    covered_content(text, &commands(rules, |_| true), repository)
}

/// Real paths inside the repository, in order.
pub(super) fn named_in(rules: &[Rule], repository: &Path) -> BTreeSet<PathBuf> {
    named_files(&commands(rules, |_| true), repository)
}

/// A command that is switched off runs nothing: to switch it on changes the file.
pub(super) fn uncovered_in(rules: &[Rule], repository: &Path) -> Vec<Uncovered> {
    uncovered_commands(&commands(rules, |action| action.enabled), repository)
}

fn commands(rules: &[Rule], is_wanted: impl Fn(&Action) -> bool) -> Vec<WrittenCommand> {
    let actions = rules.iter().flat_map(|rule| &rule.actions);
    actions
        .filter(|action| is_wanted(action))
        .filter_map(|action| match &action.run {
            Run::Shell(command) => Some(WrittenCommand::Shell(command.clone())),
            Run::Program(words) => Some(WrittenCommand::Program(words.clone())),
            Run::Text(_) => None,
        })
        .collect()
}
