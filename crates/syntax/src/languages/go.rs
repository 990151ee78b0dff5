//! Extracts definitions and references from Go source with the tree-sitter grammar.

use tree_sitter::Node;

use crate::complexity::Branch;
use crate::conventions::is_go_test;
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Rule};
use crate::outline::{Imported, ReferenceKind};
use crate::walk::{Draft, Walk, span};

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_go::LANGUAGE.into(),
    nodes: &[&[
        ("function_declaration", Rule::Named(function)),
        ("method_declaration", Rule::Named(method)),
        ("method_elem", Rule::Define(Kind::Method)),
        ("type_spec", Rule::Named(type_spec)),
        ("type_alias", Rule::Define(Kind::TypeAlias)),
        ("field_declaration", Rule::Visit(field)),
        ("type_elem", Rule::Visit(embedded)),
        ("const_spec", Rule::Visit(|walk, node| define_names(walk, Kind::Constant, node))),
        ("var_spec", Rule::Visit(|walk, node| define_names(walk, Kind::Variable, node))),
        ("import_spec", Rule::Leaf(import)),
        ("package_clause", Rule::Skip),
        ("call_expression", Rule::Call),
        ("selector_expression", Rule::Member),
        ("qualified_type", Rule::ScopedType),
        ("interpreted_string_literal", Rule::Text),
        ("expression_switch_statement type_switch_statement", Rule::Branch(Branch::Switch)),
        ("select_statement", Rule::Branch(Branch::Switch)),
        ("expression_case type_case communication_case", Rule::Branch(Branch::Case)),
        ("func_literal", Rule::Closure),
    ]],
    tokens: &[("else", Rule::Branch(Branch::Else))],
};

fn function(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    let parameters = walk.field(node, Field::Parameters).map(|it| walk.bytes(it));
    let is_test = is_go_test(walk.bytes(name), parameters.unwrap_or_default());
    let kind = Kind::Function.or_test(is_test);
    walk.define(Draft::new(kind, node, name).body(walk.field(node, Field::Body)));
}

fn method(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    let receiver = node.child_by_field_name("receiver").and_then(|it| it.named_child(0));
    let receiver_type = receiver.and_then(|it| walk.field(it, Field::Type));
    let owner = receiver_type.and_then(|it| walk.last_name(it)).map(span);
    let draft = Draft::new(Kind::Method, node, name).owner(owner);
    walk.define(draft.body(walk.field(node, Field::Body)));
}

fn type_spec(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    let defined = walk.field(node, Field::Type);
    let kind = match defined.map(|it| it.kind()) {
        Some("struct_type") => Kind::Struct,
        Some("interface_type") => Kind::Interface,
        _ => Kind::TypeAlias,
    };
    walk.define(Draft::new(kind, node, name));
}

/// Records fields. A field without a name embeds its type, so the type is recorded as a supertype.
fn field(walk: &mut Walk<'_>, node: Node<'_>) {
    let mut cursor = node.walk();
    let mut is_named = false;
    for name in node.children_by_field_name("name", &mut cursor) {
        is_named = true;
        walk.define_leaf(Draft::new(Kind::Field, node, name));
    }
    match walk.field(node, Field::Type) {
        Some(embedded) if !is_named => walk.refer_to(ReferenceKind::Inherit, embedded),
        _ => {}
    }
}

fn embedded(walk: &mut Walk<'_>, node: Node<'_>) {
    if walk.builder.enclosing_kind() == Some(Kind::Interface) && node.named_child_count() == 1 {
        walk.inherit_each(node);
    }
}

fn define_names(walk: &mut Walk<'_>, kind: Kind, node: Node<'_>) {
    if walk.builder.callable.is_some() {
        return;
    }
    let mut cursor = node.walk();
    for name in node.children_by_field_name("name", &mut cursor) {
        if name.is_named() {
            walk.define_leaf(Draft::new(kind, node, name));
        }
    }
}

fn import(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(path) = walk.field(node, Field::Path) else { return };
    let path = walk.without_quotes(path).text(walk.source);
    let name = walk.field(node, Field::Name);
    let (imported, alias) = match name.map(|it| it.kind()) {
        Some("dot") => (Imported::All, None),
        _ => (Imported::Module, name.map(span)),
    };
    walk.import(path, imported, alias, node);
}
