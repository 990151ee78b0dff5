//! Finds the files that an import refers to by comparing the import with file paths.
//!
//! Build files are not read. An import refers to the files whose paths end with the parts of the import. If several
//! files match, the ones closest to the importing file are used. If more than [`MAX_CANDIDATES`] files are equally
//! close, the import is not resolved.

mod endings;

use syntax::{Language, ModuleSystem};

use super::key_table::KeyTable;
use super::packages::Packages;
use super::paths::{FileTable, folder_of, name_of, stem_of};
use endings::KnownEndings;

/// The names, without extension, of files that represent their folder as a module.
pub(super) const FOLDER_MODULES: &[&str] = &["index", "__init__", "mod", "lib", "main"];
/// The maximum number of files that an import can resolve to. An import with more candidates is too ambiguous and is
/// not resolved. The limit does not apply to Go, where an import refers to all files of a folder.
pub(super) const MAX_CANDIDATES: usize = 4;

/// The file of a module and the folder that contains its submodules.
pub(super) struct ModuleFiles<'a> {
    file: u32,
    below: &'a str,
}

/// The files to which an import refers.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundModule {
    /// The files of the module. Empty if the module is outside the tree.
    pub(super) files: Vec<u32>,
    pub(super) confidence: f32,
    /// Whether the imported item is itself a module, so that `files` are its files. If false, `files` belong to the
    /// module that contains the item.
    pub(super) is_item: bool,
}

/// The source files of a tree, indexed by the names that imports can use.
pub(super) struct Modules<'a> {
    pub(super) files: &'a FileTable<'a>,
    /// Files by path without extension. A file whose name is in [`FOLDER_MODULES`], such as `mod.rs`, is also listed
    /// under its folder's path.
    by_path: KeyTable,
    /// Files by name without extension. A file whose name is in [`FOLDER_MODULES`] is also listed under its folder's
    /// name, and under this name with underscores instead of hyphens.
    by_stem: KeyTable,
    by_folder: KeyTable,
    packages: Packages,
    /// A cache that maps an import to the files whose paths match the most parts of it.
    endings: KnownEndings,
}

impl<'a> Modules<'a> {
    pub(super) fn new(files: &'a FileTable<'a>) -> Self {
        let (mut by_path, mut by_stem, mut by_folder) =
            (KeyTable::default(), KeyTable::default(), KeyTable::default());
        for (number, path) in files.paths.iter() {
            if files.language(number).is_none() {
                continue;
            }
            let (folder, stem) = (folder_of(path), stem_of(path));
            by_path.push(without_extension(path), number);
            by_stem.push(stem, number);
            by_folder.push(folder, number);
            if FOLDER_MODULES.contains(&stem) {
                by_path.push(folder, number);
                let module = module_of_folder(folder);
                by_stem.push(module, number);
                if module.contains('-') {
                    by_stem.push(module.replace('-', "_"), number);
                }
            }
        }
        for table in [&mut by_path, &mut by_stem, &mut by_folder] {
            table.sort();
        }
        let packages = Packages::new(files);
        Self { files, by_path, by_stem, by_folder, packages, endings: KnownEndings::default() }
    }

    pub(super) fn n_files(&self) -> u32 {
        self.files.len() as u32
    }

    pub(super) fn system(&self, file: u32) -> Option<ModuleSystem> {
        self.files.language(file).map(Language::module_system)
    }

    pub(super) fn with_path(&self, key: &str) -> impl Iterator<Item = u32> {
        self.by_path.get(key).filter(move |file| {
            let path = self.files.path(*file);
            without_extension(path) == key
                || (FOLDER_MODULES.contains(&stem_of(path)) && folder_of(path) == key)
        })
    }

    pub(super) fn with_stem(&self, key: &str) -> impl Iterator<Item = u32> {
        self.by_stem.get(key).filter(move |file| {
            let path = self.files.path(*file);
            let stem = stem_of(path);
            stem == key
                || (FOLDER_MODULES.contains(&stem)
                    && is_module_name(module_of_folder(folder_of(path)), key))
        })
    }

    fn in_folder(&self, folder: &str) -> impl Iterator<Item = u32> {
        self.by_folder.get(folder).filter(move |file| folder_of(self.files.path(*file)) == folder)
    }

