//! Stores the paths of all files in one buffer, in ascending order, and their roles and languages.

use syntax::Language;

use crate::facts::FactsHead;
use crate::role::Role;

/// The paths of a tree's files. Each path needs its length plus four bytes of memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paths {
    text: String,
    ends: Vec<u32>,
}

impl Paths {
    /// Adds a path. Paths must be added in ascending order.
    pub(crate) fn push(&mut self, path: &str) {
        self.text.push_str(path);
        self.ends.push(self.text.len() as u32);
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the size of the paths in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        self.text.len() + self.ends.len() * 4
    }

    pub(crate) fn get(&self, file: u32) -> &str {
        let at = file as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.text[start..self.ends[at] as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        (0..self.len() as u32).map(|file| (file, self.get(file)))
    }

    /// Returns the range of the files below `folder`, at any depth. They are consecutive, because the paths are sorted.
    pub(super) fn below(&self, folder: &str) -> std::ops::Range<u32> {
        if folder.is_empty() {
            return 0..self.len() as u32;
        }
        // In ASCII, `0` is the character after `/`.
        let start = self.first_from(&format!("{folder}/"));
        start..self.first_from(&format!("{folder}0"))
    }

    /// Returns the first file whose path is not less than `path`.
    fn first_from(&self, path: &str) -> u32 {
        let (mut low, mut high) = (0, self.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle) < path { low = middle + 1 } else { high = middle }
        }
        low
    }

    pub(crate) fn find(&self, path: &str) -> Option<u32> {
        let file = self.first_from(path);
        ((file as usize) < self.len() && self.get(file) == path).then_some(file)
    }
}

/// The properties of a tree's files that the graph needs: path, role and language.
pub(super) struct FileTable<'a> {
    pub(super) paths: &'a Paths,
    roles: Vec<Role>,
    languages: Vec<Option<Language>>,
}

impl<'a> FileTable<'a> {
    pub(super) fn new(paths: &'a Paths) -> Self {
        Self {
            paths,
            roles: Vec::with_capacity(paths.len()),
            languages: Vec::with_capacity(paths.len()),
        }
    }

    /// Adds the next file.
    pub(super) fn add(&mut self, head: &FactsHead) {
        let path = self.paths.get(self.roles.len() as u32);
        self.roles.push(head.role(path));
        self.languages.push(head.language);
    }

    pub(super) fn len(&self) -> usize {
        self.roles.len()
    }

    pub(super) fn path(&self, file: u32) -> &'a str {
        self.paths.get(file)
    }

    pub(super) fn role(&self, file: u32) -> Role {
        self.roles[file as usize]
    }

    pub(super) fn language(&self, file: u32) -> Option<Language> {
        self.languages[file as usize]
    }
}

pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the name of a file up to the first dot.
pub(super) fn stem_of(path: &str) -> &str {
    let name = name_of(path);
    name.split('.').next().unwrap_or(name)
}

/// Counts the leading folders that two paths share.
pub(super) fn shared_folders(one: &str, other: &str) -> usize {
    folder_of(one).split('/').zip(folder_of(other).split('/')).take_while(|(a, b)| a == b).count()
}

/// Returns the elements of `files` that share the most leading folders with `path`, but at most `max` of them. `files`
/// must be in ascending order. Only elements that `accepts` selects are considered.
///
/// The files below a folder are consecutive, so the nearest files are next to the position of `path` in the list. Files
/// in the root folder are an exception: they are equally near to each other, but not consecutive.
pub(super) fn nearest(
    paths: &Paths,
    files: &[u32],
    path: &str,
    max: usize,
    accepts: impl Fn(u32) -> bool,
) -> Vec<u32> {
    let shared = |file: u32| shared_folders(paths.get(file), path);
    if !path.contains('/') {
        let accepted = || files.iter().copied().filter(|file| accepts(*file));
        let best = accepted().map(shared).max().unwrap_or(0);
        return accepted().filter(|file| shared(*file) == best).take(max).collect();
    }
    let place = files.partition_point(|file| paths.get(*file) < path);
    let before = || files[..place].iter().rev().copied().filter(|file| accepts(*file));
    let after = || files[place..].iter().copied().filter(|file| accepts(*file));
    let best = before().next().into_iter().chain(after().next()).map(shared).max().unwrap_or(0);
    let found = before().take_while(|file| shared(*file) == best);
    found.chain(after().take_while(|file| shared(*file) == best)).take(max).collect()
}

#[cfg(test)]
mod tests {
    use super::{Paths, nearest, shared_folders};

    #[test]
    fn the_nearest_files_are_those_that_a_full_comparison_finds() {
        let mut all = Vec::new();
        for folder in ["", "a/", "a/b/", "a/b/c/", "a/b-c/", "a/b.d/", "b/", "b/a/b/", "c/x/"] {
            all.extend(["m.py", "n.py", "z"].map(|name| format!("{folder}{name}")));
        }
        all.sort();
        let mut paths = Paths::default();
        all.iter().for_each(|path| paths.push(path));
        let files: Vec<u32> = (0..all.len() as u32).filter(|file| file % 3 != 1).collect();
        for path in &all {
            let accepts = |file: u32| paths.get(file) != path && !file.is_multiple_of(5);
            let near = |file: &u32| shared_folders(paths.get(*file), path);
            let accepted: Vec<u32> = files.iter().copied().filter(|it| accepts(*it)).collect();
            let best = accepted.iter().map(near).max().unwrap();
            let expected: Vec<u32> = accepted.into_iter().filter(|it| near(it) == best).collect();
            let mut found = nearest(&paths, &files, path, 99, accepts);
            found.sort_unstable();
            assert_eq!(found, expected, "{path}");
        }
    }
}
