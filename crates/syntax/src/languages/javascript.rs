//! Extracts definitions and references from JavaScript source, including JSX. TypeScript shares these rules.

use tree_sitter::Node;

use super::{child_of_kind, named_children, script_bindings};
use crate::complexity::Branch;
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Next, Rule};
use crate::outline::{Imported, ReferenceKind};
use crate::span::Span;
use crate::walk::{Draft, Walk, span};

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_javascript::LANGUAGE.into(),
    nodes: &[RULES],
    tokens: TOKENS,
};

pub(super) const TOKENS: &[(&str, Rule)] = &[("??", Rule::Operator)];

pub(super) const RULES: &[(&str, Rule)] = &[
    ("function_declaration generator_function_declaration", Rule::Named(function)),
    ("class", Rule::Define(Kind::Class)),
    ("method_definition", Rule::Named(method)),
    ("field_definition", Rule::Visit(field)),
    ("variable_declarator", Rule::Named(variable)),
    ("assignment_expression", Rule::Visit(assignment)),
    ("pair", Rule::Visit(pair)),
    ("class_heritage", Rule::Inherit),
    ("import_statement", Rule::Leaf(import)),
    ("export_statement", Rule::Decide(export)),
    ("call_expression", Rule::Visit(call)),
    ("member_expression", Rule::Member),
    ("decorator", Rule::Visit(super::decorator)),
    ("jsx_opening_element jsx_self_closing_element", Rule::Named(jsx_element)),
    ("jsx_closing_element", Rule::Skip),
    ("jsx_text", Rule::Leaf(|walk, node| walk.trimmed_text(node))),
    ("shorthand_property_identifier", Rule::Name),
    ("html_comment", Rule::Comment),
    ("template_string", Rule::Text),
    ("return_statement", Rule::Visit(script_bindings::returned)),
    ("for_in_statement", Rule::Visit(for_each)),
    ("switch_case", Rule::Branch(Branch::Case)),
    ("arrow_function function_expression generator_function", Rule::Closure),
];

pub(super) fn function(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    walk.define(Draft::new(Kind::Function, node, name).body(walk.field(node, Field::Body)));
    script_bindings::function(walk, node);
}

fn method(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    let in_class = walk.builder.enclosing_kind() == Some(Kind::Class);
    let is_constructor = in_class && walk.bytes(name) == b"constructor";
    let kind = if is_constructor { Kind::Constructor } else { Kind::Function };
    let draft = Draft::named(kind, node, walk.without_quotes(name));
    walk.define(draft.body(walk.field(node, Field::Body)));
    script_bindings::function(walk, node);
}

/// Records a class field. A field whose value is a function is recorded as a method.
pub(super) fn field(walk: &mut Walk<'_>, node: Node<'_>) {
    let name = walk.field(node, Field::Name).or_else(|| walk.field(node, Field::Property));
    if let Some(name) = name {
        define_value(walk, Kind::Field, node, walk.without_quotes(name));
    }
}

fn for_each(walk: &mut Walk<'_>, node: Node<'_>) {
    script_bindings::element(walk, node);
    walk.branch(Branch::Loop, node);
}

fn variable(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    if required_module(walk, node, name) {
        return;
    }
    if name.kind() == "identifier" {
        let before = walk.source.get(..node.start_byte()).unwrap_or_default().trim_ascii_end();
        let kind = if before.ends_with(b"const") { Kind::Constant } else { Kind::Variable };
        define_value(walk, kind, node, span(name));
    }
}

/// Records imports such as `const fs = require('fs')` and `const { join: j } = require('path')`. Returns whether the
/// declaration is an import.
fn required_module(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) -> bool {
    let call = walk.field(node, Field::Value).filter(|it| it.kind() == "call_expression");
    let Some(call) = call else { return false };
    let function = walk.field(call, Field::Function);
    if function.is_none_or(|function| walk.bytes(function) != b"require") {
        return false;
    }
    let argument = call.child_by_field_name("arguments").and_then(|it| it.named_child(0));
    let Some(path) = argument.filter(|it| it.kind() == "string") else { return false };
    let path = walk.without_quotes(path).text(walk.source);
    if name.kind() == "identifier" {
        walk.import(path, Imported::Module, Some(span(name)), node);
        walk.claim(span(name));
        return true;
    }
    for part in named_children(name) {
        let (item, alias) = match part.kind() {
            "shorthand_property_identifier_pattern" => (Some(part), None),
            "pair_pattern" => {
                (part.child_by_field_name("key"), walk.field(part, Field::Value).map(span))
            }
            _ => (None, None),
        };
        if let Some(item) = item {
            walk.import(path, Imported::Item(span(item)), alias, node);
        }
    }
    true
}

/// Records the assignment of a function to a member as a function definition, as in `exports.run = function () {}` and
/// `Queue.prototype.push = () => {}`.
fn assignment(walk: &mut Walk<'_>, node: Node<'_>) {
    script_bindings::assignment(walk, node);
    let left = walk.field(node, Field::Left).filter(|it| it.kind() == "member_expression");
    let right = walk.field(node, Field::Right).filter(|it| is_function(*it));
    if let (Some(left), Some(right)) = (left, right)
        && let Some(name) = walk.last_name(left)
    {
        let owner = walk.receiver(left, name).and_then(|receiver| owner(walk, receiver));
        let draft = Draft::new(Kind::Function, node, name).owner(owner);
        walk.define(draft.body(walk.field(right, Field::Body)));
        walk.claim(span(right));
    }
}

