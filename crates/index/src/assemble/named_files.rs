//! Links templates, style sheets and pages with the code that uses them: by the file names in strings and attributes, and
//! by names that differ only in their extensions.

use rustc_hash::FxHashMap;
use syntax::Language;

use super::edges::RawEdge;
use super::modules::{folder_of, shared_folders};
use super::resolve::to_byte;
use super::{Assembly, FileRow};
use crate::edge::EdgeKind;
use crate::facts::{FactsReader, ImportFact};

/// The confidence that a string refers to the only file of this name.
const NAMED: f32 = 0.9;
/// The confidence that two files with the same name in the same folder belong together.
const SAME_NAME: f32 = 0.7;
/// The maximum number of equally near files that a name can refer to.
const MAX_NAMED: usize = 3;
/// The maximum number of files in a folder that share a name. More files have a name such as `index` by chance.
const MAX_SAME_NAME: usize = 6;
/// The maximum number of views that are linked with their controller.
const MAX_VIEWS: usize = 20;

/// Adds the edges from code to pages and style sheets, and from pages to the files that they name.
pub(super) fn add_edges(assembly: &Assembly<'_>, files: &[FileRow<'_>], edges: &mut Vec<RawEdge>) {
    let mut by_name: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    let mut by_stem: FxHashMap<(&str, &str), Vec<u32>> = FxHashMap::default();
    for (number, file) in files.iter().enumerate() {
        let number = number as u32;
        let name = name_of(file.path);
        by_name.entry(name).or_default().push(number);
        if file.head.language.is_some() {
            let stem = name.split('.').next().unwrap_or(name);
            by_stem.entry((folder_of(file.path), stem)).or_default().push(number);
        }
    }
    for (number, input) in assembly.files.iter().enumerate() {
        let reader = FactsReader::new(input.record);
        let names = reader.names();
        reader.imports(&names, |import| {
            if import.item == ImportFact::FILE {
                add_named(number as u32, import, files, &by_name, edges);
            }
        });
    }
    for together in by_stem.values().filter(|it| (2..=MAX_SAME_NAME).contains(&it.len())) {
        add_same_name(together, files, edges);
    }
    add_views(files, edges);
}

/// Adds the edges from a file to the nearest files whose paths end with the path that the file names.
fn add_named(
    from: u32,
    import: ImportFact<'_>,
    files: &[FileRow<'_>],
    by_name: &FxHashMap<&str, Vec<u32>>,
    edges: &mut Vec<RawEdge>,
) {
    let wanted = import.path.split(['?', '#']).next().unwrap_or(import.path);
    let wanted = wanted.trim_start_matches(['.', '/', '@', '~']);
    let path = |file: u32| files[file as usize].path;
    let is_wanted = |file: &u32| {
        let rest = path(*file).strip_suffix(wanted);
        *file != from && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let same_named = by_name.get(name_of(wanted)).map_or(&[][..], Vec::as_slice);
    let found: Vec<u32> = same_named.iter().copied().filter(is_wanted).collect();
    let near = |file: &u32| shared_folders(path(from), path(*file));
    let nearest = found.iter().map(near).max().unwrap_or(0);
    let found: Vec<u32> = found.into_iter().filter(|file| near(file) == nearest).collect();
    if found.len() <= MAX_NAMED {
        let confidence = to_byte(NAMED / found.len().max(1) as f32);
        let kind = EdgeKind::References;
        let line = import.line;
        edges.extend(found.into_iter().map(|to| RawEdge { from, to, kind, confidence, line }));
    }
}

/// Adds edges from each code file to the pages and style sheets with the same name: `Cart.razor.cs` and `Cart.razor`.
fn add_same_name(together: &[u32], files: &[FileRow<'_>], edges: &mut Vec<RawEdge>) {
    let language = |file: u32| files[file as usize].head.language;
    let is_page =
        |file: u32| language(file).is_some_and(|it| !it.is_code() || it == Language::Razor);
    for from in together.iter().copied() {
        let shown =
            together.iter().copied().filter(|to| is_page(*to) && language(*to) != language(from));
        let is_code = !is_page(from) || language(from) == Some(Language::Razor);
        let confidence = to_byte(SAME_NAME);
        let kind = EdgeKind::References;
        edges.extend(shown.filter(|_| is_code).map(|to| RawEdge {
            from,
            to,
            kind,
            confidence,
            line: 0,
        }));
    }
}

/// Adds edges from each ASP.NET controller to its views: `HomeController.cs` shows `Views/Home/*.cshtml`.
fn add_views(files: &[FileRow<'_>], edges: &mut Vec<RawEdge>) {
    let mut views: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for (number, file) in files.iter().enumerate() {
        let (above, folder) = folder_of(file.path).rsplit_once('/').unwrap_or_default();
        if file.path.ends_with(".cshtml") && name_of(above) == "Views" {
            views.entry(folder).or_default().push(number as u32);
        }
    }
    for (from, file) in files.iter().enumerate() {
        let Some(name) = name_of(file.path).strip_suffix("Controller.cs") else { continue };
        let shown = views.get(name).map_or(&[][..], Vec::as_slice);
        edges.extend(shown.iter().take(MAX_VIEWS).map(|to| RawEdge {
            from: from as u32,
            to: *to,
            kind: EdgeKind::References,
            confidence: to_byte(SAME_NAME),
            line: 0,
        }));
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
