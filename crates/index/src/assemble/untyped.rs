//! Resolves references in languages without bindings. Scopes and imports are used if the language has them; otherwise
//! references are resolved by name alone, with lower confidence.

use syntax::Kind;

use super::imports::ImportedName;
use super::resolve::{FileResolver, MAX_DEFINITIONS_OF_NAME, is_member, last_name};
use super::symbols::owner_of;
use super::values::Entity;
use crate::facts::{LITERAL, ReferenceFact, UNNAMED};

impl<'a> FileResolver<'_, 'a> {
    /// Resolves a reference in a language without bindings. The last name of the receiver is compared with the names
    /// of modules and types.
    pub(super) fn by_rules(&self, reference: &ReferenceFact<'a>) -> (Vec<u32>, f32) {
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
    fn own_type(&self, reference: &ReferenceFact<'a>) -> Option<&'a str> {
        let mut next = self.enclosing(reference);
        while let Some(symbol) = next {
            let row = self.row(symbol);
            if row.fact.kind.has_methods() {
                return Some(row.fact.name);
            }
            // In Go, `func (s *Server) Run()` is not nested in its type; the receiver names the type.
            if row.fact.kind == Kind::Method && row.parent.is_none() {
                return owner_of(row);
            }
            next = row.parent;
        }
        None
    }

    /// Resolves a name without a receiver: in this file, then in its imports, then in its package, then among the
    /// members of the enclosing type.
    fn by_scope(&self, reference: &ReferenceFact<'a>) -> Option<(Vec<u32>, f32)> {
        let name = reference.name;
        let free = |symbol: &u32| !is_member(&self.symbols.rows, *symbol);
        let free_in = |file: u32| self.symbols.in_file(file, name).filter(free);
        if let Some(here) = self.fitting(reference, free_in(self.file)) {
            return Some((here, 0.95));
        }
        if let Some(imported) = self.scope.imported(name) {
            let is_inside = imported.iter().any(|import| !import.files.is_empty());
            if let Some(found) = self.imported_symbols(reference, imported) {
                return Some((found, 0.95));
            }
            // The name is imported from outside the tree, so a symbol with this name in the tree is unrelated.
            if !is_inside {
                return Some((Vec::new(), 0.0));
            }
        }
        if let Some(opened) =
            self.fitting(reference, self.scope.open.iter().flat_map(|file| free_in(*file)))
        {
            return Some((opened, 0.85));
        }
        if self.modules.has_packages(self.file)
            && let Some(package) =
                self.fitting(reference, self.symbols.in_folder(self.folder, name).filter(free))
        {
            return Some((package, 0.9));
        }
        // In some languages a bare name may also refer to a method of the enclosing type.
        self.by_own_type(reference)
    }

    /// Returns the symbols to which an imported name refers, also if the imported module re-exports them.
    fn imported_symbols(
        &self,
        reference: &ReferenceFact<'a>,
        imported: &[ImportedName<'a>],
    ) -> Option<Vec<u32>> {
        let places = || {
            imported.iter().flat_map(|import| {
                let name = if import.item.is_empty() { reference.name } else { import.item };
                import.files.iter().map(move |file| (*file, name))
            })
        };
        let free = |symbol: &u32| !is_member(&self.symbols.rows, *symbol);
        let direct =
            places().flat_map(|(file, name)| self.symbols.in_file(file, name).filter(free));
        self.fitting(reference, direct).or_else(|| {
            let exported = places().filter_map(|(file, name)| self.values.in_module(file, name, 1));
            let symbols = exported.filter_map(|entity| match entity {
                Entity::Symbol(symbol) => Some(symbol),
                Entity::Module(_) | Entity::Variable(_) | Entity::External => None,
            });
            self.fitting(reference, symbols)
        })
    }

    /// Resolves `self.x` among the members of the enclosing type: in this file, otherwise in other files.
    fn by_own_type(&self, reference: &ReferenceFact<'a>) -> Option<(Vec<u32>, f32)> {
        let own = self.own_type(reference)?;
        self.members_of(own, reference).map(|members| (members, 0.95))
    }

    /// Resolves `x.name`, where `x` is a module, a type, or a variable named after its type.
    fn by_receiver(
        &self,
        reference: &ReferenceFact<'a>,
        receiver: &str,
    ) -> Option<(Vec<u32>, f32)> {
        if let Some(files) = self.scope.files_of(receiver) {
            if files.is_empty() {
                return Some((Vec::new(), 0.0));
            }
            let inside = files.iter().flat_map(|file| self.symbols.in_file(*file, reference.name));
            if let Some(inside) = self.fitting(reference, inside) {
                return Some((inside, 0.9));
            }
        }
        if let Some(members) = self.members_of(receiver, reference) {
            return Some((members, 0.9));
        }
        if receiver.len() > 2
            && let Some(like) =
                self.fitting(reference, self.symbols.of_normalized_owner(receiver, reference.name))
        {
            return Some((like, 0.75));
        }
        if let Some(inside) = self.in_module(receiver, reference) {
            return Some((inside, 0.8));
        }
        Some(self.by_name(reference))
    }

    /// Resolves `store::open()` in a file that does not import `store`. The function may be in that module or in one of
    /// its submodules, because a module can re-export names of its submodules.
    fn in_module(&self, receiver: &str, reference: &ReferenceFact<'a>) -> Option<Vec<u32>> {
        let modules = self.modules.modules_named(self.file, receiver)?;
        let same_named = self.symbols.by_name.get(reference.name)?;
        let is_inside = |symbol: &u32| {
            let file = self.row(*symbol).file;
            !is_member(&self.symbols.rows, *symbol)
                && modules.iter().any(|module| self.modules.is_in(file, module))
        };
        self.fitting(reference, same_named.iter().copied().filter(is_inside))
    }

    /// Returns the matching members of the type `owner`: those in this file, or if there are none, those in other
    /// files.
    fn members_of(&self, owner: &str, reference: &ReferenceFact<'a>) -> Option<Vec<u32>> {
        let members = || self.symbols.of_owner(owner, reference.name);
        let here =
            self.fitting(reference, members().filter(|symbol| self.row(*symbol).file == self.file));
        here.or_else(|| {
            self.fitting(reference, members().filter(|symbol| self.has_same_modules(*symbol)))
        })
    }

    /// Resolves a reference by its name alone, among files with the same module system. If the reference has a
    /// receiver, only members are considered.
    fn by_name(&self, reference: &ReferenceFact<'a>) -> (Vec<u32>, f32) {
        let same_named = self.symbols.by_name.get(reference.name).map_or(&[][..], Vec::as_slice);
        let is_free = reference.receiver.is_empty();
        if same_named.len() > MAX_DEFINITIONS_OF_NAME
            || (!is_free && self.is_standard(reference.name))
        {
            return (Vec::new(), 0.0);
        }
        let fitting = self.fitting(
            reference,
            same_named.iter().copied().filter(|symbol| {
                self.has_same_modules(*symbol)
                    && (is_free || is_member(&self.symbols.rows, *symbol))
            }),
        );
        (fitting.unwrap_or_default(), if is_free { 0.6 } else { 0.5 })
    }
}
