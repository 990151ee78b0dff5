//! Extracts definitions and references from Dart source with the tree-sitter grammar.

use tree_sitter::Node;

use crate::complexity::Branch;
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Rule};
use crate::outline::Imported;
use crate::walk::{Draft, Walk, span};

use super::{child_of_kind, named_children, type_alias};

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_dart::LANGUAGE.into(),
    nodes: &[&[
        ("class_declaration extension_type_declaration", Rule::Visit(class)),
        ("mixin_declaration", Rule::Define(Kind::Trait)),
        ("extension_declaration", Rule::Visit(extension)),
        ("enum_entry", Rule::Define(Kind::Variant)),
        ("type_alias", Rule::Visit(type_alias)),
        ("function_declaration local_function_declaration", Rule::Visit(callable)),
        ("external_function_declaration getter_declaration", Rule::Visit(callable)),
        ("setter_declaration method_declaration", Rule::Visit(callable)),
        ("declaration", Rule::Visit(member)),
        (
            "top_level_variable_declaration",
            Rule::Visit(|walk, node| define_variables(walk, node, Kind::Variable)),
        ),
        ("mixins interfaces", Rule::Inherit),
        ("library_import library_export part_directive", Rule::Leaf(import)),
        ("part_of_directive", Rule::Skip),
        ("annotation", Rule::Visit(super::decorator)),
        ("call_expression", Rule::Visit(call)),
        ("cascade_call_expression", Rule::Call),
        ("const_object_expression", Rule::Construct),
        ("member_expression null_aware_member_expression", Rule::Member),
        ("documentation_comment", Rule::Comment),
        ("if_element", Rule::Branch(Branch::If)),
        ("for_element", Rule::Branch(Branch::Loop)),
        ("switch_statement_case switch_expression_case", Rule::Branch(Branch::Case)),
        ("function_expression", Rule::Closure),
    ]],
    tokens: &[("??", Rule::Operator), ("else", Rule::Branch(Branch::Else))],
};

/// Records a class or extension type. In `class A = B with C;`, the name is nested one level deeper.
fn class(walk: &mut Walk<'_>, node: Node<'_>) {
    let name = walk.field(node, Field::Name).or_else(|| {
        child_of_kind(node, "mixin_application_class").and_then(|it| it.named_child(0))
    });
    let Some(name) = name else { return };
    let name = child_of_kind(name, "identifier").unwrap_or(name);
    walk.define(Draft::new(Kind::Class, node, name).body(walk.field(node, Field::Body)));
}

/// Records an extension. An unnamed extension is recorded under the name of the type that it extends.
fn extension(walk: &mut Walk<'_>, node: Node<'_>) {
    let extended = node.child_by_field_name("class").and_then(|it| walk.last_name(it));
    if let Some(name) = walk.field(node, Field::Name).or(extended) {
        walk.define(Draft::new(Kind::Extension, node, name).body(walk.field(node, Field::Body)));
    }
}

/// Records a function, method, constructor, getter or setter with a body.
fn callable(walk: &mut Walk<'_>, node: Node<'_>) {
    let body = walk.field(node, Field::Body).or_else(|| child_of_kind(node, "function_body"));
    let signature = node
        .child_by_field_name("signature")
        .or_else(|| child_of_kind(node, "function_signature"))
        .map(
            |it| if it.kind() == "method_signature" { it.named_child(0).unwrap_or(it) } else { it },
        );
    if let Some((kind, name)) = signature.and_then(|it| kind_and_name(walk, it)) {
        walk.define(Draft::new(kind, node, name).body(body));
    }
}

/// Records members that have no body: fields, abstract methods, and constructors such as `const Cart(this.id);`.
fn member(walk: &mut Walk<'_>, node: Node<'_>) {
    let signature = named_children(node).find(|it| it.kind().ends_with("_signature"));
    match signature.and_then(|it| kind_and_name(walk, it)) {
        Some((kind, name)) => walk.define(Draft::new(kind, node, name)),
        None => define_variables(walk, node, Kind::Field),
    }
}

