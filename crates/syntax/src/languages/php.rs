//! Extracts definitions and references from PHP source, including PHP embedded in HTML.

use tree_sitter::Node;

use super::named_children;
use crate::complexity::Branch;
use crate::conventions::php_method_kind;
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Next, Rule};
use crate::outline::{Imported, ReferenceKind};
use crate::span::Span;
use crate::walk::{Draft, Walk, span};

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_php::LANGUAGE_PHP.into(),
    nodes: &[RULES],
    tokens: &[("??", Rule::Operator), ("and", Rule::Operator), ("or", Rule::Operator)],
};

const RULES: &[(&str, Rule)] = &[
    ("namespace_definition", Rule::Define(Kind::Module)),
    ("trait_declaration", Rule::Define(Kind::Trait)),
    ("enum_case", Rule::Define(Kind::Variant)),
    ("method_declaration", Rule::Named(method)),
    ("property_declaration", Rule::Visit(property)),
    ("property_promotion_parameter", Rule::Named(promoted)),
    ("const_declaration", Rule::Visit(constant)),
    ("base_clause class_interface_clause use_declaration", Rule::Inherit),
    ("namespace_use_declaration", Rule::Leaf(import)),
    ("include_expression include_once_expression require_expression", Rule::Decide(include)),
    ("require_once_expression", Rule::Decide(include)),
    ("attribute", Rule::Visit(attribute)),
    ("function_call_expression member_call_expression nullsafe_member_call_expression", Rule::Call),
    ("scoped_call_expression", Rule::Call),
    ("object_creation_expression", Rule::Visit(construct)),
    ("class_constant_access_expression", Rule::Visit(class_constant)),
    ("named_type", Rule::ScopedType),
    ("variable_name", Rule::Skip),
    ("name", Rule::Name),
    ("encapsed_string", Rule::Text),
    ("heredoc_body nowdoc_body", Rule::Visit(|walk, node| walk.trimmed_text(node))),
    ("else_if_clause", Rule::Branch(Branch::ElseIf)),
    ("foreach_statement", Rule::Branch(Branch::Loop)),
    ("case_statement match_conditional_expression", Rule::Branch(Branch::Case)),
    ("arrow_function", Rule::Closure),
];

fn method(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    let attributes = node.child_by_field_name("attributes").map(|it| walk.bytes(it));
    let kind = php_method_kind(walk.bytes(name), attributes.unwrap_or_default());
    walk.define(Draft::new(kind, node, name).body(walk.field(node, Field::Body)));
}

fn property(walk: &mut Walk<'_>, node: Node<'_>) {
    for element in named_children(node) {
        if element.kind() == "property_element"
            && let Some(name) = walk.field(element, Field::Name)
        {
            walk.define_leaf(Draft::named(Kind::Field, node, without_dollar(name)));
        }
    }
}

/// Records a promoted constructor parameter: `__construct(private Clock $clock)` defines the class's field `clock`.
fn promoted(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    let method = walk.builder.step_out();
    walk.define_leaf(Draft::named(Kind::Field, node, without_dollar(name)));
    walk.builder.enclosing = method;
}

fn without_dollar(name: Node<'_>) -> Span {
    let Span { start, end } = span(name);
    Span { start: (start + 1).min(end), end }
}

fn constant(walk: &mut Walk<'_>, node: Node<'_>) {
    for element in named_children(node) {
        let name = element.named_child(0).filter(|_| element.kind() == "const_element");
        if let Some(name) = name {
            walk.define_leaf(Draft::new(Kind::Constant, node, name));
        }
    }
}

/// Records imports such as `use A\B as C;` and `use A\{B, C};`.
fn import(walk: &mut Walk<'_>, node: Node<'_>) {
    let mut prefix = String::new();
    for part in named_children(node) {
        match part.kind() {
            "namespace_name" => span(part).text(walk.source).clone_into(&mut prefix),
            "namespace_use_clause" => import_clause(walk, &prefix, part),
            "namespace_use_group" => {
                for clause in named_children(part) {
                    import_clause(walk, &prefix, clause);
                }
            }
            _ => {}
        }
    }
}

fn import_clause(walk: &mut Walk<'_>, prefix: &str, clause: Node<'_>) {
    let Some(whole) = clause.named_child(0) else { return };
    let Some(name) = walk.last_name(whole) else { return };
    let scope = walk.receiver(whole, name).map(|it| it.text(walk.source)).unwrap_or_default();
    let separator = if prefix.is_empty() || scope.is_empty() { "" } else { "\\" };
    let path = format!("{prefix}{separator}{scope}");
    let alias = walk.field(clause, Field::Alias).map(span);
    walk.import(path, Imported::Item(span(name)), alias, clause);
}

fn include(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let path = node.named_child(0).filter(|it| matches!(it.kind(), "string" | "encapsed_string"));
    if let Some(path) = path {
        let path = walk.without_quotes(path).text(walk.source);
        walk.import(path, Imported::Module, None, node);
        return Next::Skip;
    }
    Next::Descend
}

fn attribute(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = node.named_child(0) {
        walk.refer_to(ReferenceKind::Type, name);
    }
}

fn construct(walk: &mut Walk<'_>, node: Node<'_>) {
    let built = node.named_child(0).filter(|it| matches!(it.kind(), "name" | "qualified_name"));
    if let Some(built) = built {
        walk.refer_to(ReferenceKind::Call, built);
    }
}

/// Records `Status::Active` as a use of `Active`, and `User::class` as a reference to the type `User`.
fn class_constant(walk: &mut Walk<'_>, node: Node<'_>) {
    if let (Some(class), Some(name)) = (node.named_child(0), node.named_child(1)) {
        if walk.bytes(name) == b"class" {
            walk.refer_to(ReferenceKind::Type, class);
        } else {
            walk.record(ReferenceKind::Use, name, walk.receiver(node, name));
        }
        walk.claim(span(name));
    }
}
