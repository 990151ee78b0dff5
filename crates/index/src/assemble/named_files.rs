//! Links templates, style sheets and pages with the code that uses them. Two files are linked if a string or an
//! attribute in one of them names the other, or if their names differ only in the extension.

use std::io;
use std::sync::Mutex;

use rustc_hash::FxHashMap;
use syntax::Language;

use super::edges::RawEdge;
use super::key_table::KeyTable;
use super::paths::{FileTable, folder_of, name_of, nearest, stem_of};
use super::resolve::to_byte;
use crate::facts::ImportFact;
use crate::snapshot::EdgeKind;

/// The confidence that a string refers to a file if no other file has this name.
const NAMED: f32 = 0.9;
/// The confidence that two files with the same name in the same folder belong together.
const SAME_NAME: f32 = 0.7;
/// The maximum number of equally near files that a name can refer to. If there are more, the name is not resolved.
const MAX_NAMED: usize = 3;
/// The maximum number of files in a folder that share a name. If more files share a name, it is a common name such as
/// `index`, and the files are not related.
const MAX_SAME_NAME: usize = 6;
/// The maximum number of views that are linked with one controller. Further views are not linked.
const MAX_VIEWS: usize = 20;

/// The maximum number of entries in [`NamedFiles::known`].
const MAX_KNOWN: usize = 20_000;

/// The files of a tree, indexed by name.
pub(super) struct NamedFiles<'f> {
    files: &'f FileTable<'f>,
    by_name: KeyTable,
    /// A cache that maps a path to the files whose paths end with it.
    known: Mutex<FxHashMap<String, Vec<u32>>>,
}

impl<'f> NamedFiles<'f> {
    pub(super) fn new(files: &'f FileTable<'f>) -> Self {
        let mut by_name = KeyTable::default();
        files.paths.iter().for_each(|(number, path)| by_name.push(name_of(path), number));
        by_name.sort();
        Self { files, by_name, known: Mutex::default() }
    }

    /// Adds edges from the file `from` to the nearest files whose paths end with the path in `import`.
    pub(super) fn add_named(
        &self,
        from: u32,
        import: &ImportFact<'_>,
        mut add: impl FnMut(RawEdge),
    ) {
        let wanted = import.path.split(['?', '#']).next().unwrap_or(import.path);
        let wanted = wanted.trim_start_matches(['.', '/', '@', '~']);
        let all = self.ending_with(wanted);
        let is_other = |file: u32| file != from;
        let paths = self.files.paths;
        let found = nearest(paths, &all, self.files.path(from), MAX_NAMED + 1, is_other);
        if found.len() <= MAX_NAMED {
            let confidence = to_byte(NAMED / found.len().max(1) as f32);
            let (kind, line) = (EdgeKind::References, import.line);
            found.into_iter().for_each(|to| add(RawEdge { from, to, kind, confidence, line }));
        }
    }

    /// Returns the files whose paths end with `wanted`, in ascending order.
    fn ending_with(&self, wanted: &str) -> Vec<u32> {
        if let Some(known) = self.known.lock().ok().and_then(|known| known.get(wanted).cloned()) {
            return known;
        }
        let is_wanted = |file: &u32| {
            let rest = self.files.path(*file).strip_suffix(wanted);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let found: Vec<u32> = self.by_name.get(name_of(wanted)).filter(is_wanted).collect();
        if let Ok(mut known) = self.known.lock() {
            if known.len() >= MAX_KNOWN {
                known.clear();
            }
            known.insert(wanted.to_owned(), found.clone());
        }
        found
    }

    /// Adds edges between files that belong together according to their names.
    pub(super) fn add_edges(
        &self,
        mut add: impl FnMut(RawEdge) -> io::Result<()>,
    ) -> io::Result<()> {
        let files = self.files;
        let mut by_stem = KeyTable::default();
        let key = |file: u32| (folder_of(files.path(file)), stem_of(files.path(file)));
        for (number, _) in files.paths.iter().filter(|(it, _)| files.language(*it).is_some()) {
            by_stem.push(key(number), number);
        }
        by_stem.sort();
        for mut group in by_stem.groups() {
            // Different keys may have the same hash.
            group.sort_by_key(|file| key(*file));
            let groups = group.chunk_by(|a, b| key(*a) == key(*b));
            for together in groups.filter(|it| (2..=MAX_SAME_NAME).contains(&it.len())) {
                add_same_name(together, files, &mut add)?;
            }
        }
        add_views(files, &mut add)
    }
}

/// Adds edges from each code file to the pages and style sheets with the same name: `Cart.razor.cs` and `Cart.razor`.
fn add_same_name(
    together: &[u32],
    files: &FileTable<'_>,
    add: &mut impl FnMut(RawEdge) -> io::Result<()>,
) -> io::Result<()> {
    let language = |file: u32| files.language(file);
    let is_page =
        |file: u32| language(file).is_some_and(|it| !it.is_code() || it == Language::Razor);
    for from in together.iter().copied() {
        let shown =
            together.iter().copied().filter(|to| is_page(*to) && language(*to) != language(from));
        let is_code = !is_page(from) || language(from) == Some(Language::Razor);
        let confidence = to_byte(SAME_NAME);
        let kind = EdgeKind::References;
        for to in shown.filter(|_| is_code) {
            add(RawEdge { from, to, kind, confidence, line: 0 })?;
        }
    }
    Ok(())
}

/// Adds edges from each ASP.NET controller to its views: `HomeController.cs` shows `Views/Home/*.cshtml`.
fn add_views(
    files: &FileTable<'_>,
    add: &mut impl FnMut(RawEdge) -> io::Result<()>,
) -> io::Result<()> {
    let mut views: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for (number, path) in files.paths.iter() {
        let (above, folder) = folder_of(path).rsplit_once('/').unwrap_or_default();
        if path.ends_with(".cshtml") && name_of(above) == "Views" {
            views.entry(folder).or_default().push(number);
        }
    }
    for (from, path) in files.paths.iter() {
        let Some(name) = name_of(path).strip_suffix("Controller.cs") else { continue };
        let shown = views.get(name).map_or(&[][..], Vec::as_slice);
        let (kind, confidence) = (EdgeKind::References, to_byte(SAME_NAME));
        for to in shown.iter().take(MAX_VIEWS) {
            add(RawEdge { from, to: *to, kind, confidence, line: 0 })?;
        }
    }
    Ok(())
}
