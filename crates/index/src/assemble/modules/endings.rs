//! Finds the files whose paths end with the parts of an import.

use std::mem::{Discriminant, discriminant};
use std::sync::Mutex;

use rustc_hash::FxHashMap;
use syntax::ModuleSystem;

use super::super::paths::{folder_of, nearest};
use super::{MAX_CANDIDATES, Modules, is_module_name};

/// A cache of the best matches for imports. A key consists of the module system and the parts of an import.
pub(super) type KnownEndings = Mutex<FxHashMap<(Discriminant<ModuleSystem>, String), BestEndings>>;

/// The files whose paths match the most parts of an import.
#[derive(Clone, Default)]
pub(super) struct BestEndings {
    n_matching: usize,
    files: Vec<u32>,
}

/// The maximum number of entries in [`Modules::endings`].
const MAX_ENDINGS: usize = 20_000;

impl Modules<'_> {
    pub(super) fn find_by_ending(
        &self,
        importer: u32,
        system: ModuleSystem,
        wanted: &[&str],
    ) -> Vec<u32> {
        let Some((stem, folders)) = wanted.split_last() else { return Vec::new() };
        let mut best = self.best_endings(system, stem, folders);
        if best.files.iter().all(|file| *file == importer) {
            let others = self.with_stem(stem).filter(|file| *file != importer);
            best = self.best_of(others, system, stem, folders);
        }
        // If only the last of several parts matches, the import most likely refers to another project.
        if best.n_matching == 0 && !folders.is_empty() && system != ModuleSystem::Rust {
            return Vec::new();
        }
        let importer_path = self.files.path(importer);
        let is_other = |file: u32| file != importer;
        let mut found =
            nearest(self.files.paths, &best.files, importer_path, MAX_CANDIDATES + 1, is_other);
        found.sort_unstable_by(|a, b| b.cmp(a));
        if found.len() <= MAX_CANDIDATES { found } else { Vec::new() }
    }

    /// Returns the files that match the most parts of an import. The result does not depend on the importing file, so
    /// it is cached.
    fn best_endings(&self, system: ModuleSystem, stem: &str, folders: &[&str]) -> BestEndings {
        let key = (discriminant(&system), format!("{}/{stem}", folders.join("/")));
        if let Some(known) = self.endings.lock().ok().and_then(|known| known.get(&key).cloned()) {
            return known;
        }
        let best = self.best_of(self.with_stem(stem), system, stem, folders);
        if let Ok(mut known) = self.endings.lock() {
            if known.len() >= MAX_ENDINGS {
                known.clear();
            }
            known.insert(key, best.clone());
        }
        best
    }

    fn best_of(
        &self,
        candidates: impl Iterator<Item = u32>,
        system: ModuleSystem,
        stem: &str,
        folders: &[&str],
    ) -> BestEndings {
        let mut best = BestEndings::default();
        for file in candidates.filter(|file| self.system(*file) == Some(system)) {
            let n_matching = matching_folders(self.files.path(file), stem, folders);
            if n_matching > best.n_matching {
                best = BestEndings { n_matching, files: Vec::new() };
            }
            if n_matching == best.n_matching {
                best.files.push(file);
            }
        }
        best
    }
}

/// Counts how many of `folders`, starting with the last one, match the folders of `path`, starting with the innermost
/// one.
fn matching_folders(path: &str, stem: &str, folders: &[&str]) -> usize {
    let mut parts: Vec<&str> = folder_of(path).split('/').filter(|part| *part != "src").collect();
    // A file such as `mod.rs` was found by the name of its folder, so this folder has already been matched.
    if parts.last().is_some_and(|last| is_module_name(last, stem))
        && !path.rsplit('/').next().is_some_and(|name| name.starts_with(stem))
    {
        parts.pop();
    }
    parts
        .iter()
        .rev()
        .zip(folders.iter().rev())
        .take_while(|(part, folder)| is_same_folder(part, folder))
        .count()
}

/// Returns whether an import that names `folder` can refer to a folder called `part`. A crate called `app_core` may be
/// in a folder `app-core` or `core`.
fn is_same_folder(part: &str, folder: &str) -> bool {
    is_module_name(part, folder)
        || folder.strip_suffix(part).is_some_and(|prefix| prefix.ends_with('_') && part.len() > 2)
}
