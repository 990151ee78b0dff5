//! Extracts definitions and references from Swift source with the tree-sitter grammar.

use tree_sitter::Node;

use crate::complexity::Branch;
use crate::conventions::has_test_annotation;
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Rule};
use crate::outline::Imported;
use crate::walk::{Draft, Walk, span};

use super::{call_of_first_child, child_of_kind};

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_swift::LANGUAGE.into(),
    nodes: &[&[
        ("class_declaration", Rule::Visit(class)),
        ("protocol_declaration", Rule::Define(Kind::Interface)),
        ("function_declaration", Rule::Named(function)),
        ("protocol_function_declaration", Rule::Define(Kind::Function)),
        ("init_declaration", Rule::Define(Kind::Constructor)),
        ("property_declaration protocol_property_declaration", Rule::Visit(property)),
        ("enum_entry", Rule::Visit(enum_entry)),
        ("typealias_declaration associatedtype_declaration", Rule::Define(Kind::TypeAlias)),
        ("inheritance_specifier", Rule::Inherit),
        ("import_declaration", Rule::Leaf(import)),
        ("call_expression constructor_expression", Rule::Visit(call_of_first_child)),
        ("navigation_expression", Rule::Member),
        ("simple_identifier", Rule::Name),
        ("identifier do_statement", Rule::Descend),
        ("value_argument_label", Rule::Skip),
        ("multiline_comment", Rule::Comment),
        ("line_string_literal multi_line_string_literal", Rule::Text),
        ("guard_statement switch_entry", Rule::Branch(Branch::Case)),
        ("repeat_while_statement", Rule::Branch(Branch::Loop)),
        ("lambda_literal", Rule::Closure),
        ("else", Rule::Branch(Branch::Else)),
    ]],
    tokens: &[("??", Rule::Operator), ("else", Rule::Branch(Branch::Else))],
};

/// Records a type or extension. The grammar uses the same node kind for classes, structures, actors, enumerations and
/// extensions.
fn class(walk: &mut Walk<'_>, node: Node<'_>) {
    let whole = walk.field(node, Field::Name);
    let Some(name) = whole.and_then(|it| walk.last_name(it)) else { return };
    let kind = match node.child_by_field_name("declaration_kind").map(|it| it.kind()) {
        Some("struct") => Kind::Struct,
        Some("enum") => Kind::Enum,
        Some("extension") => Kind::Extension,
        _ => Kind::Class,
    };
    walk.define(Draft::new(kind, node, name).body(walk.field(node, Field::Body)));
}

fn function(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    let modifiers = child_of_kind(node, "modifiers").map(|it| walk.bytes(it));
    let in_type = walk.builder.enclosing_kind().is_some();
    let is_test = in_type && walk.bytes(name).starts_with(b"test")
        || has_test_annotation(modifiers.unwrap_or_default());
    let draft = Draft::new(Kind::Function.or_test(is_test), node, name);
    walk.define(draft.body(walk.field(node, Field::Body)));
}

fn property(walk: &mut Walk<'_>, node: Node<'_>) {
    let pattern = walk.field(node, Field::Name);
    let name = pattern.and_then(|it| it.child_by_field_name("bound_identifier"));
    if let Some(name) = name.filter(|_| walk.builder.callable.is_none()) {
        let kind =
            if walk.builder.enclosing_kind().is_some() { Kind::Property } else { Kind::Variable };
        let body = node.child_by_field_name("computed_value");
        walk.define(Draft::new(kind, node, name).body(body));
    }
}

fn enum_entry(walk: &mut Walk<'_>, node: Node<'_>) {
    let mut cursor = node.walk();
    for name in node.children_by_field_name("name", &mut cursor) {
        walk.define_leaf(Draft::new(Kind::Variant, node, name));
    }
}

fn import(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(module) = child_of_kind(node, "identifier") {
        walk.import(span(module).text(walk.source), Imported::Module, None, node);
    }
}
