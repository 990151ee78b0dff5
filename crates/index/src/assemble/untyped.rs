//! Resolves references in languages for which the types of expressions are not derived. Scopes and imports are used if
//! the language has them. Otherwise, references are resolved by name alone, with lower confidence.

use syntax::Kind;

use super::imports::ImportedName;
use super::paths::folder_of;
use super::resolve::{FileResolver, MAX_DEFINITIONS_OF_NAME, Resolution, is_member, last_name};
use super::values::Entity;
use crate::facts::{LITERAL, ReferenceFact, UNNAMED};

impl FileResolver<'_, '_> {
    /// Resolves a reference without types. The last name of the receiver is compared with the names of modules and
    /// types.
    pub(super) fn by_rules(&self, reference: &ReferenceFact<'_>) -> Resolution {
        match last_name(reference.receiver) {
            "" => self.by_scope(reference),
            UNNAMED | LITERAL => None,
            "self" | "this" | "cls" | "Self" | "super" | "@" | "parent" | "static" => {
                self.by_own_type(reference)
            }
            receiver => self.by_receiver(reference, receiver),
        }
        .unwrap_or_else(|| self.by_name(reference))
    }

    /// Returns the name of the innermost type that encloses a reference.
    fn own_type(&self, reference: &ReferenceFact<'_>) -> Option<&str> {
        let mut next = self.enclosing(reference);
        while let Some(symbol) = next {
            let (kind, parent) = (self.symbols.kind(symbol), self.symbols.parent(symbol));
            if kind.has_methods() {
                return Some(self.symbols.name(symbol));
            }
            // In Go, `func (s *Server) Run()` is not nested in its type; the receiver names the type.
            if kind == Kind::Method && parent.is_none() {
                return self.symbols.owner(symbol);
            }
            next = parent;
        }
        None
    }

    /// Resolves a name without a receiver: first in this file, then in its imports, then in its package, then among
    /// the members of the enclosing type.
    fn by_scope(&self, reference: &ReferenceFact<'_>) -> Option<Resolution> {
        let name = reference.name;
        let free = |symbol: &u32| !is_member(self.symbols, *symbol);
        let free_in = |file: u32| self.symbols.in_file(file, name).filter(free);
        if let Some(here) = self.fitting(reference, free_in(self.file)) {
            return Some(Resolution::Symbols(here, 0.95));
        }
        let imported = self.facts.scope.imported(name, &self.facts.names);
        if imported.clone().next().is_some() {
            let is_inside = imported.clone().any(|import| !import.files.is_empty());
            if let Some(found) = self.imported_symbols(reference, imported) {
                return Some(Resolution::Symbols(found, 0.95));
            }
            // The name is imported from outside the tree, so a symbol with this name in the tree is unrelated.
            if !is_inside {
                return Some(Resolution::Foreign);
            }
        }
        if let Some(opened) =
            self.fitting(reference, self.facts.scope.open.iter().flat_map(|file| free_in(*file)))
        {
            return Some(Resolution::Symbols(opened, 0.85));
        }
        if self.modules.has_packages(self.file)
            && let Some(package) = self.fitting(reference, self.in_package(name).filter(free))
        {
            return Some(Resolution::Symbols(package, 0.9));
        }
        // In some languages a bare name may also refer to a method of the enclosing type.
        if self.modules.declares_types(self.file) {
            return None;
        }
        self.by_own_type(reference)
    }

    fn of_normalized_owner(&self, owner: &str, name: &str) -> impl Iterator<Item = u32> {
        self.symbols.of_normalized_owner(owner, name).iter().copied()
    }

    /// Returns the symbols called `name` in the files in the same folder.
    fn in_package(&self, name: &str) -> impl Iterator<Item = u32> {
        let in_folder = self.symbols.in_files(self.folder_files.clone(), name).iter().copied();
        in_folder.filter(|symbol| {
            folder_of(self.values.files.path(self.symbols.file(*symbol))) == self.folder
        })
    }

