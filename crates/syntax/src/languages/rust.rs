//! Extracts definitions and references from Rust source with the tree-sitter grammar.

use tree_sitter::Node;

use super::named_children;
use crate::complexity::Branch;
use crate::conventions::{is_camel_case, is_rust_test_attribute};
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Rule};
use crate::outline::{Imported, ReferenceKind};
use crate::span::Span;
use crate::walk::{Draft, Walk, span};

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_rust::LANGUAGE.into(),
    nodes: &[&[
        ("function_item function_signature_item", Rule::Define(Kind::Function)),
        ("struct_item union_item", Rule::Define(Kind::Struct)),
        ("enum_item", Rule::Define(Kind::Enum)),
        ("enum_variant", Rule::Define(Kind::Variant)),
        ("field_declaration", Rule::Define(Kind::Field)),
        ("trait_item", Rule::Named(trait_item)),
        ("impl_item", Rule::Visit(impl_item)),
        ("type_item associated_type", Rule::Define(Kind::TypeAlias)),
        ("const_item", Rule::Define(Kind::Constant)),
        ("static_item", Rule::Define(Kind::Variable)),
        ("macro_definition", Rule::Leaf(macro_definition)),
        ("mod_item", Rule::Named(mod_item)),
        ("attribute_item", Rule::Visit(attribute)),
        ("use_declaration", Rule::Leaf(use_declaration)),
        ("extern_crate_declaration", Rule::Leaf(extern_crate)),
        ("call_expression", Rule::Visit(call)),
        ("macro_invocation", Rule::Visit(macro_invocation)),
        ("identifier", Rule::Leaf(identifier)),
        ("type_identifier", Rule::Leaf(type_name)),
        ("scoped_type_identifier", Rule::ScopedType),
        ("scoped_identifier", Rule::Named(scoped_value)),
        ("block_comment", Rule::Comment),
        ("while_expression for_expression loop_expression", Rule::Branch(Branch::Loop)),
        ("match_arm", Rule::Branch(Branch::Case)),
        ("closure_expression", Rule::Closure),
    ]],
    tokens: &[],
};

fn trait_item(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    walk.define(Draft::new(Kind::Trait, node, name).body(walk.field(node, Field::Body)));
    if let Some(bounds) = node.child_by_field_name("bounds") {
        walk.inherit_each(bounds);
    }
}

/// Records an `impl` block as an extension. `impl Trait for Type` is recorded as an extension of `Type` with the
/// supertype `Trait`.
fn impl_item(walk: &mut Walk<'_>, node: Node<'_>) {
    let extended = walk.field(node, Field::Type);
    let Some(name) = extended.and_then(|it| walk.last_name(it).or_else(|| innermost_type(it)))
    else {
        return;
    };
    walk.define(Draft::new(Kind::Extension, node, name).body(walk.field(node, Field::Body)));
    if let Some(implemented) = node.child_by_field_name("trait") {
        walk.refer_to(ReferenceKind::Inherit, implemented);
    }
}

