//! Decides which files may be shown as evidence for a prompt. The ranking of indexed files and direct search both apply
//! these rules.
//!
//! The files of coding agents, build output, lock files and minified files contain the words of many prompts but are
//! rarely what a prompt is about. They are left out unless the prompt asks for them.

use index::{FileId, Role, View, agent_tool};
use rustc_hash::FxHashSet;

use super::terms::Term;
use crate::query::Query;

/// Tool names that are also ordinary words. A prompt asks for the files of such a tool only if it contains a path in
/// the tool's folder.
const ORDINARY_WORDS: &[&str] = &["agents", "continue", "cursor", "goose"];
/// The minimum number of terms by which a copy of the prompt is recognised. A document that contains all words of a
/// shorter prompt may simply be about the same subject.
const MIN_COPIED_TERMS: usize = 16;
/// The maximum number of terms that are looked up to find copies of the prompt.
const MAX_COPIED_TERMS: usize = 24;
/// The maximum number of prompt terms whose frequency is looked up.
const MAX_LOOKED_UP: usize = 100;

/// Returns whether files with this role are left out unless the prompt asks for them. Binary files are always left
/// out.
pub(crate) fn needs_request(role: Role) -> bool {
    matches!(role, Role::Agent | Role::Binary | Role::Lock | Role::Minified | Role::Output)
}

/// Returns whether a file may be shown as evidence for the query. `is_named` is true if the prompt contains the file's
/// path.
pub(crate) fn is_evidence(query: &Query, path: &str, role: Role, is_named: bool) -> bool {
    let has = |word: &str| query.words.iter().any(|known| known == word);
    let is_requested = match role {
        Role::Agent => asks_for_tool(query, path),
        Role::Lock => has("lockfile") || has("lockfiles"),
        Role::Minified => has("minified"),
        Role::Output => has("dist"),
        Role::Binary => return false,
        Role::Source
        | Role::Test
        | Role::Example
        | Role::Docs
        | Role::Config
        | Role::Data
        | Role::Generated
        | Role::Vendored => true,
    };
    is_requested || is_named || has_file_name(query, path)
}

/// Returns whether the prompt contains all words of the file name, such as `yarn` and `lock` for `yarn.lock`.
fn has_file_name(query: &Query, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let mut words = name.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
    words.all(|word| word.is_empty() || query.words.iter().any(|known| known == word))
}

/// Returns whether the prompt names the tool that owns the file, or a path in that tool's folder.
fn asks_for_tool(query: &Query, path: &str) -> bool {
    let Some(tool) = agent_tool(path) else { return false };
    let is_folder = |part: &str| part.trim_start_matches('.').eq_ignore_ascii_case(tool);
    let has_path = || query.paths.iter().any(|mention| mention.text.split('/').any(is_folder));
    let has_word = || query.words.iter().any(|word| word == tool);
    (!ORDINARY_WORDS.contains(&tool) && has_word()) || has_path()
}

/// Returns whether a file with this role can be the file in which the prompt was saved, or a copy of that file.
pub(crate) fn can_be_copy(role: Role) -> bool {
    role == Role::Docs
}

/// Returns the indices in `terms` of the terms by which a copy of the prompt is recognised. These are the terms with
/// the highest weights among those that the prompt itself contains. Returns an empty list if the prompt is short.
/// `terms` must be sorted by weight, highest first.
pub(crate) fn copied_terms(query: &Query, terms: &[Term<'_>]) -> Vec<usize> {
    let written: FxHashSet<&str> = query.search_terms().map(|term| term.text.as_str()).collect();
    let is_written = |at: &usize| written.contains(terms[*at].text);
    let copied: Vec<usize> = (0..terms.len()).filter(is_written).take(MAX_COPIED_TERMS).collect();
    if copied.len() < MIN_COPIED_TERMS { Vec::new() } else { copied }
}

/// Returns the documents that contain all of [`copied_terms`].
pub(super) fn copies_of_prompt(
    view: &View,
    query: &Query,
    terms: &[Term<'_>],
) -> FxHashSet<FileId> {
    let mut copied = copied_terms(query, terms);
    // A copy contains all terms of the prompt, so each of them occurs in the repository.
    let is_absent = |text: &str| view.document_frequency(text) == 0;
    let mut written = query.search_terms().take(MAX_LOOKED_UP);
    if copied.is_empty() || written.any(|term| is_absent(&term.text)) {
        return FxHashSet::default();
    }
    // The postings of the rarest term are read first. For the other terms, only the postings in the remaining
    // documents are read.
    copied.sort_by_cached_key(|at| view.document_frequency(terms[*at].text));
    let mut copied = copied.into_iter().map(|at| terms[at].text);
    let Some(rarest) = copied.next() else { return FxHashSet::default() };
    let mut copies: Vec<FileId> = view
        .best_postings(rarest)
        .map(|posting| posting.file)
        .filter(|file| can_be_copy(view.role(*file)))
        .collect();
    for term in copied {
        if copies.is_empty() {
            break;
        }
        copies.sort_unstable();
        let postings = view.postings_in(term, &copies);
        copies = postings.into_iter().map(|posting| posting.file).collect();
    }
    copies.into_iter().collect()
}
