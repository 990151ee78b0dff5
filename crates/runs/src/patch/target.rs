//! Resolves and writes the file that `--patch-output` names.
//!
//! A file in the repository is opened relative to the repository root, and links in the repository are not followed. A
//! file in a git directory is refused. An existing file that is not a patch is refused too.

use std::path::{Component, Path, PathBuf};

use guard::{Root, WriteRefusal};

use super::unified;

#[derive(Debug, thiserror::Error)]
#[error("the patch cannot be written to `{}`: {reason}", path.display())]
pub struct BadPatchTarget {
    pub path: PathBuf,
    pub reason: String,
}

/// The file to which a patch is written, as a path relative to an opened directory.
pub(crate) struct PatchTarget {
    path: PathBuf,
    root: Root,
    relative: PathBuf,
}

impl PatchTarget {
    /// Resolves the target. `path` must be absolute. `repository` is the canonical path of the repository in which
    /// codex works.
    pub(crate) fn resolve(path: &Path, repository: &Path) -> Result<Self, BadPatchTarget> {
        let bad = |reason: String| BadPatchTarget { path: path.to_owned(), reason };
        let plain = without_dots(path);
        let name =
            plain.file_name().ok_or_else(|| bad("the path does not name a file".to_owned()))?;
        let parent = plain.parent().unwrap_or_else(|| Path::new("/"));
        let (root, relative) = match beneath(parent, repository) {
            Some(inside) => (repository.to_owned(), inside.join(name)),
            // Outside the repository, directories and links are under the user's control.
            None => (parent.to_owned(), PathBuf::from(name)),
        };
        let root = Root::open(&root).map_err(|error| bad(error.to_string()))?;
        Ok(Self { path: path.to_owned(), root, relative })
    }

    /// Checks that a patch can be written to this target.
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

/// Removes `.` and `..` without resolving links.
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

/// If `path` leads into the repository, returns the part of it that is inside, otherwise `None`. For example, if
/// `/link` is a link to the repository, returns `out/a.diff` for `/link/out/a.diff`. Links inside the repository are
/// not resolved.
fn beneath(path: &Path, repository: &Path) -> Option<PathBuf> {
    let mut ancestors: Vec<&Path> = path.ancestors().collect();
    ancestors.reverse();
    ancestors.into_iter().find_map(|ancestor| {
        let real = ancestor.canonicalize().ok()?;
        let inside = real.strip_prefix(repository).ok()?;
        Some(inside.join(path.strip_prefix(ancestor).ok()?))
    })
}
