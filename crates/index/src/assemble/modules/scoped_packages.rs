//! Finds the packages of a workspace that scripts import by a name with a scope, such as `@app/core/utils`.

use super::super::paths::{folder_of, stem_of};
use super::{FOLDER_MODULES, MAX_CANDIDATES, Modules};

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
