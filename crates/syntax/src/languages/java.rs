//! Extracts definitions and references from Java source with the tree-sitter grammar.

use tree_sitter::Node;

use crate::complexity::Branch;
use crate::conventions::{has_test_annotation, java_field_kind};
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Next, Rule};
use crate::outline::{Import, Imported, ReferenceKind};
use crate::walk::{Draft, Walk, line, span};

use super::annotation;

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_java::LANGUAGE.into(),
    nodes: &[&[
        ("class_declaration", Rule::Define(Kind::Class)),
        ("record_declaration", Rule::Define(Kind::Class)),
        ("interface_declaration", Rule::Define(Kind::Interface)),
        ("annotation_type_declaration", Rule::Define(Kind::Interface)),
        ("enum_declaration", Rule::Define(Kind::Enum)),
        ("enum_constant", Rule::Define(Kind::Variant)),
        ("method_declaration", Rule::Visit(method)),
        ("annotation_type_element_declaration", Rule::Define(Kind::Method)),
        ("constructor_declaration", Rule::Define(Kind::Constructor)),
        ("compact_constructor_declaration", Rule::Define(Kind::Constructor)),
        ("field_declaration", Rule::Visit(field)),
        ("constant_declaration", Rule::Visit(field)),
        ("superclass", Rule::Inherit),
        ("type_list", Rule::Inherit),
        ("import_declaration", Rule::Visit(import)),
        ("package_declaration", Rule::Skip),
        ("annotation", Rule::Visit(annotation)),
        ("marker_annotation", Rule::Visit(annotation)),
        ("method_invocation", Rule::Call),
        ("object_creation_expression", Rule::Construct),
        ("method_reference", Rule::Visit(method_reference)),
        ("field_access", Rule::Member),
        ("scoped_type_identifier", Rule::ScopedType),
        ("type_identifier", Rule::Refer(ReferenceKind::Type)),
        ("identifier", Rule::Name),
        ("line_comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("string_literal", Rule::Text),
        ("if_statement", Rule::Branch(Branch::If)),
        ("ternary_expression", Rule::Branch(Branch::If)),
        ("for_statement", Rule::Branch(Branch::Loop)),
        ("enhanced_for_statement", Rule::Branch(Branch::Loop)),
        ("while_statement", Rule::Branch(Branch::Loop)),
        ("do_statement", Rule::Branch(Branch::Loop)),
        ("catch_clause", Rule::Branch(Branch::Catch)),
        ("switch_expression", Rule::Branch(Branch::Switch)),
        ("switch_label", Rule::Branch(Branch::Case)),
        ("lambda_expression", Rule::Closure),
    ]],
    tokens: &[("&&", Rule::Operator), ("||", Rule::Operator), ("else", Rule::Branch(Branch::Else))],
};

fn method(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let Some(name) = walk.field(node, Field::Name) else { return Next::Descend };
    let modifiers = node.named_child(0).filter(|it| it.kind() == "modifiers");
    if has_test_annotation(modifiers.map(|it| walk.bytes(it)).unwrap_or_default()) {
        walk.mark_as_test();
    }
    walk.define(Draft::new(Kind::Method, node, name).body(walk.field(node, Field::Body)));
    Next::Descend
}

fn field(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let mut cursor = node.walk();
    for declarator in node.children_by_field_name("declarator", &mut cursor) {
        if let Some(name) = walk.field(declarator, Field::Name) {
            walk.define_leaf(Draft::new(java_field_kind(walk.bytes(name)), node, name));
        }
    }
    Next::Descend
}

fn import(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let Some(path) = node.named_child(0) else { return Next::Skip };
    let is_wildcard = node.named_child(1).is_some_and(|it| it.kind() == "asterisk");
    let scope = path.child_by_field_name("scope").filter(|_| !is_wildcard);
    let imported = match walk.field(path, Field::Name) {
        _ if is_wildcard => Imported::All,
        Some(name) => Imported::Item(span(name)),
        None => Imported::Module,
    };
    let path = span(scope.unwrap_or(path)).text(walk.source).to_owned();
    walk.import(Import { path, imported, alias: None, line: line(node) });
    Next::Skip
}

/// Records a method reference, such as `User::name`, as a use of the method.
fn method_reference(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let last = node.named_child_count().checked_sub(1).and_then(|it| node.named_child(it as u32));
    if let Some(name) = last.filter(|it| it.kind() == "identifier") {
        walk.record(ReferenceKind::Use, name, walk.receiver(node, name));
        walk.claim(span(name));
    }
    Next::Descend
}
