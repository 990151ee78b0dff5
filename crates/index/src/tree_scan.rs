//! Lists the files of a tree with their sizes and modification times.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use crate::assemble::FileStamp;
use crate::build::BuildOptions;
use crate::walk::{DotIgnore, WalkBounds, WalkEnd, Walked, walk_files};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScannedFile {
    pub(crate) path: String,
    pub(crate) stamp: FileStamp,
}

/// The result of a scan.
pub(crate) struct Scan {
    /// The files, sorted by path.
    pub(crate) files: Vec<ScannedFile>,
    /// The root and all directories that contain files, with their modification times in nanoseconds since the Unix
    /// epoch.
    pub(crate) directories: Vec<(String, i64)>,
    /// The number of files that were left out because their paths are not valid UTF-8.
    pub(crate) unreadable_names: u32,
    /// The number of ignore files that were not applied completely.
    pub(crate) n_refused_ignore_files: u32,
    pub(crate) end: WalkEnd,
}

pub(crate) fn scan(root: &Path, deadline: Instant, options: &BuildOptions) -> Scan {
    let found = Mutex::new((Vec::new(), 0_u32));
    let bounds = WalkBounds { deadline, max_files: options.max_files };
    let Walked { end, n_refused_ignore_files } = walk_files(root, bounds, || {
        |relative: &Path| {
            if !(options.access.admits)(relative) {
                return;
            }
            let stamp = fs::symlink_metadata(root.join(relative))
                .ok()
                .filter(Metadata::is_file)
                .map(|it| stamp_of(&it));
            let Ok(mut found) = found.lock() else { return };
            match (stamp, relative.to_str()) {
                (Some(stamp), Some(path)) => {
                    found.0.push(ScannedFile { path: path.to_owned(), stamp });
                }
                (Some(_), None) => found.1 += 1,
                // The file was deleted after the walk listed it.
                (None, _) => {}
            }
        }
    });
    let (mut files, unreadable_names) = found.into_inner().unwrap_or_default();
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    let directories = directories_of(root, &files);
    Scan { files, directories, unreadable_names, n_refused_ignore_files, end }
}

impl Scan {
    /// Adds those of the tracked files at `paths` that the walk left out. The paths are relative to `root`. Files that do
    /// not exist, that a `.ignore` file matches or that the options refuse are skipped. Other ignore files do not apply,
    /// because git keeps tracking a file that they match.
    pub(crate) fn add_tracked<'p>(
        &mut self,
        root: &Path,
        paths: impl Iterator<Item = &'p str>,
        options: &BuildOptions,
    ) {
        let is_known =
            |path: &str| self.files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok();
        let n_free = options.max_files.saturating_sub(self.files.len());
        let (mut absent, ignored) = (AbsentFolder::default(), DotIgnore::new(root));
        let added = paths
            .filter(|path| !is_known(path) && (options.access.admits)(Path::new(path)))
            .filter_map(|path| {
                let metadata = absent.metadata(root, path).filter(Metadata::is_file)?;
                let is_ignored = ignored.leaves_out(Path::new(path));
                (!is_ignored)
                    .then(|| ScannedFile { path: path.to_owned(), stamp: stamp_of(&metadata) })
            });
        let added: Vec<ScannedFile> = added.take(n_free).collect();
        if !added.is_empty() {
            self.files.extend(added);
            self.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
            // A file with a merge conflict is listed several times.
            self.files.dedup_by(|a, b| a.path == b.path);
            self.directories = directories_of(root, &self.files);
        }
    }
}

/// The last folder that was found to be missing. In a sparse checkout, most tracked files and their folders are missing.
/// git lists the files of a folder one after another, so the system is not asked for each of them.
#[derive(Default)]
struct AbsentFolder(Option<String>);

impl AbsentFolder {
    /// Returns the metadata of the file at `path`, or `None` if it cannot be read.
    fn metadata(&mut self, root: &Path, path: &str) -> Option<Metadata> {
        let is_below = |folder: &String| {
            path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        if self.0.as_ref().is_some_and(is_below) {
            return None;
        }
        let found = fs::symlink_metadata(root.join(path)).ok();
        if found.is_none() {
            let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
            let mut missing = folders.filter(|folder| !root.join(folder).is_dir());
            self.0 = missing.next().map(str::to_owned);
        }
        found
    }
}

pub(crate) fn stamp_of(metadata: &Metadata) -> FileStamp {
    FileStamp { modified: modified_nanos(metadata), size: metadata.len() }
}

/// Returns the modification time in nanoseconds since the Unix epoch. The value is negative for a time before the
/// epoch.
pub(crate) fn modified_nanos(metadata: &Metadata) -> i64 {
    metadata.mtime().saturating_mul(1_000_000_000).saturating_add(metadata.mtime_nsec())
}

/// Returns the root and all directories that contain `files`, with their modification times. The root's path is
/// empty.
fn directories_of(root: &Path, files: &[ScannedFile]) -> Vec<(String, i64)> {
    let mut paths: BTreeSet<&str> = BTreeSet::from([""]);
    for file in files {
        let mut path = file.path.as_str();
        while let Some((folder, _)) = path.rsplit_once('/') {
            if !paths.insert(folder) {
                break;
            }
            path = folder;
        }
    }
    let with_time = |path: &str| {
        let modified =
            fs::symlink_metadata(root.join(path)).map_or(0, |metadata| modified_nanos(&metadata));
        (path.to_owned(), modified)
    };
    paths.into_iter().map(with_time).collect()
}
