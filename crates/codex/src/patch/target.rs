//! Where a person wants the patch of a run to be written.
//!
//! The file is opened through its parent directory, beneath the repository if it is in there: never through a link of the
//! repository, never inside a git directory, and never over an existing file that is not a patch itself.

use std::path::{Component, Path, PathBuf};

use guard::{Root, WriteRefusal};

use super::unified;

#[derive(Debug, thiserror::Error)]
#[error("the patch cannot be written to `{}`: {reason}", path.display())]
pub struct BadPatchTarget {
    pub path: PathBuf,
    pub reason: String,
}

/// A place for a patch, opened by its directory.
pub(crate) struct PatchTarget {
    path: PathBuf,
    root: Root,
    relative: PathBuf,
}

impl PatchTarget {
    /// `path` is absolute. `repository` is the real path of the repository in which codex works.
    pub(crate) fn resolve(path: &Path, repository: &Path) -> Result<Self, BadPatchTarget> {
        let bad = |reason: String| BadPatchTarget { path: path.to_owned(), reason };
        let plain = without_dots(path);
        let name = plain.file_name().ok_or_else(|| bad("it does not name a file".to_owned()))?;
        let parent = plain.parent().unwrap_or_else(|| Path::new("/"));
        let (root, relative) = match beneath(parent, repository) {
            Some(inside) => (repository.to_owned(), inside.join(name)),
            // Outside the repository, the directories on the way are the person's own, links included.
            None => (parent.to_owned(), PathBuf::from(name)),
        };
        let root = Root::open(&root).map_err(|error| bad(error.to_string()))?;
        Ok(Self { path: path.to_owned(), root, relative })
    }

    /// Whether a patch could be written now.
    pub(crate) fn check(&self) -> Result<(), BadPatchTarget> {
        self.root.check_target(&self.relative, &is_patch).map_err(|refusal| self.bad(&refusal))
    }

    pub(crate) fn write(&self, patch: &str) -> Result<(), BadPatchTarget> {
        let written = self.root.write_file(&self.relative, patch.as_bytes(), &is_patch);
        written.map_err(|refusal| self.bad(&refusal))
    }

    fn bad(&self, refusal: &WriteRefusal) -> BadPatchTarget {
        BadPatchTarget { path: self.path.clone(), reason: refusal.to_string() }
    }
}

fn is_patch(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| unified::check(text).is_ok())
}

/// `.` and `..` taken away by name. Links are dealt with where directories are opened.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}

/// The part of a path below the repository, from where it first enters it: links before that place are the person's,
/// links after it are the repository's and stay in the result.
fn beneath(path: &Path, repository: &Path) -> Option<PathBuf> {
    let mut ancestors: Vec<&Path> = path.ancestors().collect();
    ancestors.reverse();
    ancestors.into_iter().find_map(|ancestor| {
        let real = ancestor.canonicalize().ok()?;
        let inside = real.strip_prefix(repository).ok()?;
        Some(inside.join(path.strip_prefix(ancestor).ok()?))
    })
}
