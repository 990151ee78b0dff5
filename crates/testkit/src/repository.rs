//! Temporary directories with git history. git runs without the user's settings.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Launch;

#[cfg(test)]
mod tests;

/// The time of the first commit. Each further commit is one minute later, so that the commits have a defined order.
const FIRST_COMMIT_SECONDS: u64 = 1_760_000_000;

/// A temporary directory, usually with a git repository, that is deleted on drop.
pub struct Repository {
    _folder: TempDir,
    path: PathBuf,
}

/// Builds a [`Repository`] from files, directories and commits, in the order in which they were added.
#[derive(Default)]
pub struct RepositoryBuilder {
    steps: Vec<Step>,
    kind: Kind,
}

enum Step {
    File { path: PathBuf, content: Vec<u8> },
    Directory(PathBuf),
    Commit { message: String },
}

#[derive(Default, PartialEq, Eq)]
enum Kind {
    #[default]
    WorkTree,
    Bare,
    NoGit,
}

impl Repository {
    /// Returns a builder for a repository, which starts as an empty work tree without commits.
    pub fn builder() -> RepositoryBuilder {
        RepositoryBuilder::default()
    }

    /// Returns the canonical path, as the clients report it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn join(&self, path: impl AsRef<Path>) -> PathBuf {
        self.path.join(path)
    }

    /// Runs git and returns its output without the last line break.
    ///
    /// # Panics
    /// Panics if git fails.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) -> String {
        git(&self.path, arguments, FIRST_COMMIT_SECONDS)
    }
}

impl RepositoryBuilder {
    /// Writes a file and creates its parent directories.
    #[must_use]
    pub fn file(mut self, path: impl Into<PathBuf>, content: impl Into<Vec<u8>>) -> Self {
        self.steps.push(Step::File { path: path.into(), content: content.into() });
        self
    }

    #[must_use]
    pub fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.steps.push(Step::Directory(path.into()));
        self
    }

    /// Commits the current contents, even if nothing changed.
    #[must_use]
    pub fn commit(mut self, message: impl Into<String>) -> Self {
        self.steps.push(Step::Commit { message: message.into() });
        self
    }

    /// Builds a bare repository with this history and no files.
    #[must_use]
    pub fn bare(mut self) -> Self {
        self.kind = Kind::Bare;
        self
    }

    /// Builds plain files without git. Commits are ignored.
    #[must_use]
    pub fn without_git(mut self) -> Self {
        self.kind = Kind::NoGit;
        self
    }

    pub fn build(self) -> Repository {
        let folder = tempfile::tempdir().expect("a folder for the repository");
        let root = folder.path().canonicalize().expect("the folder exists");
        let work_tree = root.join("repository");
        fs::create_dir(&work_tree).expect("make the repository's folder");
        if self.kind != Kind::NoGit {
            git(&work_tree, &["init", "--quiet", "--initial-branch=main"], FIRST_COMMIT_SECONDS);
        }
        let mut time = FIRST_COMMIT_SECONDS;
        for step in &self.steps {
            match step {
                Step::File { path, content } => write_file(&work_tree.join(path), content),
                Step::Directory(path) => {
                    fs::create_dir_all(work_tree.join(path)).expect("make a directory");
                }
                Step::Commit { message } if self.kind != Kind::NoGit => {
                    git(&work_tree, &["add", "--all"], time);
                    git(
                        &work_tree,
                        &["commit", "--quiet", "--allow-empty", "--message", message],
                        time,
                    );
                    time += 60;
                }
                Step::Commit { .. } => {}
            }
        }
        let path = if self.kind == Kind::Bare {
            git(&root, &["clone", "--quiet", "--bare", "repository", "repository.git"], time);
            fs::remove_dir_all(&work_tree).expect("remove the work tree of a bare repository");
            root.join("repository.git")
        } else {
            work_tree
        };
        Repository { _folder: folder, path }
    }
}

fn write_file(path: &Path, content: &[u8]) {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).expect("make the file's directory");
    }
    fs::write(path, content).expect("write a file of the repository");
}

#[track_caller]
fn git(directory: &Path, arguments: &[&str], seconds: u64) -> String {
    let date = format!("{seconds} +0000");
    let finished = Launch::new("git", directory)
        .arguments(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "Test")
        .env("GIT_AUTHOR_EMAIL", "test@example.invalid")
        .env("GIT_AUTHOR_DATE", &date)
        .env("GIT_COMMITTER_NAME", "Test")
        .env("GIT_COMMITTER_EMAIL", "test@example.invalid")
        .env("GIT_COMMITTER_DATE", &date)
        .run()
        .expect_success();
    finished.stdout.trim_end_matches('\n').to_owned()
}
