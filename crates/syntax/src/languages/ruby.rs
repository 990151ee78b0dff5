//! Extracts definitions and references from Ruby source with the tree-sitter grammar.

use tree_sitter::Node;

use super::named_children;
use crate::complexity::Branch;
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Next, Rule};
use crate::outline::{Imported, ReferenceKind};
use crate::span::Span;
use crate::walk::{Draft, Walk, span};

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_ruby::LANGUAGE.into(),
    nodes: &[&[
        ("method singleton_method", Rule::Named(method)),
        ("class", Rule::Visit(|walk, node| define_namespace(walk, Kind::Class, node))),
        ("module", Rule::Visit(|walk, node| define_namespace(walk, Kind::Module, node))),
        ("assignment", Rule::Visit(assignment)),
        ("call", Rule::Decide(call)),
        ("constant", Rule::Refer(ReferenceKind::Type)),
        ("scope_resolution", Rule::ScopedType),
        ("heredoc_body", Rule::Visit(|walk, node| walk.trimmed_text(node))),
        ("if unless if_modifier unless_modifier conditional", Rule::Branch(Branch::If)),
        ("elsif", Rule::Branch(Branch::ElseIf)),
        ("else", Rule::Branch(Branch::Else)),
        ("while until for while_modifier until_modifier", Rule::Branch(Branch::Loop)),
        ("rescue rescue_modifier", Rule::Branch(Branch::Catch)),
        ("case case_match", Rule::Branch(Branch::Switch)),
        ("when in_clause", Rule::Branch(Branch::Case)),
        ("block do_block", Rule::Closure),
    ]],
    tokens: &[("and", Rule::Operator), ("or", Rule::Operator)],
};

fn method(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    let text = walk.bytes(name);
    let kind = if text == b"initialize" { Kind::Constructor } else { Kind::Function };
    let kind = kind.or_test(text.starts_with(b"test_"));
    let body = walk.field(node, Field::Body);
    // If there are no parameters, the header ends with the name.
    let header = walk.field(node, Field::Parameters).unwrap_or(name);
    let draft = Draft::new(kind, node, name).body(body).signature_end(Some(header.end_byte()));
    walk.define(draft);
}

/// Records a class or module. In `class Billing::Invoice`, the owner is `Billing`.
fn define_namespace(walk: &mut Walk<'_>, kind: Kind, node: Node<'_>) {
    let Some(whole) = walk.field(node, Field::Name) else { return };
    let Some(name) = walk.last_name(whole) else { return };
    let header = node.child_by_field_name("superclass").unwrap_or(whole);
    let draft = Draft::new(kind, node, name).owner(walk.receiver(whole, name));
    walk.define(draft.signature_end(Some(header.end_byte())));
}

fn assignment(walk: &mut Walk<'_>, node: Node<'_>) {
    let left = walk.field(node, Field::Left).filter(|it| it.kind() == "constant");
    if let Some(name) = left.filter(|_| walk.builder.callable.is_none()) {
        walk.define(Draft::new(Kind::Constant, node, name));
    }
}

/// Records a call. In Ruby, attributes, imports, mixins and tests are method calls too.
fn call(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let Some(method) = walk.field(node, Field::Method) else { return Next::Descend };
    let has_receiver = node.child_by_field_name("receiver").is_some();
    let arguments = node.child_by_field_name("arguments");
    let first = arguments.and_then(|it| it.named_child(0));
    let name = walk.bytes(method);
    match (name, first, arguments) {
        (b"require" | b"require_relative" | b"load" | b"autoload", Some(path), _)
            if path.kind() == "string" =>
        {
            let relative = if name == b"require_relative" { "./" } else { "" };
            let path = format!("{relative}{}", walk.without_quotes(path).text(walk.source));
            walk.import(path, Imported::Module, None, node);
            return Next::Skip;
        }
        (b"attr_accessor" | b"attr_reader" | b"attr_writer", _, Some(arguments)) => {
            define_attributes(walk, node, arguments);
        }
        (b"include" | b"extend" | b"prepend", _, Some(arguments)) if !has_receiver => {
            walk.inherit_each(arguments);
        }
        (b"describe" | b"context" | b"it" | b"specify" | b"test" | b"scenario", Some(title), _) => {
            if let Some(block) = node.child_by_field_name("block") {
                let draft = Draft::named(Kind::Test, node, walk.without_quotes(title));
                walk.define(draft.body(Some(block)));
                walk.claim(span(block));
                return Next::Descend;
            }
        }
        _ => {}
    }
    walk.call(node);
    Next::Descend
}

fn define_attributes(walk: &mut Walk<'_>, node: Node<'_>, arguments: Node<'_>) {
    for symbol in named_children(arguments) {
        let Span { start, end } = span(symbol);
        if symbol.kind() == "simple_symbol" && end > start + 1 {
            let name = Span { start: start + 1, end };
            walk.define_leaf(Draft::named(Kind::Property, node, name));
        }
    }
}
