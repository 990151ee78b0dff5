//! Uses the name of a test file to find the files that it tests.

use std::io;

use rustc_hash::FxHashSet;
use syntax::Language;

use super::edges::RawEdge;
use super::key_table::KeyTable;
use super::paths::{FileTable, folder_of};
use super::resolve::to_byte;
use crate::role::Role;
use crate::snapshot::EdgeKind;

/// The maximum number of equally near files with a matching name. If there are more, none of them is treated as tested.
const MAX_TESTED_BY_NAME: usize = 3;
/// If at most this many files have the same name, all of them are compared with a test. If there are more, they are
/// looked up by their folders.
const MAX_COMPARED: usize = 64;

/// Calls `add` with an edge from each test file to the files that it tests.
pub(super) fn add_edges(
    files: &FileTable<'_>,
    mut add: impl FnMut(RawEdge) -> io::Result<()>,
) -> io::Result<()> {
    let sources = Sources::new(files);
    for (number, path) in files.paths.iter() {
        if files.role(number) != Role::Test || files.language(number).is_none() {
            continue;
        }
        let stem = lower_stem(path);
        let nearest = tested_stem(&stem).map_or_else(Vec::new, |it| sources.nearest(path, it));
        if nearest.len() <= MAX_TESTED_BY_NAME {
            let confidence = to_byte(0.8 / nearest.len().max(1) as f32);
            for to in nearest {
                add(RawEdge { from: number, to, kind: EdgeKind::Tests, confidence, line: 0 })?;
            }
        }
    }
    Ok(())
}

/// The source files of a tree.
struct Sources<'f> {
    files: &'f FileTable<'f>,
    by_stem: KeyTable,
    /// The files whose name is shared by more than [`MAX_COMPARED`] files, indexed by the name and each of their
    /// folders.
    by_folder: KeyTable,
}

impl<'f> Sources<'f> {
    fn new(files: &'f FileTable<'f>) -> Self {
        let sources = || {
            files.paths.iter().filter(|(number, _)| {
                files.role(*number) == Role::Source
                    && files.language(*number).is_some_and(Language::is_code)
            })
        };
        let mut by_stem = KeyTable::default();
        for (number, path) in sources() {
            by_stem.push(lower_stem(path).as_str(), number);
        }
        by_stem.sort();
        let mut by_folder = KeyTable::default();
        for (number, path) in sources() {
            let stem = lower_stem(path);
            if by_stem.get(stem.as_str()).nth(MAX_COMPARED).is_some() {
                let parts: FxHashSet<&str> = folder_of(path).split('/').collect();
                parts.iter().for_each(|part| by_folder.push((stem.as_str(), *part), number));
            }
        }
        by_folder.sort();
        Self { files, by_stem, by_folder }
    }

    /// Returns the source files called `stem` that share the most folders with the path `test`. A result with more than
    /// [`MAX_TESTED_BY_NAME`] files may be incomplete.
    fn nearest(&self, test: &str, stem: &str) -> Vec<u32> {
        let is_named = |file: &u32| lower_stem(self.files.path(*file)) == stem;
        let all: Vec<u32> = self.by_stem.get(stem).take(MAX_COMPARED + 1).collect();
        if all.len() <= MAX_COMPARED {
            return self.best(test, all.into_iter().filter(is_named));
        }
        let parts = || folder_of(test).split('/');
        let mut by_part: Vec<Vec<u32>> =
            parts().map(|part| self.by_folder.get((stem, part)).collect()).collect();
        by_part.sort_by_key(Vec::len);
        let mut candidates: Vec<u32> = Vec::new();
        let mut n_left = by_part.len();
        for some in by_part {
            candidates.extend(some.into_iter().filter(is_named));
            candidates.sort_unstable();
            candidates.dedup();
            n_left -= 1;
            // A file that is in none of these lists shares at most `n_left` folders with the test.
            let best = candidates.iter().map(|it| shared_parts(test, self.files.path(*it))).max();
            if best.is_some_and(|best| best > n_left) {
                return self.best(test, candidates.into_iter());
            }
        }
        // No file shares a folder with the test, so all files are equally distant.
        all
    }

    fn best(&self, test: &str, candidates: impl Iterator<Item = u32>) -> Vec<u32> {
        let shared = |file: u32| shared_parts(test, self.files.path(file));
        let scored: Vec<(usize, u32)> = candidates.map(|file| (shared(file), file)).collect();
        let best = scored.iter().map(|(shared, _)| *shared).max().unwrap_or(0);
        scored.into_iter().filter(|(shared, _)| *shared == best).map(|(_, file)| file).collect()
    }
}

fn lower_stem(path: &str) -> String {
    super::paths::stem_of(path).to_lowercase()
}

/// Removes the test prefix or suffix from a file name: `test_cart` and `cart_spec` become `cart`. Returns the name
/// unchanged if it has neither, and `None` if at most one byte remains.
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
