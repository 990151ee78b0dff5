//! Extracts definitions and references from TypeScript and TSX source. Adds rules for types to the JavaScript rules.

use tree_sitter::Node;

use super::{javascript, named_children, script_bindings};
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Rule};
use crate::outline::ReferenceKind;
use crate::walk::{Draft, Walk};

pub(crate) const TYPESCRIPT: Grammar = Grammar {
    language: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    nodes: &[javascript::RULES, RULES],
    tokens: javascript::TOKENS,
};

pub(crate) const TSX: Grammar = Grammar {
    language: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    nodes: &[javascript::RULES, RULES],
    tokens: javascript::TOKENS,
};

const RULES: &[(&str, Rule)] = &[
    ("abstract_class_declaration", Rule::Define(Kind::Class)),
    ("enum_assignment", Rule::Define(Kind::Variant)),
    ("enum_body", Rule::Visit(enum_body)),
    ("type_alias_declaration", Rule::Define(Kind::TypeAlias)),
    ("function_signature", Rule::Named(javascript::function)),
    ("method_signature abstract_method_signature", Rule::Named(method_signature)),
    ("required_parameter optional_parameter", Rule::Visit(script_bindings::parameter)),
    ("property_signature", Rule::Visit(property)),
    ("public_field_definition", Rule::Visit(javascript::field)),
    ("internal_module module", Rule::Define(Kind::Module)),
    ("class_heritage", Rule::Descend),
    ("extends_clause", Rule::Visit(extends)),
    ("implements_clause extends_type_clause", Rule::Inherit),
    ("nested_type_identifier", Rule::ScopedType),
];

fn method_signature(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    walk.define(Draft::new(Kind::Method, node, name));
    script_bindings::function(walk, node);
}

/// Records the superclass. Its type arguments are not supertypes.
fn extends(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(class) = walk.field(node, Field::Value) {
        walk.refer_to(ReferenceKind::Inherit, class);
    }
}

/// Records the enum members that have no value. The grammar has no separate node kind for them.
fn enum_body(walk: &mut Walk<'_>, node: Node<'_>) {
    for name in named_children(node) {
        if matches!(name.kind(), "property_identifier" | "string") {
            walk.define_leaf(Draft::named(Kind::Variant, name, walk.without_quotes(name)));
        }
    }
}

/// Records a property of an interface or type alias as a field. The properties of anonymous types elsewhere are not
/// definitions.
fn property(walk: &mut Walk<'_>, node: Node<'_>) {
    let inside = walk.builder.enclosing_kind();
    if let Some(name) = walk.field(node, Field::Name)
        && matches!(inside, Some(Kind::Interface | Kind::TypeAlias))
    {
        let name = walk.without_quotes(name);
        script_bindings::variable(walk, node, name);
        walk.define(Draft::named(Kind::Field, node, name));
    }
}
