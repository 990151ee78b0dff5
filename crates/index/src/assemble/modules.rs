//! Finds the files that an import refers to by comparing the import with the paths of files.
//!
//! Build files are not read. An import refers to the files whose paths end with the parts of the import. If several
//! files match, the ones closest to the importing file are used. If more than [`MAX_CANDIDATES`] files are equally
//! close, the import is not resolved.

use rustc_hash::FxHashMap;
use syntax::{Language, ModuleSystem};

use super::FileRow;

/// File names without extension that represent their folder as a module.
const FOLDER_MODULES: &[&str] = &["index", "__init__", "mod", "lib", "main"];
/// The maximum number of files that an import can resolve to. An import with more candidates is too ambiguous and is
/// not resolved.
const MAX_CANDIDATES: usize = 4;

/// The file of a module and the folder that contains its submodules.
pub(super) struct ModuleFiles<'a> {
    file: u32,
    below: &'a str,
}

/// The files to which an import refers.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundModule {
    /// The files. Empty if the module is outside the tree.
    pub(super) files: Vec<u32>,
    pub(super) confidence: f32,
    /// Whether the files are the module that the imported item names, and not the module that contains the item.
    pub(super) is_item: bool,
}

/// The source files of a tree, indexed by the names that imports can use.
pub(super) struct Modules<'a> {
    files: &'a [FileRow<'a>],
    systems: Vec<Option<ModuleSystem>>,
    /// Files by path without extension. A file that represents its folder is also listed under the folder's path.
    by_path: FxHashMap<&'a str, Vec<u32>>,
    /// Files by name without extension. A file that represents its folder is also listed under the folder's name.
    by_stem: FxHashMap<&'a str, Vec<u32>>,
    by_folder: FxHashMap<&'a str, Vec<u32>>,
}