/// Returns the innermost type of a reference, slice or tuple: `Shape` for `&dyn Shape`. If there are several, returns
/// the last: `B` for `(A, B)`.
fn innermost_type(node: Node<'_>) -> Option<Node<'_>> {
    const MAX_STEPS: usize = 8;
    let mut inner = node;
    for _ in 0..MAX_STEPS {
        match inner.named_child(inner.named_child_count().checked_sub(1)? as u32) {
            Some(child) if child.child_count() == 0 => return Some(child),
            Some(child) => inner = child,
            None => return None,
        }
    }
    None
}

/// Records the name of a macro definition. The body is not visited, because it contains patterns instead of code.
fn macro_definition(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = walk.field(node, Field::Name) {
        walk.define(Draft::new(Kind::Macro, node, name));
    }
}

fn mod_item(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    let body = walk.field(node, Field::Body);
    walk.define(Draft::new(Kind::Module, node, name).body(body));
    if body.is_none() {
        let path = format!("self::{}", span(name).text(walk.source));
        walk.import(path, Imported::Module, None, node);
    }
}

fn attribute(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.attribute(node);
    let path = node.named_child(0).and_then(|attribute| attribute.named_child(0));
    let name = path.map(|path| walk.bytes(path)).unwrap_or_default();
    let last = name.rsplit(|byte| *byte == b':').next().unwrap_or_default();
    if is_rust_test_attribute(last) {
        walk.builder.marked_as_test = true;
    }
}

fn extern_crate(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = walk.field(node, Field::Name) {
        let alias = walk.field(node, Field::Alias).map(span);
        walk.import(span(name).text(walk.source), Imported::Module, alias, node);
    }
}

fn use_declaration(walk: &mut Walk<'_>, node: Node<'_>) {
    let mut pending = Vec::new();
    pending.extend(node.child_by_field_name("argument").map(|it| (it, String::new())));
    while let Some((tree, prefix)) = pending.pop() {
        match tree.kind() {
            "use_list" => {
                let first = pending.len();
                pending.extend(named_children(tree).map(|it| (it, prefix.clone())));
                pending[first..].reverse();
            }
            "scoped_use_list" => {
                let path = join(walk, &prefix, walk.field(tree, Field::Path));
                pending.extend(tree.child_by_field_name("list").map(|list| (list, path)));
            }
            "use_wildcard" => {
                let path = join(walk, &prefix, tree.named_child(0));
                walk.import(path, Imported::All, None, tree);
            }
            "use_as_clause" => {
                let alias = walk.field(tree, Field::Alias).map(span);
                if let Some(path) = walk.field(tree, Field::Path) {
                    import_item(walk, &prefix, path, alias);
                }
            }
            "line_comment" | "block_comment" => {}
            _ => import_item(walk, &prefix, tree, None),
        }
    }
}

fn import_item(walk: &mut Walk<'_>, prefix: &str, item: Node<'_>, alias: Option<Span>) {
    let name = walk.field(item, Field::Name);
    let (path, imported) = match name {
        Some(name) => {
            (join(walk, prefix, walk.field(item, Field::Path)), Imported::Item(span(name)))
        }
        // `use a::{self}` and `use serde` import the module itself.
        None if item.kind() == "self" && !prefix.is_empty() => {
            (prefix.to_owned(), Imported::Module)
        }
        None if prefix.is_empty() => (join(walk, prefix, Some(item)), Imported::Module),
        None => (prefix.to_owned(), Imported::Item(span(item))),
    };
    walk.import(path, imported, alias, item);
}

fn join(walk: &Walk<'_>, prefix: &str, path: Option<Node<'_>>) -> String {
    let path = path.map(|path| span(path).text(walk.source)).unwrap_or_default();
    match (prefix.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => prefix.to_owned(),
        _ => format!("{prefix}::{path}"),
    }
}

/// Returns whether a name is `Self` or a variant of `Option` or `Result`. These names are not recorded as references.
fn is_prelude(name: &[u8]) -> bool {
    matches!(name, b"Some" | b"None" | b"Ok" | b"Err" | b"Self")
}

fn call(walk: &mut Walk<'_>, node: Node<'_>) {
    let function = walk.field(node, Field::Function);
    if function.is_some_and(|function| !is_prelude(walk.bytes(function))) {
        walk.call(node);
    }
}

fn macro_invocation(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = node.child_by_field_name("macro") {
        walk.refer_to(ReferenceKind::Macro, name);
    }
}

/// Records a name. The arguments of a macro are tokens, not expressions. In them, a name directly before a parenthesis
/// is treated as a call, because many calls in tests are inside macros.
fn identifier(walk: &mut Walk<'_>, node: Node<'_>) {
    if is_prelude(walk.bytes(node)) {
        return;
    }
    if walk.parent_kind_is("token_tree") {
        let after = walk.source.get(node.end_byte()).copied();
        match after {
            Some(b'(') => walk.record(ReferenceKind::Call, node, receiver_in_tokens(walk, node)),
            Some(b'!') if walk.source.get(node.end_byte() + 1) != Some(&b'=') => {
                walk.record(ReferenceKind::Macro, node, None);
            }
            _ if is_camel_case(walk.bytes(node)) => {
                walk.record(ReferenceKind::Type, node, None);
            }
            _ => walk.name(node),
        }
    } else if !walk.is_claimed(node) {
        if is_camel_case(walk.bytes(node)) {
            walk.record(ReferenceKind::Type, node, None);
        } else {
            walk.name(node);
        }
    }
}

fn type_name(walk: &mut Walk<'_>, node: Node<'_>) {
    if !is_prelude(walk.bytes(node)) {
        walk.refer(ReferenceKind::Type, node);
    }
}

fn receiver_in_tokens(walk: &Walk<'_>, name: Node<'_>) -> Option<Span> {
    let before = walk.source.get(..name.start_byte())?;
    let rest = before.strip_suffix(b"::").or_else(|| before.strip_suffix(b"."))?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.');
    let length = rest.iter().rev().take_while(|byte| is_part(byte)).count();
    (length > 0).then(|| Span::new(rest.len() - length..rest.len()))
}

/// Records a path that is used as a value, such as `Color::Red` or `module::function`. The path of a call has already
/// been recorded.
fn scoped_value(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    if !walk.is_claimed_ahead(name)
        && !walk.parent_kind_is("scoped_identifier")
        && !walk.parent_kind_is("scoped_type_identifier")
    {
        walk.refer_to(ReferenceKind::Use, node);
    }
}
