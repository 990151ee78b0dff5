//! Follows inheritance edges to a type's base types.

use index::{EdgeKind, Node, SymbolId, View};

const MAX_INHERITANCE_DEPTH: usize = 6;

/// Returns the methods called `name` that override one of `definitions`, each with the qualified name of the method
/// that it overrides.
pub(super) fn overrides(
    view: &View,
    name: &str,
    definitions: &[SymbolId],
) -> Vec<(SymbolId, String)> {
    let overridden = |id: SymbolId| {
        let parent = view.symbol(id).parent?;
        ancestors(view, parent).into_iter().find_map(|ancestor| {
            let mut members = view.symbols_in(view.file_of(ancestor));
            let base =
                members.find(|member| member.parent == Some(ancestor) && member.name == name)?;
            definitions.contains(&base.id).then(|| base.qualified.to_owned())
        })
    };
    view.symbols_named(name).into_iter().filter_map(|id| Some((id, overridden(id)?))).collect()
}

/// Finds the inherited definition of a qualified member (`Type.member`): the definition of `member` in the nearest base
/// type that has one. Returns an empty vector if no base type defines it.
pub(super) fn inherited_symbols(view: &View, name: &str) -> Vec<SymbolId> {
    let mut parts = name.rsplit(['.', ':', '#']).filter(|part| !part.is_empty());
    let (Some(member), Some(owner)) = (parts.next(), parts.next()) else { return Vec::new() };
    let owners =
        view.symbols_named(owner).into_iter().filter(|id| view.symbol(*id).kind.has_methods());
    let mut bases = owners.flat_map(|owner| ancestors(view, owner));
    let found = bases.find_map(|base| {
        let is_member = |id: &SymbolId| view.symbol(*id).parent == Some(base);
        view.symbols_named(member).into_iter().find(is_member)
    });
    found.into_iter().collect()
}

/// Returns the types from which a type inherits, directly or indirectly, nearest first.
fn ancestors(view: &View, start: SymbolId) -> Vec<SymbolId> {
    let mut found = vec![start];
    let mut from = 0;
    for _ in 0..MAX_INHERITANCE_DEPTH {
        let end = found.len();
        for at in from..end {
            for edge in view.edges_from(Node::Symbol(found[at])) {
                if let (EdgeKind::Inherits, Node::Symbol(base)) = (edge.kind, edge.to)
                    && !found.contains(&base)
                {
                    found.push(base);
                }
            }
        }
        from = end;
    }
    found.remove(0);
    found
}
