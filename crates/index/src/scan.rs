//! The tree as `stat` sees it: which files there are, how large, when changed.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Instant, UNIX_EPOCH};

use crate::assemble::FileStamp;
use crate::walk::{WalkBounds, WalkEnd, Walked, walk_files};

/// A file of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScannedFile {
    pub(crate) path: String,
    pub(crate) stamp: FileStamp,
}

/// What a scan found.
pub(crate) struct Scan {
    /// Sorted by path.
    pub(crate) files: Vec<ScannedFile>,
    /// Folders that hold them, with when their entries last changed.
    pub(crate) directories: Vec<(String, i64)>,
    pub(crate) unreadable_names: u32,
    /// Ignore files that were not applied, or not in full.
    pub(crate) n_refused_ignore_files: u32,
    pub(crate) end: WalkEnd,
}

/// Walks the tree under `root`.
pub(crate) fn scan(
    root: &Path,
    deadline: Instant,
    max_files: usize,
    admits: fn(&Path) -> bool,
) -> Scan {
    let found = Mutex::new((Vec::new(), 0_u32));
    let bounds = WalkBounds { deadline, max_files };
    let Walked { end, n_refused_ignore_files } = walk_files(root, bounds, || {
        |relative: &Path| {
            if !admits(relative) {
                return;
            }
            let stamp = fs::symlink_metadata(root.join(relative))
                .ok()
                .filter(Metadata::is_file)
                .map(|it| stamp_of(&it));
            let Ok(mut found) = found.lock() else { return };
            match (stamp, to_slashes(relative)) {
                (Some(stamp), Some(path)) => found.0.push(ScannedFile { path, stamp }),
                (Some(_), None) => found.1 += 1,
                // It vanished between the walk and the look.
                (None, _) => {}
            }
        }
    });
    let (mut files, unreadable_names) = found.into_inner().unwrap_or_default();
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    let directories = directories_of(root, &files);
    Scan { files, directories, unreadable_names, n_refused_ignore_files, end }
}

/// The path with `/`, if it is UTF-8.
pub(crate) fn to_slashes(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    Some(if std::path::MAIN_SEPARATOR == '/' {
        text.to_owned()
    } else {
        text.replace(std::path::MAIN_SEPARATOR, "/")
    })
}

/// What `stat` says of a file.
pub(crate) fn stamp_of(metadata: &Metadata) -> FileStamp {
    FileStamp { modified: modified_nanos(metadata), size: metadata.len() }
}

/// Nanoseconds since 1970, negative before.
pub(crate) fn modified_nanos(metadata: &Metadata) -> i64 {
    let Ok(modified) = metadata.modified() else { return 0 };
    match modified.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |nanos| -nanos),
    }
}

/// All folders above the files, the root as the empty path.
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
