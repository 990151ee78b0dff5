//! The properties of a tree's files that the graph needs: path, role and language.

use syntax::Language;

use super::paths::Paths;
use crate::facts::FactsHead;
use crate::role::{Role, role_of};

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
        self.roles.push(role_of(path, head.mark, head.language.is_some()));
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
