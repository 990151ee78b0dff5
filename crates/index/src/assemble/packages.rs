//! Finds Python modules by their absolute names, and the packages of a workspace that scripts import by a name with a
//! scope, such as `@app/core/utils`.

use super::key_table::{KeyTable, hash_key};
use super::modules::{FOLDER_MODULES, MAX_CANDIDATES, Modules};
use super::paths::{FileTable, folder_of, shared_folders, stem_of};

/// The Python files of a tree, indexed by the absolute names under which they can be imported.
///
/// A file can be imported by its path relative to a folder that is not a package itself. For example, `import typing`
/// does not refer to `app/typing.py` if `app` is a package. Most files have one or two such names.
#[derive(Default)]
pub(super) struct Packages {
    by_name: KeyTable,
    /// The hashes of the folders that are packages, in ascending order.
    folders: Vec<u64>,
}

const INIT: &str = "/__init__.py";

impl Packages {
    pub(super) fn new(files: &FileTable<'_>) -> Self {
        let paths = || files.paths.iter().filter(|(file, _)| files.language(*file).is_some());
        let mut folders: Vec<u64> =
            paths().filter_map(|(_, path)| path.strip_suffix(INIT)).map(hash_key).collect();
        folders.sort_unstable();
        let mut packages = Self { by_name: KeyTable::default(), folders };
        for (file, path) in paths() {
            let Some(module) = module_path(path) else { continue };
            let starts = module.match_indices('/').map(|(at, _)| at + 1).chain([0]);
            for start in starts {
                if packages.is_root(&module[..start]) {
                    packages.by_name.push(&module[start..], file);
                }
            }
        }
        packages.by_name.sort();
        packages
    }

    /// Returns whether absolute names can be relative to the folder `root`, that is, whether `root` is not a package.
    /// `root` must be empty or end with a slash.
    fn is_root(&self, root: &str) -> bool {
        let is_package = |folder: &str| self.folders.binary_search(&hash_key(folder)).is_ok();
        root.strip_suffix('/').is_none_or(|folder| !is_package(folder))
    }

    /// Returns the files that `importer` can import by the absolute name `name`. If there are several, returns only the
    /// nearest ones. The parts of `name` are separated by slashes.
    pub(super) fn find(&self, files: &FileTable<'_>, importer: u32, name: &str) -> Vec<u32> {
        let importer_path = files.path(importer);
        let near = |file: u32| {
            let root = module_path(files.path(file))?.strip_suffix(name)?;
            let is_other = file != importer && (root.is_empty() || root.ends_with('/'));
            (is_other && self.is_root(root)).then(|| shared_folders(root, importer_path))
        };
        let candidates: Vec<u32> = self.by_name.get(name).collect();
        // Candidates are sorted by path, so those in the importing file's top-level folder are consecutive. All others
        // are farther away.
        let first_folder = importer_path.find('/').map(|end| &importer_path[..=end]);
        let inside = match first_folder {
            Some(folder) => {
                let start = candidates.partition_point(|file| files.path(*file) < folder);
                let rest = &candidates[start..];
                &rest[..rest.partition_point(|file| files.path(*file).starts_with(folder))]
            }
            None => &candidates[..],
        };
        let scored = |some: &[u32]| -> Vec<(usize, u32)> {
            some.iter().filter_map(|file| Some((near(*file)?, *file))).collect()
        };
        let mut found = scored(inside);
        if found.iter().all(|(near, _)| *near == 0) {
            found = scored(&candidates);
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        let best = found.first().map_or(0, |(near, _)| *near);
        found.into_iter().take_while(|(near, _)| *near == best).map(|(_, file)| file).collect()
    }
}

/// Returns a Python file's path without its extension, or the package's path if the file is an `__init__.py`. Returns
/// `None` for other files.
fn module_path(path: &str) -> Option<&str> {
    path.strip_suffix(INIT).or_else(|| path.strip_suffix(".py"))
}

impl Modules<'_> {
    /// Returns the files of a package in the tree, or of a module in it. A folder with the name of the package is the
    /// package if it has a `package.json`. The scope is not compared, because it is only in that file.
    pub(super) fn find_scoped(&self, importer: u32, path: &str) -> Option<Vec<u32>> {
        let (_, rest) = path.strip_prefix('@')?.split_once('/')?;
        let (name, module) = rest.split_once('/').unwrap_or((rest, ""));
        let module = module.split('.').next().unwrap_or(module);
        let mut found = Vec::new();
        for index in self.with_stem(name) {
            let entry = folder_of(self.files.path(index));
            let package = entry.strip_suffix("/src").unwrap_or(entry);
            let is_package = FOLDER_MODULES.contains(&stem_of(self.files.path(index)))
                && self.files.paths.find(&format!("{package}/package.json")).is_some();
            if !is_package || !self.has_same_modules(importer, index) {
                continue;
            }
            if module.is_empty() {
                found.push(index);
                continue;
            }
            let inside = [format!("{package}/{module}"), format!("{package}/src/{module}")];
            found.extend(inside.iter().flat_map(|path| self.with_path(path)));
        }
        found.retain(|file| *file != importer);
        found.sort_unstable();
        found.dedup();
        (!found.is_empty() && found.len() <= MAX_CANDIDATES).then_some(found)
    }
}
