//! Files that tools generate. They are not committed, even if no ignore rule of git names them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use process::Git;

use super::run_git;

/// Folders of interpreters, package managers and editors.
const FOLDERS: [&str; 9] = [
    "__pycache__",
    "node_modules",
    ".venv",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".gradle",
    ".idea",
    ".ipynb_checkpoints",
];
/// Folders of build tools. A folder with this name is generated only if the build file is next to it.
const BUILD_FOLDERS: [(&str, &str); 2] = [("target", "Cargo.toml"), ("target", "pom.xml")];
const NAMES: [&str; 2] = [".DS_Store", "Thumbs.db"];
const SUFFIXES: [&str; 4] = [".pyc", ".swp", ".swo", "~"];
const MAX_NAMED: usize = 3;

/// Recognises the files of a work tree that tools generate. A folder with a tracked file is not generated.
#[derive(Clone, Debug)]
pub struct GeneratedFiles {
    top: PathBuf,
    /// The folders with tracked files, as far as they have the name of a generated folder or are in such a folder.
    tracked: BTreeSet<PathBuf>,
}

impl GeneratedFiles {
    /// Asks git for the tracked files of the work tree `top`, in which `git` runs.
    pub fn of(git: &Git, top: &Path) -> Result<Self, String> {
        git.check_git_directory().map_err(|problem| problem.to_string())?;
        let names = FOLDERS.into_iter().chain(BUILD_FOLDERS.map(|(folder, _)| folder));
        let patterns: Vec<String> = names.map(|name| format!(":(glob)**/{name}/**")).collect();
        let mut words = vec!["ls-files", "-z", "--"];
        words.extend(patterns.iter().map(String::as_str));
        let listed = run_git(git, &words, b"")?;
        let mut tracked = BTreeSet::new();
        for path in listed.split(|byte| *byte == 0) {
            let folders = Path::new(OsStr::from_bytes(path)).ancestors().skip(1);
            tracked.extend(folders.map(Path::to_owned));
        }
        Ok(Self { top: top.to_owned(), tracked })
    }

    /// Returns the generated file or folder that is, or contains, an untracked path. Returns `None` if the path is not
    /// generated.
    #[must_use]
    pub fn place(&self, path: &[u8]) -> Option<PathBuf> {
        let path = Path::new(OsStr::from_bytes(path));
        let mut parent = PathBuf::new();
        for component in path.components() {
            let Component::Normal(name) = component else { continue };
            let found = parent.join(name);
            let is_build_folder = |(folder, file): &(&str, &str)| {
                name == *folder && self.top.join(&parent).join(file).is_file()
            };
            let is_generated = FOLDERS.iter().any(|folder| name == *folder)
                || BUILD_FOLDERS.iter().any(is_build_folder);
            if is_generated && !self.tracked.contains(&found) {
                return Some(found);
            }
            parent = found;
        }
        let name = path.file_name()?.as_bytes();
        let is_generated = NAMES.iter().any(|known| name == known.as_bytes())
            || SUFFIXES.iter().any(|suffix| name.ends_with(suffix.as_bytes()));
        is_generated.then(|| path.to_owned())
    }
}

/// Counts the files that are not committed, and names the first of them.
pub(super) fn describe(left_out: &[PathBuf]) -> Option<String> {
    let places: BTreeSet<&PathBuf> = left_out.iter().collect();
    if places.is_empty() {
        return None;
    }
    let named: Vec<String> =
        places.iter().take(MAX_NAMED).map(|place| format!("`{}`", place.display())).collect();
    let more = match places.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let files = if left_out.len() == 1 { "file" } else { "files" };
    Some(format!("{} generated {files} not committed: {}{more}", left_out.len(), named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_recognised_by_their_folder_or_name() {
        let top = tempfile::tempdir().unwrap();
        std::fs::write(top.path().join("Cargo.toml"), "").unwrap();
        let files = GeneratedFiles { top: top.path().to_owned(), tracked: BTreeSet::new() };
        for (path, place) in [
            ("a/__pycache__/m.pyc", Some("a/__pycache__")),
            ("node_modules/x/y.js", Some("node_modules")),
            ("target/debug/x", Some("target")),
            ("a/.main.rs.swp", Some("a/.main.rs.swp")),
            ("notes.txt~", Some("notes.txt~")),
            ("src/target/mod.rs", None),
            ("src/main.rs", None),
            ("pycache.py", None),
        ] {
            let found = files.place(path.as_bytes());
            assert_eq!(found.as_deref(), place.map(Path::new), "{path}");
        }
    }

    #[test]
    fn new_files_in_a_folder_with_tracked_files_are_not_left_out() {
        let repository = testkit::Repository::builder()
            .file("a/node_modules/x/y.js", "1")
            .file(".idea/project.xml", "1")
            .commit("first")
            .build();
        let environment = process::Environment::new(std::env::vars_os());
        let git = Git::new(&environment, repository.path());
        let files = GeneratedFiles::of(&git, repository.path()).unwrap();
        for (path, place) in [
            ("a/node_modules/z.js", None),
            (".idea/more/other.xml", None),
            ("node_modules/z.js", Some("node_modules")),
            ("a/node_modules/x/__pycache__/m.pyc", Some("a/node_modules/x/__pycache__")),
        ] {
            assert_eq!(files.place(path.as_bytes()).as_deref(), place.map(Path::new), "{path}");
        }
    }

    #[test]
    fn the_summary_names_three_places() {
        let places: Vec<PathBuf> = ["a", "b", "b", "c", "d", "e"].map(PathBuf::from).to_vec();
        let line = describe(&places).unwrap();
        assert_eq!(line, "6 generated files not committed: `a`, `b`, `c` and 2 more");
        assert_eq!(describe(&[]), None);
    }
}
