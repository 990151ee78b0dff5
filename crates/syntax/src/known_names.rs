//! Decides which plain names in expressions are recorded as references. Most plain names are local variables, so a name
//! is recorded only if the file imports it or defines it, usually at the top level. Each name is recorded once per
//! enclosing definition.

use rustc_hash::FxHashSet;

use crate::binding::{Binding, BindingKind};
use crate::definition::{DefinitionId, Kind};
use crate::languages::Language;
use crate::outline::{Imported, Outline, Reference, ReferenceKind};

/// Adds those of the candidates that are known in the file to the references. For a candidate with a receiver, the receiver must
/// be known; for any other candidate, the name must be known. Then sorts all references by position and adds the
/// bindings for supertypes.
pub(crate) fn keep_known(outline: &mut Outline, source: &[u8], candidates: &[Reference]) {
    let known = known_names(outline, source);
    let mut kept = FxHashSet::default();
    let is_new = |candidate: &&Reference| {
        let root = candidate.receiver.unwrap_or(candidate.name).of(source);
        known.contains(root) && kept.insert((candidate.enclosing, candidate.name.of(source)))
    };
    let used: Vec<Reference> = candidates.iter().filter(is_new).copied().collect();
    outline.references.extend(used);
    outline.references.sort_by_key(|it| it.name);
    bind_bases(outline, source);
}

/// Adds a binding for each supertype.
fn bind_bases(outline: &mut Outline, source: &[u8]) {
    let supertypes = outline.references.iter().filter(|it| it.kind == ReferenceKind::Inherit);
    for Reference { name, receiver, enclosing, .. } in supertypes {
        let start = receiver.filter(|it| !it.is_empty()).map_or(name.start, |it| it.start);
        let text = source.get(start as usize..name.end as usize).unwrap_or_default();
        let value = crate::chain::read_chain(text, 0).map(|chain| chain.text).unwrap_or_default();
        let (kind, name) = (BindingKind::Base, *name);
        outline.bindings.push(Binding { kind, scope: *enclosing, name, value });
    }
}

fn known_names<'s>(outline: &'s Outline, source: &'s [u8]) -> FxHashSet<&'s [u8]> {
    let mut known = FxHashSet::default();
    for import in &outline.imports {
        match (import.alias, import.imported) {
            (Some(name), _) | (None, Imported::Item(name)) => {
                known.insert(name.of(source));
            }
            (None, Imported::Module) => {
                let mut parts =
                    import.path.split(['.', '/', ':', '\\']).filter(|it| !it.is_empty());
                known.extend(parts.next().map(str::as_bytes));
                known.extend(parts.next_back().map(str::as_bytes));
            }
            (None, Imported::All | Imported::File) => {}
        }
    }
    let kind_of = |id: DefinitionId| outline.definitions.get(id.index()).map(|it| it.kind);
    for definition in &outline.definitions {
        let is_at_top =
            definition.container.and_then(kind_of).is_none_or(|kind| kind == Kind::Module);
        if is_value(outline.language, definition.kind, is_at_top) {
            known.insert(definition.name.of(source));
        }
    }
    // `_` discards a value in Go, Python and other languages.
    known.remove(b"_".as_slice());
    known
}

/// Returns whether a plain name can refer to a definition of this kind. `is_at_top` is true if the definition is at
/// the top level or directly inside a module.
fn is_value(language: Language, kind: Kind, is_at_top: bool) -> bool {
    // In Rust, the name of a macro is followed by an exclamation mark. In C, the name of a structure or enumeration is
    // preceded by a keyword.
    let is_marked = (language == Language::Rust && kind == Kind::Macro)
        || (language == Language::C && matches!(kind, Kind::Struct | Kind::Enum));
    // In Ruby, a call without arguments looks like a variable.
    let is_bare_call = language == Language::Ruby && kind.is_callable();
    !is_marked && (is_at_top || is_bare_call || kind == Kind::Constant)
}

pub(crate) fn is_plain(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii())
}