    /// Returns whether the language of `file` lets files in the same folder use each other's names without imports.
    pub(super) fn has_packages(&self, file: u32) -> bool {
        matches!(
            self.system(file),
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
        self.system(one) == self.system(other)
    }

    /// Returns up to [`MAX_CANDIDATES`] modules called `name`, or `None` if no file has this name. Always returns
    /// `None` if `importer` is not a Rust file, because only Rust paths can name a module that has not been imported.
    pub(super) fn modules_named(&self, importer: u32, name: &str) -> Option<Vec<ModuleFiles<'a>>> {
        if self.system(importer) != Some(ModuleSystem::Rust) {
            return None;
        }
        let mut files = self.with_stem(name).peekable();
        files.peek()?;
        let module = |file: u32| {
            let path = self.files.path(file);
            let is_folder = FOLDER_MODULES.contains(&stem_of(path));
            let below = if is_folder { folder_of(path) } else { without_extension(path) };
            ModuleFiles { file, below }
        };
        let near = |file: &u32| self.has_same_modules(importer, *file);
        Some(files.filter(near).take(MAX_CANDIDATES).map(module).collect())
    }

    pub(super) fn is_in(&self, file: u32, module: &ModuleFiles<'_>) -> bool {
        let below = || {
            let rest = self.files.path(file).strip_prefix(module.below);
            !module.below.is_empty() && rest.is_some_and(|rest| rest.starts_with('/'))
        };
        file == module.file || below()
    }

