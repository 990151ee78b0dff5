//! The repositories of `adjutant search --repos` and `--workspace`, with a label for each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item};

use super::super::repository::find_repository;
use crate::edge;
use crate::failure::Failure;

/// The maximum number of repositories in one search.
const MAX_ROOTS: usize = 64;
const MAX_FILE_BYTES: u64 = 64 * 1024;

/// A repository, and the label that precedes its paths, as in `label:src/lib.rs`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LabelledRoot {
    pub(super) label: String,
    pub(super) root: PathBuf,
}

/// Finds the repositories that contain `folders`. Fails if a folder is missing, or if a repository would be searched
/// twice.
pub(super) fn find(folders: &[PathBuf]) -> Result<Vec<LabelledRoot>, Failure> {
    if folders.is_empty() {
        return Err(Failure::configuration("no repository was given")
            .hint("pass one or more directories of git repositories"));
    }
    if folders.len() > MAX_ROOTS {
        return Err(Failure::configuration(format!(
            "more than {MAX_ROOTS} repositories were given"
        )));
    }
    let roots = folders.iter().map(|folder| find_repository(folder));
    let roots: Vec<PathBuf> = roots.collect::<Result<_, _>>()?;
    let mut shared = BTreeMap::new();
    for (at, root) in roots.iter().enumerate() {
        for (other, folder) in roots.iter().zip(folders).take(at) {
            let (this, that) = (folders[at].display(), folder.display());
            if root == other {
                return Err(Failure::configuration(format!(
                    "`{that}` and `{this}` are the same repository"
                ))
                .hint("pass each repository once"));
            }
            if root.starts_with(other) || other.starts_with(root) {
                return Err(Failure::configuration(format!(
                    "one of `{that}` and `{this}` is inside the other"
                ))
                .hint("pass only the outer repository"));
            }
        }
        if let Some(first) =
            index::shared_git_directory(root).and_then(|git| shared.insert(git, at))
        {
            let (this, that) = (folders[at].display(), folders[first].display());
            return Err(Failure::configuration(format!(
                "`{that}` and `{this}` are worktrees of one repository"
            ))
            .hint("pass only one of the worktrees"));
        }
    }
    Ok(labels(&roots)
        .into_iter()
        .zip(roots)
        .map(|(label, root)| LabelledRoot { label, root })
        .collect())
}

/// For each root, returns the shortest unique suffix of its path.
fn labels(roots: &[PathBuf]) -> Vec<String> {
    let end = |root: &Path, length: usize| {
        let parts: Vec<_> = root.iter().map(|part| part.to_string_lossy()).collect();
        parts[parts.len().saturating_sub(length)..].join("/")
    };
    let label = |root: &PathBuf| {
        let longest = root.iter().count();
        let is_unique = |length: &usize| {
            let wanted = end(root, *length);
            roots.iter().filter(|other| end(other, *length) == wanted).count() == 1
        };
        let length = (1..longest).find(is_unique).unwrap_or(longest);
        end(root, length)
    };
    roots.iter().map(label).collect()
}

/// Reads the folders in a workspace file. They are relative to the folder that contains the file.
pub(super) fn read_workspace(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let wrong = |what: &str| {
        Failure::configuration(format!("`{}`: {what}", path.display()))
            .hint("the file contains one line: roots = [\"../a\", \"../b\"]")
    };
    let bytes =
        edge::read_named_file(path, MAX_FILE_BYTES).map_err(|error| wrong(&error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("not UTF-8"))?;
    let document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| wrong(error.message()))?;
    if let Some((key, _)) = document.iter().find(|(key, _)| *key != "roots") {
        return Err(wrong(&format!("unknown key `{key}`")));
    }
    let roots = document
        .get("roots")
        .and_then(Item::as_array)
        .ok_or_else(|| wrong("the list `roots` is missing"))?;
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let named = roots.iter().map(|root| {
        let root = root.as_str().filter(|root| !root.is_empty());
        root.map(|root| folder.join(root)).ok_or_else(|| wrong("an entry of `roots` is not a path"))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_the_shortest_ends_that_differ() {
        let roots = ["/work/a/api", "/work/b/api", "/work/web"].map(PathBuf::from);
        assert_eq!(labels(&roots), ["a/api", "b/api", "web"]);
        assert_eq!(labels(&[PathBuf::from("/")]), ["/"]);
    }
    #[test]
    fn a_workspace_file_with_a_mistake_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("adjutant.workspace.toml");
        #[track_caller]
        fn check(file: &Path, text: &str, message: &str) {
            std::fs::write(file, text).unwrap();
            let failure = read_workspace(file).map(drop).expect_err(text);
            assert!(failure.message.contains(message), "{text}: {}", failure.message);
            assert!(failure.hint.is_some() && failure.exit == 20);
        }
        check(&file, "roots = [1]", "not a path");
        check(&file, "folders = [\"a\"]", "unknown key `folders`");
        check(&file, "", "the list `roots` is missing");
        check(&file, "roots = [", "adjutant.workspace.toml");
        std::fs::write(&file, "roots = [\"../a\", \"b\"]").unwrap();
        let roots = read_workspace(&file).map_err(|failure| failure.message).unwrap();
        assert_eq!(roots, ["../a", "b"].map(|name| folder.path().join(name)));
    }

    #[test]
    fn a_repository_is_searched_once() {
        let repository =
            testkit::Repository::builder().file("src/a.py", "x = 1\n").commit("one").build();
        let other = testkit::Repository::builder().file("a.py", "x = 1\n").build();
        let tree = repository.path().with_file_name("tree");
        repository.git(&["worktree", "add", "--quiet", tree.to_str().unwrap(), "-b", "other"]);
        repository.git(&["clone", "--quiet", ".", "inner"]);
        let link = other.path().with_file_name("link");
        std::os::unix::fs::symlink(repository.path(), &link).unwrap();
        let plain = other.path().with_file_name("plain");
        std::fs::create_dir(&plain).unwrap();
        let top = repository.path().to_owned();
        #[track_caller]
        fn check(folders: &[&Path], message: &str) {
            let folders: Vec<PathBuf> = folders.iter().map(|folder| (*folder).to_owned()).collect();
            let failure = find(&folders).map(drop).expect_err(message);
            assert!(failure.message.contains(message), "{}", failure.message);
            assert!(failure.hint.is_some() && failure.exit == 20);
        }
        check(&[], "no repository was given");
        check(&[&top, &top], "are the same repository");
        check(&[&top, &top.join("src")], "are the same repository");
        check(&[&top, &link], "are the same repository");
        check(&[&top, &tree], "are worktrees of one repository");
        check(&[&top, &top.join("inner")], "is inside the other");
        check(&[&top.join("inner"), &top], "is inside the other");
        check(&[&top, &plain], "is not in a git repository");
        check(&[&top.join("missing"), &top], "missing");
    }
}
