//! Extracts definitions and references from Scala 2 and Scala 3 source with the tree-sitter grammar.

use tree_sitter::Node;

use crate::complexity::Branch;
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Rule};
use crate::outline::{Imported, ReferenceKind};
use crate::span::Span;
use crate::walk::{Draft, Walk};

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_scala::LANGUAGE.into(),
    nodes: &[&[
        ("class_definition object_definition", Rule::Define(Kind::Class)),
        ("package_object", Rule::Define(Kind::Module)),
        ("trait_definition", Rule::Define(Kind::Trait)),
        ("enum_definition", Rule::Define(Kind::Enum)),
        ("simple_enum_case full_enum_case", Rule::Define(Kind::Variant)),
        ("function_declaration", Rule::Define(Kind::Function)),
        ("given_definition", Rule::Define(Kind::Constant)),
        ("type_definition", Rule::Define(Kind::TypeAlias)),
        ("val_definition var_definition", Rule::Visit(value)),
        ("val_declaration var_declaration class_parameter", Rule::Define(Kind::Field)),
        ("extends_clause", Rule::Inherit),
        ("import_declaration", Rule::Leaf(import)),
        ("package_identifier", Rule::Skip),
        ("call_expression", Rule::Visit(call)),
        ("instance_expression", Rule::Visit(construct)),
        ("field_expression", Rule::Member),
        ("stable_type_identifier", Rule::ScopedType),
        ("operator_identifier", Rule::Leaf(operator)),
        ("block_comment", Rule::Comment),
        ("interpolated_string", Rule::Text),
        ("while_expression do_while_expression for_expression", Rule::Branch(Branch::Loop)),
        ("case_clause", Rule::Branch(Branch::Case)),
    ]],
    tokens: &[("else", Rule::Branch(Branch::Else))],
};

fn value(walk: &mut Walk<'_>, node: Node<'_>) {
    let name = node.child_by_field_name("pattern").filter(|it| it.kind() == "identifier");
    if let Some(name) = name.filter(|_| walk.builder.callable.is_none()) {
        let kind =
            if walk.builder.enclosing_kind().is_some() { Kind::Field } else { Kind::Variable };
        walk.define(Draft::new(kind, node, name).body(walk.field(node, Field::Value)));
    }
}

/// Records imports such as `a.b.C`, `a.{B, C => D}` and `a._`. The grammar splits the path into separate nodes, so the
/// source text of the import is parsed instead.
fn import(walk: &mut Walk<'_>, node: Node<'_>) {
    let text = Span::new(node.byte_range()).text(walk.source);
    let Some(rest) = text.strip_prefix("import") else { return };
    let (path, items) = match rest.split_once('{') {
        Some((path, items)) => (path.trim().trim_end_matches('.'), items.trim_end_matches('}')),
        None => rest.trim().rsplit_once('.').unwrap_or(("", rest.trim())),
    };
    let start = node.start_byte();
    for item in items.split(',') {
        let (name, alias) = match item.split_once("=>").or_else(|| item.split_once(" as ")) {
            Some((name, alias)) => (name.trim(), Some(alias.trim())),
            None => (item.trim(), None),
        };
        // `part` is a slice of `text`, so the difference between their addresses is the offset of `part`.
        let place = |part: &str| {
            let offset = start + (part.as_ptr() as usize - text.as_ptr() as usize);
            Span::new(offset..offset + part.len())
        };
        let imported = match name {
            "_" | "*" => Imported::All,
            _ if name.is_empty() => continue,
            _ => Imported::Item(place(name)),
        };
        let alias = alias.map(place);
        walk.import(path, imported, alias, node);
    }
}

/// Records a call. A call such as `test("adds") { … }`, whose callee is another call, is recorded as a test.
fn call(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(function) = walk.field(node, Field::Function) else { return };
    if function.kind() == "call_expression" {
        let head = walk.field(function, Field::Function).map(|it| walk.bytes(it));
        let arguments = function.child_by_field_name("arguments");
        let title = arguments.and_then(|it| it.named_child(0)).filter(|it| it.kind() == "string");
        if let (Some(b"test" | b"it" | b"describe" | b"property"), Some(title)) = (head, title) {
            let draft = Draft::named(Kind::Test, node, walk.without_quotes(title));
            walk.define(draft.body(node.child_by_field_name("arguments")));
        }
        return;
    }
    walk.call(node);
}

fn construct(walk: &mut Walk<'_>, node: Node<'_>) {
    let built = node.named_child(0).filter(|it| it.kind().contains("type"));
    if let Some(built) = built {
        walk.refer_to(ReferenceKind::Call, built);
    }
}

fn operator(walk: &mut Walk<'_>, node: Node<'_>) {
    if matches!(walk.bytes(node), b"&&" | b"||") {
        walk.operator(node);
    }
}