impl<'a> Modules<'a> {
    pub(super) fn new(files: &'a [FileRow<'a>]) -> Self {
        let mut modules = Self {
            files,
            systems: files
                .iter()
                .map(|file| file.head.language.map(Language::module_system))
                .collect(),
            by_path: FxHashMap::default(),
            by_stem: FxHashMap::default(),
            by_folder: FxHashMap::default(),
        };
        for (number, file) in files.iter().enumerate() {
            let number = number as u32;
            if file.head.language.is_none() {
                continue;
            }
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", file.path));
            let stem = name.split('.').next().unwrap_or(name);
            let without_extension = &file.path[..file.path.len() - (name.len() - stem.len())];
            modules.by_path.entry(without_extension).or_default().push(number);
            modules.by_stem.entry(stem).or_default().push(number);
            modules.by_folder.entry(folder).or_default().push(number);
            if FOLDER_MODULES.contains(&stem) {
                modules.by_path.entry(folder).or_default().push(number);
                // `src/lib.rs` represents the crate, which is named after the folder above `src`.
                let named = folder.strip_suffix("/src").unwrap_or(folder);
                let folder_name = named.rsplit('/').next().unwrap_or(named);
                modules.by_stem.entry(folder_name).or_default().push(number);
            }
        }
        modules
    }

    /// Returns whether the language of `file` lets files in the same folder use each other's names without imports.
    pub(super) fn has_packages(&self, file: u32) -> bool {
        matches!(
            self.systems[file as usize],
            Some(
                ModuleSystem::Go
                    | ModuleSystem::Jvm
                    | ModuleSystem::DotNet
                    | ModuleSystem::Swift
                    | ModuleSystem::C
            )
        )
    }

    pub(super) fn has_same_modules(&self, one: u32, other: u32) -> bool {
        self.systems[one as usize] == self.systems[other as usize]
    }

    /// Returns up to [`MAX_CANDIDATES`] modules called `name`, or `None` if no file has this name. For languages other
    /// than Rust, the result is always `None`, because a path there cannot name a module that was not imported.
    pub(super) fn modules_named(&self, importer: u32, name: &str) -> Option<Vec<ModuleFiles<'a>>> {
        if self.systems[importer as usize] != Some(ModuleSystem::Rust) {
            return None;
        }
        let files = self.by_stem.get(name)?;
        let module = |file: &u32| {
            let path = self.files[*file as usize].path;
            let (folder, file_name) = path.rsplit_once('/').unwrap_or(("", path));
            let stem = file_name.split('.').next().unwrap_or(file_name);
            let below = if FOLDER_MODULES.contains(&stem) {
                folder
            } else {
                &path[..path.len() - (file_name.len() - stem.len())]
            };
            ModuleFiles { file: *file, below }
        };
        let near = |file: &&u32| self.has_same_modules(importer, **file);
        Some(files.iter().filter(near).take(MAX_CANDIDATES).map(module).collect())
    }

    pub(super) fn is_in(&self, file: u32, module: &ModuleFiles<'_>) -> bool {
        let below = || {
            let rest = self.files[file as usize].path.strip_prefix(module.below);
            !module.below.is_empty() && rest.is_some_and(|rest| rest.starts_with('/'))
        };
        file == module.file || below()
    }

    /// Returns the files that `importer` imports with `path` and `item`.
    pub(super) fn find(&self, importer: u32, path: &str, item: &str) -> FoundModule {
        let Some(system) = self.systems[importer as usize] else { return FoundModule::default() };
        if let Some((files, is_item)) = self.find_relative(importer, system, path, item) {
            return FoundModule { files, confidence: 0.95, is_item };
        }
        let parts: Vec<&str> = path
            .split(['/', '.', '\\', ':'])
            .filter(|part| {
                !part.is_empty() && !["crate", "self", "super", "@", "~", "src"].contains(part)
            })
            .collect();
        if system == ModuleSystem::Go {
            let files = self.find_folder(importer, &parts);
            return FoundModule { files, confidence: 0.9, is_item: false };
        }
        // The item may itself be a module.
        let with_item: Vec<&str> = parts.iter().copied().chain([item]).collect();
        if system == ModuleSystem::Python {
            if path.starts_with('.') {
                return FoundModule::default();
            }
            return [(&with_item, true), (&parts, false)]
                .into_iter()
                .find_map(|(wanted, is_item)| {
                    let files = self.find_package(importer, wanted);
                    let found = FoundModule { files, confidence: 0.95, is_item };
                    (!found.files.is_empty()).then_some(found)
                })
                .unwrap_or_default();
        }
        let is_extension = |part: &&str| {
            ["h", "hpp", "hh", "hxx", "js", "ts", "mjs", "rb", "php", "sh"].contains(part)
        };
        let parts: &[&str] = match parts.split_last() {
            Some((last, rest)) if path.contains('.') && is_extension(last) && !rest.is_empty() => {
                rest
            }
            _ => &parts,
        };
        // The path may end with the name of a type.
        let attempts = [with_item.as_slice(), parts, &parts[..parts.len().saturating_sub(1)]];
        for (attempt, wanted) in attempts.into_iter().enumerate() {
            let files = self.find_by_ending(importer, system, wanted);
            if !files.is_empty() {
                let confidence = if attempt < 2 { 0.85 } else { 0.6 };
                return FoundModule { files, confidence, is_item: attempt == 0 };
            }
        }
        FoundModule::default()
    }

    /// Finds a Python module by its absolute name. The folder that contains the first part must not be a package
    /// itself, because `import typing` does not refer to `app/typing.py`.
    fn find_package(&self, importer: u32, wanted: &[&str]) -> Vec<u32> {
        let Some(candidates) = wanted.last().and_then(|stem| self.by_stem.get(stem)) else {
            return Vec::new();
        };
        let joined = wanted.join("/");
        let importer_path = self.files[importer as usize].path;
        let root_of = |file: u32| {
            let path = self.files[file as usize].path;
            let stem = path.strip_suffix("/__init__.py").or_else(|| path.strip_suffix(".py"))?;
            let root = stem.strip_suffix(joined.as_str())?;
            let is_root = root.is_empty()
                || root.strip_suffix('/').is_some_and(|root| !self.is_package(root));
            is_root.then_some(root)
        };
        let mut scored: Vec<(usize, u32)> = candidates
            .iter()
            .filter(|file| **file != importer)
            .filter_map(|file| Some((shared_folders(root_of(*file)?, importer_path), *file)))
            .collect();
        scored.sort_unstable_by(|a, b| b.cmp(a));
        let best = scored.first().map_or(0, |(near, _)| *near);
        let found: Vec<u32> = scored
            .iter()
            .take_while(|(near, _)| *near == best)
            .map(|(_, file)| *file)
            .take(MAX_CANDIDATES + 1)
            .collect();
        if found.len() <= MAX_CANDIDATES { found } else { Vec::new() }
    }

    /// Returns whether a folder is a Python package.
    fn is_package(&self, folder: &str) -> bool {
        let files = self.by_folder.get(folder).map_or(&[][..], Vec::as_slice);
        files.iter().any(|file| self.files[*file as usize].path.ends_with("/__init__.py"))
    }

    pub(super) fn system(&self, file: u32) -> Option<ModuleSystem> {
        self.systems[file as usize]
    }

    pub(super) fn is_python(&self, file: u32) -> bool {
        self.systems[file as usize] == Some(ModuleSystem::Python)
    }

    pub(super) fn is_script(&self, file: u32) -> bool {
        self.systems[file as usize] == Some(ModuleSystem::Script)
    }

    /// Returns whether the sources of `file` contain bindings, from which types are derived.
    pub(super) fn has_types(&self, file: u32) -> bool {
        matches!(self.systems[file as usize], Some(ModuleSystem::Python | ModuleSystem::Script))
    }

    /// Returns the module `name` in the package whose `__init__` is `file`.
    pub(super) fn submodule(&self, file: u32, name: &str) -> Option<u32> {
        let folder = self.files[file as usize].path.strip_suffix("/__init__.py")?;
        self.by_path.get(format!("{folder}/{name}").as_str())?.first().copied()
    }

    /// Returns the files called `conftest.py` in the folders above `file`, nearest first.
    pub(super) fn conftests(&self, file: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut folder = folder_of(self.files[file as usize].path);
        loop {
            let stem = if folder.is_empty() {
                "conftest".to_owned()
            } else {
                format!("{folder}/conftest")
            };
            found.extend(self.by_path.get(stem.as_str()).into_iter().flatten());
            if folder.is_empty() {
                return found;
            }
            folder = folder_of(folder);
        }
    }

    fn find_relative(
        &self,
        importer: u32,
        system: ModuleSystem,
        path: &str,
        item: &str,
    ) -> Option<(Vec<u32>, bool)> {
        let folder = folder_of(self.files[importer as usize].path);
        let mut base: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        let joins_paths = matches!(
            system,
            ModuleSystem::Script
                | ModuleSystem::C
                | ModuleSystem::Ruby
                | ModuleSystem::Php
                | ModuleSystem::Shell
                | ModuleSystem::Dart
        );
        let rest = if system == ModuleSystem::Python && path.starts_with('.') {
            let dots = path.len() - path.trim_start_matches('.').len();
            base.truncate(base.len().saturating_sub(dots - 1));
            path.trim_start_matches('.')
        } else if system == ModuleSystem::Rust
            && (path.starts_with("super") || path.starts_with("self"))
        {
            // `super` of `a/b.rs` is `a`; `super` of `a/mod.rs` is the folder above `a`. The code does not distinguish
            // them and starts at the folder of the importing file.
            path.trim_start_matches("self").trim_start_matches("super").trim_start_matches("::")
        } else if system == ModuleSystem::C || (joins_paths && path.starts_with('.')) {
            path
        } else {
            return None;
        };
        let separators: &[char] =
            if matches!(system, ModuleSystem::Python) { &['.'] } else { &['/', ':'] };
        for part in rest.split(separators) {
            match part {
                "" | "." => {}
                ".." => {
                    base.pop();
                }
                name => base.push(name),
            }
        }
        let joined = base.join("/");
        let with_item = format!("{joined}/{item}");
        let without_extension = joined.rsplit_once('.').map_or(joined.as_str(), |(stem, _)| stem);
        [with_item.as_str(), joined.as_str(), without_extension].iter().find_map(|candidate| {
            let files = self.by_path.get(candidate)?;
            let found: Vec<u32> = files
                .iter()
                .copied()
                .filter(|file| self.systems[*file as usize] == Some(system) && *file != importer)
                .collect();
            let is_item = !item.is_empty() && *candidate == with_item;
            (!found.is_empty() && found.len() <= MAX_CANDIDATES).then_some((found, is_item))
        })
    }

    fn find_folder(&self, importer: u32, parts: &[&str]) -> Vec<u32> {
        for skip in 0..parts.len() {
            let ending = parts[skip..].join("/");
            if let Some(files) = self.by_folder.get(ending.as_str()) {
                return files
                    .iter()
                    .copied()
                    .filter(|file| *file != importer && self.has_same_modules(importer, *file))
                    .collect();
            }
        }
        Vec::new()
    }

    fn find_by_ending(&self, importer: u32, system: ModuleSystem, wanted: &[&str]) -> Vec<u32> {
        let Some((stem, folders)) = wanted.split_last() else { return Vec::new() };
        let Some(candidates) = self.by_stem.get(stem) else { return Vec::new() };
        let importer_path = self.files[importer as usize].path;
        let mut scored: Vec<(usize, usize, u32)> = candidates
            .iter()
            .filter(|file| self.systems[**file as usize] == Some(system) && **file != importer)
            .map(|file| {
                let path = self.files[*file as usize].path;
                (matching_folders(path, stem, folders), shared_folders(path, importer_path), *file)
            })
            .collect();
        scored.sort_unstable_by(|a, b| b.cmp(a));
        let Some(&(best, near, _)) = scored.first() else { return Vec::new() };
        // If only the last of several parts matches, the import most likely refers to another project.
        if best == 0 && !folders.is_empty() && system != ModuleSystem::Rust {
            return Vec::new();
        }
        let found: Vec<u32> = scored
            .iter()
            .take_while(|(score, shared, _)| (*score, *shared) == (best, near))
            .map(|(_, _, file)| *file)
            .collect();
        if found.len() <= MAX_CANDIDATES { found } else { Vec::new() }
    }
}

pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Counts how many of `folders`, compared from the end, match the folders of `path`.
fn matching_folders(path: &str, stem: &str, folders: &[&str]) -> usize {
    let mut parts: Vec<&str> = folder_of(path).split('/').filter(|part| *part != "src").collect();
    // A file that represents its folder was found by the folder's name, so that name is already matched.
    if parts.last() == Some(&stem)
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

/// Returns whether a folder called `part` can be what an import calls `folder`. A crate called `app_core` may be in a
/// folder `app-core` or `core`.
fn is_same_folder(part: &str, folder: &str) -> bool {
    part == folder
        || part.replace('-', "_") == folder
        || folder.strip_suffix(part).is_some_and(|prefix| prefix.ends_with('_') && part.len() > 2)
}

pub(super) fn shared_folders(one: &str, other: &str) -> usize {
    folder_of(one).split('/').zip(folder_of(other).split('/')).take_while(|(a, b)| a == b).count()
}
