//! Extracts definitions and references from Python source with the tree-sitter grammar.

use tree_sitter::Node;

use super::named_children;
use crate::complexity::Branch;
use crate::conventions::{python_function_kind, python_variable_kind};
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Next, Rule};
use crate::outline::Imported;
use crate::span::Span;
use crate::walk::{Draft, Walk, span};

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_python::LANGUAGE.into(),
    nodes: &[&[
        ("function_definition", Rule::Named(function)),
        ("class_definition", Rule::Named(class)),
        ("assignment", Rule::Visit(assignment)),
        ("type_alias_statement", Rule::Visit(type_alias)),
        ("decorator", Rule::Visit(super::decorator)),
        ("import_statement", Rule::Leaf(import)),
        ("import_from_statement", Rule::Leaf(import_from)),
        ("future_import_statement", Rule::Skip),
        ("call", Rule::Call),
        ("attribute", Rule::Member),
        // The name of a keyword argument is a parameter of the called function, and not a reference.
        ("keyword_argument", Rule::Named(|walk, _, name| walk.claim(span(name)))),
        ("type", Rule::TypeScope),
        ("string", Rule::Decide(string)),
        ("elif_clause", Rule::Branch(Branch::ElseIf)),
        ("for_in_clause if_clause case_clause", Rule::Branch(Branch::Case)),
        ("except_clause", Rule::Branch(Branch::Catch)),
        ("match_statement", Rule::Branch(Branch::Switch)),
        ("lambda", Rule::Closure),
    ]],
    tokens: &[("and", Rule::Operator), ("or", Rule::Operator)],
};

fn function(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    let is_method = walk.builder.enclosing_kind() == Some(Kind::Class);
    define_with_docstring(walk, python_function_kind(walk.bytes(name), is_method), node, name);
}

fn class(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    define_with_docstring(walk, Kind::Class, node, name);
    if let Some(bases) = node.child_by_field_name("superclasses") {
        walk.inherit_each(bases);
    }
}

fn define_with_docstring<'t>(walk: &mut Walk<'_>, kind: Kind, node: Node<'t>, name: Node<'t>) {
    let body = walk.field(node, Field::Body);
    let docstring = body.and_then(docstring);
    // Comments may appear between the colon and the body, so the header ends with its last part, which is the return
    // type, the parameters, the superclasses or the name.
    let header = [
        walk.field(node, Field::ReturnType),
        walk.field(node, Field::Parameters),
        node.child_by_field_name("superclasses"),
        Some(name),
    ];
    let header_end = header.into_iter().flatten().next().map(|it| it.end_byte());
    let doc = docstring.map(|it| walk.without_quotes(it)).filter(|it| !it.is_empty());
    let draft = Draft::new(kind, node, name).body(body).doc(doc).signature_end(header_end);
    walk.define(draft);
    if let Some(docstring) = docstring {
        walk.claim(span(docstring));
    }
}

fn docstring(body: Node<'_>) -> Option<Node<'_>> {
    let statement = body.named_child(0).filter(|it| it.kind() == "expression_statement")?;
    statement.named_child(0).filter(|it| it.kind() == "string")
}

/// Records assignments to plain names as definitions, unless they are inside a function.
fn assignment(walk: &mut Walk<'_>, node: Node<'_>) {
    if walk.builder.callable.is_some() || !walk.parent_kind_is("expression_statement") {
        return;
    }
    let left = walk.field(node, Field::Left);
    let Some(name) = left.filter(|it| it.kind() == "identifier") else { return };
    let kind = python_variable_kind(walk.bytes(name), walk.builder.enclosing_kind());
    walk.define(Draft::new(kind, node, name));
}

fn type_alias(walk: &mut Walk<'_>, node: Node<'_>) {
    let name = walk.field(node, Field::Left).and_then(|it| it.named_child(0));
    if let Some(name) = name.filter(|it| it.kind() == "identifier") {
        walk.define(Draft::new(Kind::TypeAlias, node, name));
    }
}

fn import(walk: &mut Walk<'_>, node: Node<'_>) {
    for name in named_children(node) {
        let (module, alias) = split_alias(walk, name);
        walk.import(span(module).text(walk.source), Imported::Module, alias, name);
    }
}

fn import_from(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(module) = walk.field(node, Field::ModuleName) else { return };
    let path = span(module).text(walk.source);
    for name in named_children(node) {
        let (imported, alias) = match name.kind() {
            "wildcard_import" => (Imported::All, None),
            "dotted_name" | "aliased_import" if name.id() != module.id() => {
                let (item, alias) = split_alias(walk, name);
                (Imported::Item(span(item)), alias)
            }
            _ => continue,
        };
        walk.import(path, imported, alias, name);
    }
}

fn split_alias<'t>(walk: &Walk<'_>, name: Node<'t>) -> (Node<'t>, Option<Span>) {
    match (walk.field(name, Field::Name), walk.field(name, Field::Alias)) {
        (Some(item), alias) => (item, alias.map(span)),
        (None, _) => (name, None),
    }
}

fn string(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    if walk.is_claimed(node) {
        return Next::Skip;
    }
    if walk.parent_kind_is("expression_statement") {
        walk.comment_in_quotes(node);
    } else {
        walk.text(node);
    }
    Next::Descend
}