    /// Returns the symbols to which an imported name refers. Re-exports of the imported module are followed.
    fn imported_symbols<'i>(
        &self,
        reference: &ReferenceFact<'_>,
        imported: impl Iterator<Item = &'i ImportedName> + Clone,
    ) -> Option<Vec<u32>> {
        let places = || {
            imported.clone().flat_map(|import| {
                let item = import.item(&self.facts.names);
                let name = if item.is_empty() { reference.name } else { item };
                import.files.iter().map(move |file| (*file, name))
            })
        };
        let free = |symbol: &u32| !is_member(self.symbols, *symbol);
        let direct =
            places().flat_map(|(file, name)| self.symbols.in_file(file, name).filter(free));
        self.fitting(reference, direct).or_else(|| {
            let exported = places().filter_map(|(file, name)| self.values.in_module(file, name, 1));
            self.fitting(reference, exported.filter_map(Entity::symbol))
        })
    }

    /// Resolves `self.x` among the members of the enclosing type: first in this file, then in other files.
    fn by_own_type(&self, reference: &ReferenceFact<'_>) -> Option<Resolution> {
        let own = self.own_type(reference)?;
        self.members_of(own, reference).map(|members| Resolution::Symbols(members, 0.95))
    }

    /// Resolves `x.name`, where `x` is a module, a type, or a variable named after its type.
    fn by_receiver(&self, reference: &ReferenceFact<'_>, receiver: &str) -> Option<Resolution> {
        if let Some(files) = self.facts.scope.files_of(receiver, &self.facts.names) {
            if files.is_empty() {
                return Some(Resolution::Foreign);
            }
            let inside = files.iter().flat_map(|file| self.symbols.in_file(*file, reference.name));
            if let Some(inside) = self.fitting(reference, inside) {
                return Some(Resolution::Symbols(inside, 0.9));
            }
        }
        if let Some(members) = self.members_of(receiver, reference) {
            return Some(Resolution::Symbols(members, 0.9));
        }
        if receiver.len() > 2
            && let Some(like) =
                self.fitting(reference, self.of_normalized_owner(receiver, reference.name))
        {
            return Some(Resolution::Symbols(like, 0.75));
        }
        if let Some(inside) = self.in_module(receiver, reference) {
            return Some(Resolution::Symbols(inside, 0.8));
        }
        Some(self.by_name(reference))
    }

    /// Resolves `store::open()` in a file that does not import `store`. The function may be in that module or in one
    /// of its submodules, because a module can re-export names from its submodules.
    fn in_module(&self, receiver: &str, reference: &ReferenceFact<'_>) -> Option<Vec<u32>> {
        let modules = self.modules.modules_named(self.file, receiver)?;
        let same_named = self.symbols.named(reference.name);
        let is_inside = |symbol: &u32| {
            let file = self.symbols.file(*symbol);
            !is_member(self.symbols, *symbol)
                && modules.iter().any(|module| self.modules.is_in(file, module))
        };
        self.fitting(reference, same_named.iter().copied().filter(is_inside))
    }

    /// Returns the matching members of the type `owner`: those in this file, or if there are none, those in other
    /// files.
    fn members_of(&self, owner: &str, reference: &ReferenceFact<'_>) -> Option<Vec<u32>> {
        let here = self.symbols.of_owner_in_file(self.file, owner, reference.name);
        self.fitting(reference, here).or_else(|| {
            let members = self.symbols.of_owner(owner, reference.name);
            self.fitting(reference, members.filter(|symbol| self.has_same_modules(*symbol)))
        })
    }

    /// Resolves a reference by its name alone, among files with the same module system. If the reference has a
    /// receiver, only members are considered.
    fn by_name(&self, reference: &ReferenceFact<'_>) -> Resolution {
        let same_named = self.symbols.named(reference.name);
        let is_free = reference.receiver.is_empty();
        if same_named.len() > MAX_DEFINITIONS_OF_NAME
            || (!is_free && self.is_standard(reference.name))
        {
            return Resolution::Unknown;
        }
        let fitting = self.fitting(
            reference,
            same_named.iter().copied().filter(|symbol| {
                let is_member = is_member(self.symbols, *symbol);
                let fits = if self.modules.declares_types(self.file) {
                    is_free != is_member
                } else {
                    is_free || is_member
                };
                fits && self.has_same_modules(*symbol)
            }),
        );
        match fitting {
            Some(fitting) => Resolution::Symbols(fitting, if is_free { 0.6 } else { 0.5 }),
            None => Resolution::Unknown,
        }
    }
}