fn owner(walk: &Walk<'_>, receiver: Span) -> Option<Span> {
    let text = receiver.of(walk.source);
    let end = text.strip_suffix(b".prototype").map_or(text.len(), <[u8]>::len);
    let is_module = matches!(text, b"exports" | b"module.exports" | b"this" | b"module");
    (!is_module).then_some(Span { end: receiver.start + end as u32, ..receiver })
}

fn pair(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(key) = node.child_by_field_name("key")
        && walk.field(node, Field::Value).is_some_and(is_function)
    {
        define_value(walk, Kind::Field, node, walk.without_quotes(key));
    }
}

/// Records a name with a value. If the value is a function, the name is recorded as a function. Otherwise, the name is
/// recorded as a definition of kind `otherwise`, but only outside functions.
fn define_value(walk: &mut Walk<'_>, otherwise: Kind, node: Node<'_>, name: Span) {
    script_bindings::variable(walk, node, name);
    let function = walk.field(node, Field::Value).filter(|it| is_function(*it));
    if let Some(function) = function {
        let draft = Draft::named(Kind::Function, node, name);
        walk.define(draft.body(walk.field(function, Field::Body)));
        script_bindings::function(walk, function);
        walk.claim(span(function));
    } else if walk.builder.callable.is_none() {
        walk.define(Draft::named(otherwise, node, name));
    }
}

fn is_function(node: Node<'_>) -> bool {
    matches!(node.kind(), "arrow_function" | "function_expression" | "generator_function")
}

fn import(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(source) = source_of(walk, node) else { return };
    let path = walk.without_quotes(source).text(walk.source);
    let mut pending: Vec<Node<'_>> = named_children(node).collect();
    let n_imports = walk.builder.outline.imports.len();
    while let Some(part) = pending.pop() {
        let (imported, alias) = match part.kind() {
            "import_clause" | "named_imports" | "import_require_clause" => {
                pending.extend(named_children(part));
                continue;
            }
            // The local name of a default import need not be defined in the module.
            "identifier" => (Imported::Module, Some(span(part))),
            "namespace_import" => (Imported::All, part.named_child(0).map(span)),
            "import_specifier" => match walk.field(part, Field::Name) {
                Some(name) => {
                    (Imported::Item(span(name)), walk.field(part, Field::Alias).map(span))
                }
                None => continue,
            },
            _ => continue,
        };
        walk.import(path, imported, alias, part);
    }
    if walk.builder.outline.imports.len() == n_imports {
        walk.import(path, Imported::Module, None, node);
    } else {
        walk.builder.outline.imports[n_imports..].reverse();
    }
}

fn source_of<'t>(walk: &Walk<'_>, node: Node<'t>) -> Option<Node<'t>> {
    walk.field(node, Field::Source)
        .or_else(|| walk.field(child_of_kind(node, "import_require_clause")?, Field::Source))
}

/// Records a re-export, such as `export { a } from './b'`, as an import. For other exports, records the default export
/// and renamed names as variables.
fn export(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let names = child_of_kind(node, "export_clause");
    let Some(source) = walk.field(node, Field::Source) else {
        script_bindings::default_export(walk, node);
        let Some(names) = names else { return Next::Descend };
        script_bindings::renamed_exports(walk, names);
        return Next::Skip;
    };
    let path = walk.without_quotes(source).text(walk.source);
    let Some(names) = names else {
        let namespace = child_of_kind(node, "namespace_export");
        let alias = namespace.and_then(|it| it.named_child(0)).map(span);
        walk.import(path, Imported::All, alias, node);
        return Next::Skip;
    };
    for part in named_children(names) {
        if let Some(name) = walk.field(part, Field::Name) {
            let alias = walk.field(part, Field::Alias).map(span);
            walk.import(path, Imported::Item(span(name)), alias, part);
        }
    }
    Next::Skip
}

/// Records a call. A call of `describe`, `it`, `test` or a similar function with a title and a function is recorded as
/// a test. `import('…')` is also recorded as an import.
fn call(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(function) = walk.field(node, Field::Function) else { return };
    let arguments = node.child_by_field_name("arguments");
    let first = arguments
        .and_then(|it| it.named_child(0))
        .filter(|it| matches!(it.kind(), "string" | "template_string"));
    let head = walk.bytes(function).split(|byte| *byte == b'.').next().unwrap_or_default();
    match (head, first) {
        (b"describe" | b"it" | b"test" | b"suite" | b"context" | b"specify", Some(title)) => {
            let body = arguments.and_then(|it| it.named_child(1)).filter(|it| is_function(*it));
            if let Some(body) = body {
                let draft = Draft::named(Kind::Test, node, walk.without_quotes(title));
                walk.define(draft.body(Some(body)));
                walk.claim(span(body));
                walk.claim(span(title));
                return;
            }
        }
        (b"import", Some(path)) if function.kind() == "import" => {
            let path = walk.without_quotes(path).text(walk.source);
            walk.import(path, Imported::Module, None, node);
        }
        _ => {}
    }
    script_bindings::callback(walk, function, arguments);
    walk.call(node);
}

/// Records `<UserCard …>` as a call of the component. Elements with lower-case names are HTML elements and are
/// ignored.
fn jsx_element(walk: &mut Walk<'_>, _: Node<'_>, name: Node<'_>) {
    if walk.bytes(name).first().is_some_and(u8::is_ascii_uppercase) {
        walk.refer_to(ReferenceKind::Call, name);
    } else {
        walk.claim(span(name));
    }
}
