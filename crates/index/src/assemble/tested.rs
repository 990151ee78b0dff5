//! Finds the files that a test file tests, by the test file's name and imports.

use rustc_hash::FxHashMap;
use syntax::Language;

use super::FileRow;
use super::edges::RawEdge;
use super::modules::folder_of;
use super::resolve::to_byte;
use crate::edge::EdgeKind;
use crate::role::Role;

/// The maximum number of equally near files with a matching name. If there are more, none of them is treated as tested.
const MAX_TESTED_BY_NAME: usize = 3;

/// Adds an edge from each test file to the files that it tests.
pub(super) fn add_edges(files: &[FileRow<'_>], edges: &mut Vec<RawEdge>) {
    let mut by_stem: FxHashMap<String, Vec<u32>> = FxHashMap::default();
    for (number, file) in files.iter().enumerate() {
        if file.role == Role::Source && file.head.language.is_some_and(Language::is_code) {
            by_stem.entry(stem_of(file.path)).or_default().push(number as u32);
        }
    }
    let mut tests = Vec::new();
    for (number, file) in files.iter().enumerate() {
        if file.role != Role::Test || file.head.language.is_none() {
            continue;
        }
        let stem = stem_of(file.path);
        let tested =
            tested_stem(&stem).and_then(|stem| by_stem.get(stem)).map_or(&[][..], Vec::as_slice);
        let mut nearest: Vec<(usize, u32)> = tested
            .iter()
            .map(|other| (shared_parts(file.path, files[*other as usize].path), *other))
            .collect();
        nearest.sort_unstable_by(|a, b| b.cmp(a));
        let best = nearest.first().map_or(0, |(shared, _)| *shared);
        nearest.retain(|(shared, _)| *shared == best);
        if nearest.len() <= MAX_TESTED_BY_NAME {
            let confidence = to_byte(0.8 / nearest.len().max(1) as f32);
            tests.extend(nearest.iter().map(|(_, other)| RawEdge {
                from: number as u32,
                to: *other,
                kind: EdgeKind::Tests,
                confidence,
                line: 0,
            }));
        }
    }
    for edge in edges.iter() {
        let is_file = |node: u32| files.get(node as usize);
        if let (EdgeKind::Imports, Some(from), Some(to)) =
            (edge.kind, is_file(edge.from), is_file(edge.to))
            && from.role == Role::Test
            && to.role == Role::Source
        {
            tests.push(RawEdge { kind: EdgeKind::Tests, confidence: edge.confidence / 2, ..*edge });
        }
    }
    edges.extend(tests);
}

fn stem_of(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name).to_lowercase()
}

/// Removes the test prefix or suffix from a file name. Returns the name unchanged if it has neither, and `None` if at
/// most one byte remains.
fn tested_stem(stem: &str) -> Option<&str> {
    let starts = ["test_", "tests_"].iter().find_map(|start| stem.strip_prefix(start));
    let ends = || {
        ["_test", "_tests", "_spec", "-test", "-spec", "tests", "test", "spec"]
            .iter()
            .find_map(|end| stem.strip_suffix(end))
    };
    // In a test folder, a test file may have the same name as the file it tests.
    starts.or_else(ends).or(Some(stem)).filter(|stem| stem.len() > 1)
}

/// Counts the folders in `one` that also occur in `other`, at any depth: `tests/forms/x` and `app/forms/y` share one.
fn shared_parts(one: &str, other: &str) -> usize {
    let parts: Vec<&str> = folder_of(other).split('/').collect();
    folder_of(one).split('/').filter(|part| parts.contains(part)).count()
}
