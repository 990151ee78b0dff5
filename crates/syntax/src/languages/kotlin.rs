//! Extracts definitions and references from Kotlin source. The grammar has few field names, so children are found by
//! their kinds.

use tree_sitter::Node;

use crate::complexity::Branch;
use crate::conventions::{has_test_annotation, is_upper_case};
use crate::definition::Kind;
use crate::grammar::{Grammar, Rule};
use crate::outline::Imported;
use crate::walk::{Draft, Walk, span};

use super::{call_of_first_child, child_of_kind, type_alias};

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_kotlin_sg::LANGUAGE.into(),
    nodes: &[&[
        ("class_declaration", Rule::Visit(class)),
        ("object_declaration", Rule::Visit(object)),
        ("type_alias", Rule::Visit(type_alias)),
        ("enum_entry", Rule::Visit(enum_entry)),
        ("function_declaration", Rule::Visit(function)),
        ("secondary_constructor", Rule::Visit(constructor)),
        ("property_declaration", Rule::Visit(property)),
        ("class_parameter", Rule::Visit(class_parameter)),
        ("delegation_specifier", Rule::Inherit),
        ("import_header", Rule::Leaf(import)),
        ("package_header", Rule::Skip),
        ("call_expression", Rule::Visit(call_of_first_child)),
        ("navigation_expression", Rule::Member),
        ("simple_identifier", Rule::Name),
        ("identifier", Rule::Descend),
        ("multiline_comment", Rule::Comment),
        ("do_while_statement", Rule::Branch(Branch::Loop)),
        ("when_expression", Rule::Branch(Branch::Switch)),
        ("when_entry", Rule::Branch(Branch::Case)),
        ("lambda_literal", Rule::Closure),
    ]],
    tokens: &[("?:", Rule::Operator), ("else", Rule::Leaf(otherwise))],
};

fn class(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = child_of_kind(node, "type_identifier") else { return };
    let header = walk.source.get(node.start_byte()..name.start_byte()).unwrap_or_default();
    let mut words = header.split(u8::is_ascii_whitespace);
    let kind = if words.clone().any(|word| word == b"interface") {
        Kind::Interface
    } else if words.any(|word| word == b"enum") {
        Kind::Enum
    } else {
        Kind::Class
    };
    let body = child_of_kind(node, "class_body").or_else(|| child_of_kind(node, "enum_class_body"));
    walk.define(Draft::new(kind, node, name).body(body));
}

fn object(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = child_of_kind(node, "type_identifier") {
        let body = child_of_kind(node, "class_body");
        walk.define(Draft::new(Kind::Class, node, name).body(body));
    }
}

fn enum_entry(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = child_of_kind(node, "simple_identifier") {
        walk.define(Draft::new(Kind::Variant, node, name));
    }
}

/// Records a function. An extension function such as `fun String.shout()` is recorded as a method with the owner
/// `String`.
fn function(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = child_of_kind(node, "simple_identifier") else { return };
    let modifiers = child_of_kind(node, "modifiers").map(|it| walk.bytes(it));
    let is_test = has_test_annotation(modifiers.unwrap_or_default());
    let extended = child_of_kind(node, "receiver_type").or_else(|| {
        child_of_kind(node, "user_type").filter(|it| it.end_byte() < name.start_byte())
    });
    let owner = extended.and_then(|it| walk.last_name(it)).map(span);
    let kind = if owner.is_some() { Kind::Method } else { Kind::Function };
    let body = child_of_kind(node, "function_body");
    let name = walk.without_quotes(name);
    walk.define(Draft::named(kind.or_test(is_test), node, name).owner(owner).body(body));
}

fn constructor(walk: &mut Walk<'_>, node: Node<'_>) {
    let mut cursor = node.walk();
    let keyword = node.children(&mut cursor).find(|it| it.kind() == "constructor");
    if let Some(keyword) = keyword {
        let body = child_of_kind(node, "statements");
        walk.define(Draft::new(Kind::Constructor, node, keyword).body(body));
    }
}

fn property(walk: &mut Walk<'_>, node: Node<'_>) {
    let declared = child_of_kind(node, "variable_declaration");
    let name = declared.and_then(|it| child_of_kind(it, "simple_identifier"));
    if let Some(name) = name.filter(|_| walk.builder.callable.is_none()) {
        let is_constant = is_upper_case(walk.bytes(name));
        let kind = match walk.builder.enclosing_kind() {
            _ if is_constant => Kind::Constant,
            Some(_) => Kind::Property,
            None => Kind::Variable,
        };
        walk.define(Draft::new(kind, node, name));
    }
}

/// Records the properties that a constructor declares, such as `name` in `class User(val name: String)`.
fn class_parameter(walk: &mut Walk<'_>, node: Node<'_>) {
    let name = child_of_kind(node, "simple_identifier");
    if let Some(name) = name.filter(|_| child_of_kind(node, "binding_pattern_kind").is_some()) {
        walk.define(Draft::new(Kind::Property, node, name));
    }
}

fn import(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(path) = child_of_kind(node, "identifier") else { return };
    let alias = child_of_kind(node, "import_alias").and_then(|it| it.named_child(0)).map(span);
    let last = path.named_child_count().checked_sub(1).and_then(|it| path.named_child(it as u32));
    let (path, imported) = match last {
        Some(name) if child_of_kind(node, "wildcard_import").is_none() => {
            (walk.receiver(path, name).unwrap_or(span(path)), Imported::Item(span(name)))
        }
        _ => (span(path), Imported::All),
    };
    walk.import(path.text(walk.source), imported, alias, node);
}

/// Records an `else` branch. The `else` branch of a `when` is skipped, because it is not a decision.
fn otherwise(walk: &mut Walk<'_>, node: Node<'_>) {
    if !walk.parent_kind_is("when_entry") {
        walk.branch(Branch::Else, node);
    }
}
