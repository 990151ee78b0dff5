//! Finds and reads the files that a folder or a pattern matches. A link in the repository could lead out of it, so each
//! file is opened relative to the repository root and must be inside it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use guard::{PathRefusal, Root};

use super::Section;
use super::sources::{InstructionError, SourceReader, text_of};
use crate::patch::repository_around;

const MAX_FILES: usize = 10_000;
/// The maximum total size of the files that one folder or pattern matches, in bytes.
const MAX_TOTAL_BYTES: usize = 16 * 1024 * 1024;

impl SourceReader<'_> {
    /// Reads the Markdown files below a folder, sorted by path.
    pub(super) fn documents(&mut self, folder: &Path) -> Result<Vec<Section>, InstructionError> {
        let is_document = |path: &Path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            matches!(extension, Some("md" | "markdown"))
        };
        let found = self.matches(&folder.display().to_string(), folder, &is_document)?;
        if found.is_empty() {
            return Err(InstructionError::NoDocuments(folder.to_owned()));
        }
        Ok(found)
    }

    pub(super) fn matching(&mut self, pattern: &str) -> Result<Vec<Section>, InstructionError> {
        let wrong = |error: globset::Error| InstructionError::Pattern {
            named: pattern.to_owned(),
            reason: error.kind().to_string(),
        };
        let matcher: GlobMatcher = GlobBuilder::new(pattern)
            .literal_separator(true)
            .build()
            .map_err(wrong)?
            .compile_matcher();
        // Only the folder before the first wildcard is searched.
        let fixed: PathBuf = Path::new(pattern)
            .components()
            .take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{']))
            .collect();
        let is_wanted = |path: &Path| matcher.is_match(fixed.join(path));
        let found = self.matches(pattern, &fixed, &is_wanted)?;
        if found.is_empty() {
            return Err(InstructionError::Missing { named: pattern.to_owned() });
        }
        Ok(found)
    }

    /// Reads the matching files below a folder. Files that cannot be opened are added to `left_out`.
    fn matches(
        &mut self,
        named: &str,
        folder: &Path,
        is_wanted: &dyn Fn(&Path) -> bool,
    ) -> Result<Vec<Section>, InstructionError> {
        let (root, below) = self.searched(named, folder)?;
        let mut sections = Vec::new();
        let mut left_out = Vec::new();
        let mut total = 0;
        for path in files_below(&root.path().join(&below), is_wanted) {
            let shown = folder.join(&path);
            match root.open_file(&below.join(&path)) {
                Ok(file) => {
                    let text = text_of(file, &shown)?;
                    total += text.len();
                    if total > MAX_TOTAL_BYTES {
                        return Err(InstructionError::TooLarge(folder.to_owned()));
                    }
                    sections.push(Section::new("file", text).at(&shown));
                }
                Err(refusal) => left_out.push(format!("{} ({})", shown.display(), why(&refusal))),
            }
        }
        if sections.is_empty() && !left_out.is_empty() {
            return Err(InstructionError::AllLeftOut { named: named.to_owned(), left_out });
        }
        self.left_out.extend(left_out);
        Ok(sections)
    }

    /// Opens the directory relative to which the files in `folder` are read. This is the repository in which the run
    /// works or, if `folder` is outside that repository, `folder` itself. Only a user can name a folder outside. Also returns
    /// the path of the folder, relative to that directory.
    fn searched(&self, named: &str, folder: &Path) -> Result<(Root, PathBuf), InstructionError> {
        let missing = || InstructionError::Missing { named: named.to_owned() };
        let real = self.context.directory.join(folder).canonicalize().map_err(|_| missing())?;
        if !real.is_dir() {
            return Err(missing());
        }
        let repository = match &self.context.confined_to {
            Some(repository) => repository.clone(),
            None => repository_around(&self.context.directory),
        };
        let (root, below) = match real.strip_prefix(&repository) {
            Ok(below) => (repository.clone(), below.to_owned()),
            Err(_) if self.context.confined_to.is_none() => (real, PathBuf::new()),
            Err(_) => {
                return Err(InstructionError::Outside { path: folder.to_owned(), repository });
            }
        };
        let root = Root::open(&root).map_err(|_| missing())?;
        Ok((root, below))
    }
}

/// Reads a file that a model named. `place` is the absolute path, `path` is the path as the model wrote it.
pub(super) fn read_inside(
    repository: &Path,
    place: &Path,
    path: &Path,
) -> Result<String, InstructionError> {
    let outside =
        || InstructionError::Outside { path: path.to_owned(), repository: repository.to_owned() };
    let relative = place.strip_prefix(repository).map_err(|_| outside())?;
    let root = Root::open(repository).map_err(|_| outside())?;
    match root.open_file(relative) {
        Ok(file) => text_of(file, path),
        Err(PathRefusal::Escapes { .. }) => Err(outside()),
        Err(PathRefusal::Unreadable { source, .. }) => {
            let (kind, path) = (source.kind(), path.to_owned());
            Err(if kind == ErrorKind::InvalidInput {
                InstructionError::NotAFile(path)
            } else if kind == ErrorKind::NotFound {
                InstructionError::Missing { named: path.display().to_string() }
            } else {
                InstructionError::Unreadable { path, source }
            })
        }
    }
}

fn why(refusal: &PathRefusal) -> String {
    match refusal {
        PathRefusal::Escapes { .. } => "it leads out of the repository".to_owned(),
        PathRefusal::Unreadable { source, .. } if source.kind() == ErrorKind::InvalidInput => {
            "it is not a regular file".to_owned()
        }
        PathRefusal::Unreadable { source, .. } => source.to_string(),
    }
}

/// Returns the paths of the matching files below a folder, relative to the folder and sorted. Links to folders are not
/// followed.
fn files_below(folder: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![PathBuf::new()];
    while let Some(below) = pending.pop() {
        let Ok(entries) = fs::read_dir(folder.join(&below)) else { continue };
        for entry in entries.flatten() {
            let path = below.join(entry.file_name());
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && entry.file_name() != ".git" {
                pending.push(path);
            } else if !kind.is_dir() && is_wanted(&path) && found.len() < MAX_FILES {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
