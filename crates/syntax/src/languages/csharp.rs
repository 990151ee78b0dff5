//! Extracts definitions and references from C# source with the tree-sitter grammar.

use tree_sitter::Node;

use crate::complexity::Branch;
use crate::conventions::has_test_annotation;
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Rule};
use crate::outline::{Imported, ReferenceKind};
use crate::walk::{Draft, Walk, span};

use super::{annotation, child_of_kind, named_children};

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_c_sharp::LANGUAGE.into(),
    nodes: &[&[
        ("namespace_declaration file_scoped_namespace_declaration", Rule::Define(Kind::Module)),
        ("record_declaration", Rule::Define(Kind::Class)),
        ("struct_declaration", Rule::Define(Kind::Struct)),
        ("enum_member_declaration", Rule::Define(Kind::Variant)),
        ("delegate_declaration", Rule::Define(Kind::TypeAlias)),
        ("method_declaration", Rule::Named(method)),
        ("local_function_statement", Rule::Define(Kind::Function)),
        ("constructor_declaration", Rule::Define(Kind::Constructor)),
        ("destructor_declaration", Rule::Define(Kind::Method)),
        ("property_declaration event_declaration", Rule::Define(Kind::Property)),
        ("field_declaration event_field_declaration", Rule::Visit(field)),
        ("base_list", Rule::Inherit),
        ("using_directive", Rule::Leaf(using)),
        ("attribute", Rule::Named(annotation)),
        ("invocation_expression", Rule::Call),
        ("object_creation_expression", Rule::Construct),
        ("member_access_expression", Rule::Member),
        ("parameter", Rule::Named(parameter)),
        ("qualified_name", Rule::Leaf(qualified)),
        ("identifier", Rule::Leaf(identifier)),
        ("verbatim_string_literal interpolated_string_expression", Rule::Text),
        ("foreach_statement", Rule::Branch(Branch::Loop)),
        ("switch_section switch_expression_arm", Rule::Branch(Branch::Case)),
        ("anonymous_method_expression", Rule::Closure),
    ]],
    tokens: &[("??", Rule::Operator), ("else", Rule::Branch(Branch::Else))],
};

fn method(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    let is_test = named_children(node)
        .take_while(|it| it.kind() == "attribute_list")
        .any(|it| has_test_annotation(walk.bytes(it)));
    let draft = Draft::new(Kind::Method.or_test(is_test), node, name);
    walk.define(draft.body(walk.field(node, Field::Body)));
}

fn field(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(declaration) = child_of_kind(node, "variable_declaration") else { return };
    let is_constant = walk.bytes(node).windows(6).take(80).any(|it| it == b"const ");
    let kind = if is_constant { Kind::Constant } else { Kind::Field };
    for declarator in named_children(declaration) {
        if declarator.kind() == "variable_declarator"
            && let Some(name) = walk.field(declarator, Field::Name)
        {
            walk.define_leaf(Draft::new(kind, node, name));
        }
    }
}

/// Records an import. `using A.B;` imports all names in `A.B`; `using X = A.B;` defines an alias.
fn using(walk: &mut Walk<'_>, node: Node<'_>) {
    let alias = walk.field(node, Field::Name);
    let target =
        named_children(node).filter(|it| alias.is_none_or(|alias| alias.id() != it.id())).last();
    if let Some(target) = target {
        let imported = if alias.is_some() { Imported::Module } else { Imported::All };
        walk.import(span(target).text(walk.source), imported, alias.map(span), node);
    }
}

/// Records the parameters of a record or class as properties. Method parameters are not recorded as definitions.
fn parameter(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    if walk.builder.enclosing_kind() == Some(Kind::Class) {
        walk.define_leaf(Draft::new(Kind::Property, node, name));
    }
    walk.claim(span(name));
}

fn qualified(walk: &mut Walk<'_>, node: Node<'_>) {
    if walk.is_claimed(node) {
        return;
    }
    walk.refer_to(ReferenceKind::Type, node);
}

/// Records a name as a type if it starts with an upper-case letter and is not an argument, part of an assignment or
/// part of a pattern. Records any other name as a plain name. The grammar itself does not distinguish types from
/// values.
fn identifier(walk: &mut Walk<'_>, node: Node<'_>) {
    if walk.is_claimed(node) {
        return;
    }
    let capital = walk.bytes(node).first().is_some_and(u8::is_ascii_uppercase);
    let around = ["argument", "assignment_expression", "name_colon", "subpattern"];
    if capital && !around.iter().any(|kind| walk.parent_kind_is(kind)) {
        walk.record(ReferenceKind::Type, node, None);
    } else {
        walk.name(node);
    }
}
