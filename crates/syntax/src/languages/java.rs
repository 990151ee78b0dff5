//! Extracts definitions and references from Java source with the tree-sitter grammar.

use tree_sitter::Node;

use crate::complexity::Branch;
use crate::conventions::{has_test_annotation, java_field_kind};
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Rule};
use crate::outline::{Imported, ReferenceKind};
use crate::walk::{Draft, Walk, span};

use super::annotation;

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_java::LANGUAGE.into(),
    nodes: &[&[
        ("record_declaration", Rule::Define(Kind::Class)),
        ("annotation_type_declaration", Rule::Define(Kind::Interface)),
        ("enum_constant", Rule::Define(Kind::Variant)),
        ("method_declaration", Rule::Named(method)),
        ("annotation_type_element_declaration", Rule::Define(Kind::Method)),
        ("constructor_declaration", Rule::Define(Kind::Constructor)),
        ("compact_constructor_declaration", Rule::Define(Kind::Constructor)),
        ("field_declaration constant_declaration", Rule::Visit(field)),
        ("type_list", Rule::Inherit),
        ("import_declaration", Rule::Leaf(import)),
        ("package_declaration", Rule::Skip),
        ("annotation marker_annotation", Rule::Named(annotation)),
        ("method_invocation", Rule::Call),
        ("object_creation_expression", Rule::Construct),
        ("method_reference", Rule::Visit(method_reference)),
        ("field_access", Rule::Member),
        ("scoped_type_identifier", Rule::ScopedType),
        ("block_comment", Rule::Comment),
        ("enhanced_for_statement", Rule::Branch(Branch::Loop)),
        ("switch_label", Rule::Branch(Branch::Case)),
    ]],
    tokens: &[("else", Rule::Branch(Branch::Else))],
};

fn method(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    let modifiers = node.named_child(0).filter(|it| it.kind() == "modifiers");
    let modifiers = modifiers.map(|it| walk.bytes(it)).unwrap_or_default();
    let kind = Kind::Method.or_test(has_test_annotation(modifiers));
    walk.define(Draft::new(kind, node, name).body(walk.field(node, Field::Body)));
}

fn field(walk: &mut Walk<'_>, node: Node<'_>) {
    let mut cursor = node.walk();
    for declarator in node.children_by_field_name("declarator", &mut cursor) {
        if let Some(name) = walk.field(declarator, Field::Name) {
            walk.define_leaf(Draft::new(java_field_kind(walk.bytes(name)), node, name));
        }
    }
}

fn import(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(path) = node.named_child(0) else { return };
    let is_wildcard = node.named_child(1).is_some_and(|it| it.kind() == "asterisk");
    let scope = path.child_by_field_name("scope").filter(|_| !is_wildcard);
    let imported = match walk.field(path, Field::Name) {
        _ if is_wildcard => Imported::All,
        Some(name) => Imported::Item(span(name)),
        None => Imported::Module,
    };
    walk.import(span(scope.unwrap_or(path)).text(walk.source), imported, None, node);
}

/// Records a method reference, such as `User::name`, as a use of the method.
fn method_reference(walk: &mut Walk<'_>, node: Node<'_>) {
    let last = node.named_child_count().checked_sub(1).and_then(|it| node.named_child(it as u32));
    if let Some(name) = last.filter(|it| it.kind() == "identifier") {
        walk.record(ReferenceKind::Use, name, walk.receiver(node, name));
        walk.claim(span(name));
    }
}