/// Records each variable that a declaration introduces. Variables declared with `const` are recorded as constants.
fn define_variables(walk: &mut Walk<'_>, node: Node<'_>, kind: Kind) {
    let mut cursor = node.walk();
    let is_constant = node.children(&mut cursor).any(|it| it.kind() == "const");
    let kind = if is_constant { Kind::Constant } else { kind };
    for list in named_children(node).filter(|it| it.kind().ends_with("_list")) {
        for item in named_children(list) {
            let name = walk.field(item, Field::Name).unwrap_or(item);
            if name.kind() == "identifier" {
                walk.define_leaf(Draft::new(kind, node, name));
            }
        }
    }
}

/// Returns the kind and the name that a signature declares. The name of a named constructor is its last part, such as
/// `empty` in `Cart.empty()`.
fn kind_and_name<'t>(walk: &Walk<'_>, signature: Node<'t>) -> Option<(Kind, Node<'t>)> {
    let kind = match signature.kind() {
        "function_signature" => Kind::Function,
        "getter_signature" | "setter_signature" => Kind::Property,
        "constructor_signature"
        | "constant_constructor_signature"
        | "factory_constructor_signature"
        | "redirecting_factory_constructor_signature" => Kind::Constructor,
        _ => return None,
    };
    if kind != Kind::Constructor {
        return walk.field(signature, Field::Name).map(|name| (kind, name));
    }
    let mut cursor = signature.walk();
    let names = signature.children_by_field_name("name", &mut cursor);
    names.filter(|it| it.kind() == "identifier").last().map(|name| (kind, name))
}

/// Records an import, export or part directive. The path is relative to the file, unless it starts with `package:` or
/// `dart:`.
fn import(walk: &mut Walk<'_>, node: Node<'_>) {
    let specification = child_of_kind(node, "import_specification").unwrap_or(node);
    let Some(uri) = specification.child_by_field_name("uri") else { return };
    let written = walk.without_quotes(uri).text(walk.source);
    let stem = written.strip_suffix(".dart").unwrap_or(written);
    let path = match stem.strip_prefix("package:") {
        Some(path) => path.to_owned(),
        None if stem.starts_with(['.', '/']) || stem.contains(':') => stem.to_owned(),
        None => format!("./{stem}"),
    };
    let alias = walk.field(specification, Field::Alias).map(span);
    let shown = named_children(specification)
        .find(|it| it.kind() == "combinator" && walk.bytes(*it).starts_with(b"show"));
    match shown {
        Some(shown) => {
            for name in named_children(shown) {
                walk.import(path.as_str(), Imported::Item(span(name)), None, node);
            }
        }
        None => {
            let imported = if alias.is_some() { Imported::Module } else { Imported::All };
            walk.import(path, imported, alias, node);
        }
    }
}

/// Records a call. A call such as `test('…', () { … })` from the test packages is recorded as a test.
fn call(walk: &mut Walk<'_>, node: Node<'_>) {
    let arguments = node.child_by_field_name("arguments");
    let title =
        arguments.and_then(|it| it.named_child(0)).filter(|it| it.kind() == "string_literal");
    let body =
        arguments.and_then(|it| it.named_child(1)).filter(|it| it.kind() == "function_expression");
    let function = walk.field(node, Field::Function).map(|it| walk.bytes(it)).unwrap_or_default();
    let is_test = matches!(function, b"test" | b"group" | b"testWidgets" | b"blocTest");
    match (title, body) {
        (Some(title), Some(body)) if is_test => {
            let draft = Draft::named(Kind::Test, node, walk.without_quotes(title));
            walk.define(draft.body(Some(body)));
            walk.claim(span(body));
            walk.claim(span(title));
        }
        _ => walk.call(node),
    }
}