    /// Resolves an import of `item` from `path` in the file `importer`.
    pub(super) fn find(&self, importer: u32, path: &str, item: &str) -> FoundModule {
        let Some(system) = self.system(importer) else { return FoundModule::default() };
        if let Some((files, is_item)) = self.find_relative(importer, system, path, item) {
            return FoundModule { files, confidence: 0.95, is_item };
        }
        if system == ModuleSystem::Script
            && let Some(files) = self.find_scoped(importer, path)
        {
            return FoundModule { files, confidence: 0.9, is_item: false };
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
        if system == ModuleSystem::Rust && self.is_other_crate(path) {
            return FoundModule::default();
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
                    let mut files = self.packages.find(self.files, importer, &wanted.join("/"));
                    if files.len() > MAX_CANDIDATES {
                        files.clear();
                    }
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

    /// Returns whether the path of a Rust import starts with a crate that is not in the tree.
    fn is_other_crate(&self, path: &str) -> bool {
        let first = path.split("::").next().unwrap_or(path);
        let is_known = |name: &str| self.with_stem(name).next().is_some();
        let is_here = matches!(first, "crate" | "self" | "super" | "")
            || is_known(first)
            || first.match_indices('_').any(|(at, _)| is_known(&first[at + 1..]));
        matches!(first, "std" | "core" | "alloc") || !is_here
    }

    pub(super) fn is_python(&self, file: u32) -> bool {
        self.system(file) == Some(ModuleSystem::Python)
    }

    pub(super) fn is_script(&self, file: u32) -> bool {
        self.system(file) == Some(ModuleSystem::Script)
    }

    /// Returns whether bindings are collected for the language of `file`. Types can be derived from bindings.
    pub(super) fn has_types(&self, file: u32) -> bool {
        matches!(self.system(file), Some(ModuleSystem::Python | ModuleSystem::Script))
    }

    /// Returns whether the types of variables and functions are declared in the language of `file`, and methods are
    /// defined outside their types.
    pub(super) fn declares_types(&self, file: u32) -> bool {
        matches!(self.system(file), Some(ModuleSystem::Rust | ModuleSystem::Go))
    }

    /// Returns the file of the module `name` in the package whose `__init__.py` is `file`.
    pub(super) fn submodule(&self, file: u32, name: &str) -> Option<u32> {
        let folder = self.files.path(file).strip_suffix("/__init__.py")?;
        self.with_path(&format!("{folder}/{name}")).next()
    }

    /// Returns the `conftest.py` files in the folders that contain `file`, nearest first.
    pub(super) fn conftests(&self, file: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut folder = folder_of(self.files.path(file));
        loop {
            let stem = if folder.is_empty() {
                "conftest".to_owned()
            } else {
                format!("{folder}/conftest")
            };
            found.extend(self.with_path(&stem));
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
        let folder = folder_of(self.files.path(importer));
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
            && matches!(path.split("::").next(), Some("crate" | "self" | "super"))
        {
            let relative = self.rust_folder(importer, path);
            if let Some((start, rest)) = &relative
                && let Some(found) =
                    self.find_joined(importer, system, start.clone(), rest.split("::"), item)
            {
                return Some(found);
            }
            // The path may start in an inline module, so the importing file's folder is tried too.
            path.split_once("::").map_or("", |(_, rest)| rest)
        } else if system == ModuleSystem::C || (joins_paths && path.starts_with('.')) {
            path
        } else {
            return None;
        };
        let separators: &[char] =
            if matches!(system, ModuleSystem::Python) { &['.'] } else { &['/', ':'] };
        self.find_joined(importer, system, base, rest.split(separators), item)
    }

    /// Returns the folder in which a Rust path starts that begins with `crate`, `self` or `super`, and the rest of the
    /// path. Returns `None` if the importing file is in no crate.
    fn rust_folder<'p>(&self, importer: u32, path: &'p str) -> Option<(Vec<&'a str>, &'p str)> {
        let own: &'a str = self.files.path(importer);
        let is_root = |folder: &str| {
            self.with_path(folder)
                .any(|file| matches!(stem_of(self.files.path(file)), "lib" | "main"))
        };
        let mut rest = path;
        let (mut first, mut start) = (true, folder_of(own).split('/').collect::<Vec<&str>>());
        start.retain(|part| !part.is_empty());
        if !FOLDER_MODULES.contains(&stem_of(own)) {
            start.push(stem_of(own));
        }
        loop {
            let (part, after) = rest.split_once("::").unwrap_or((rest, ""));
            match part {
                "crate" => {
                    while !is_root(&start.join("/")) {
                        start.pop()?;
                    }
                }
                "super" => {
                    start.pop()?;
                }
                "self" if first => {}
                _ => return Some((start, rest)),
            }
            first = false;
            rest = after;
            if rest.is_empty() {
                return Some((start, rest));
            }
        }
    }

    /// Finds the file whose path consists of the folders `base` and the `parts`, with or without the `item`.
    fn find_joined<'p>(
        &self,
        importer: u32,
        system: ModuleSystem,
        mut base: Vec<&'p str>,
        parts: impl Iterator<Item = &'p str>,
        item: &'p str,
    ) -> Option<(Vec<u32>, bool)> {
        for part in parts {
            match part {
                "" | "." => {}
                ".." => {
                    base.pop();
                }
                name => base.push(name),
            }
        }
        let joined = base.join("/");
        base.push(item);
        let with_item = base.join("/");
        let without_extension = joined.rsplit_once('.').map_or(joined.as_str(), |(stem, _)| stem);
        [with_item.as_str(), joined.as_str(), without_extension].iter().find_map(|candidate| {
            let found: Vec<u32> = self
                .with_path(candidate)
                .filter(|file| self.system(*file) == Some(system) && *file != importer)
                .collect();
            let is_item = !item.is_empty() && *candidate == with_item;
            (!found.is_empty() && found.len() <= MAX_CANDIDATES).then_some((found, is_item))
        })
    }

    fn find_folder(&self, importer: u32, parts: &[&str]) -> Vec<u32> {
        for skip in 0..parts.len() {
            let ending = parts[skip..].join("/");
            let mut files = self.in_folder(&ending).peekable();
            if files.peek().is_some() {
                return files
                    .filter(|file| *file != importer && self.has_same_modules(importer, *file))
                    .collect();
            }
        }
        Vec::new()
    }
}

/// Returns whether an import can name the folder `folder` by `name`. A crate in the folder `app-core` is called `app_core`.
fn is_module_name(folder: &str, name: &str) -> bool {
    folder == name || folder.contains('-') && folder.replace('-', "_") == name
}

/// Returns the path up to the first dot in its file name.
fn without_extension(path: &str) -> &str {
    let (name, stem) = (name_of(path), stem_of(path));
    &path[..path.len() - (name.len() - stem.len())]
}

/// Returns the name of the module that a folder represents if it contains a file such as `index.js` or `lib.rs`. This
/// is the folder's name, or the name of its parent if the folder is `src`, because a crate is usually named after the
/// folder that contains `src`.
fn module_of_folder(folder: &str) -> &str {
    name_of(folder.strip_suffix("/src").unwrap_or(folder))
}
