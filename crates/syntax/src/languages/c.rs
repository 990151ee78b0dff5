//! Extracts definitions and references from C and C++ source with the tree-sitter grammars.

use tree_sitter::Node;

use crate::complexity::Branch;
use crate::conventions::{c_variable_kind, cpp_function_kind, is_cpp_test_macro};
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Rule};
use crate::outline::{Imported, ReferenceKind};
use crate::span::Span;
use crate::walk::{Draft, Walk, span};

pub(crate) const C: Grammar =
    Grammar { language: || tree_sitter_c::LANGUAGE.into(), nodes: &[RULES], tokens: &[] };

pub(crate) const CPP: Grammar = Grammar {
    language: || tree_sitter_cpp::LANGUAGE.into(),
    nodes: &[RULES, CPP_RULES],
    tokens: &[],
};

const RULES: &[(&str, Rule)] = &[
    ("function_definition", Rule::Visit(function)),
    ("declaration", Rule::Visit(declaration)),
    ("field_declaration", Rule::Visit(|walk, node| define_declarators(walk, node, Kind::Field))),
    ("struct_specifier", Rule::Visit(|walk, node| define_with_body(walk, Kind::Struct, node))),
    ("union_specifier", Rule::Visit(|walk, node| define_with_body(walk, Kind::Struct, node))),
    ("enum_specifier", Rule::Visit(|walk, node| define_with_body(walk, Kind::Enum, node))),
    ("enumerator", Rule::Define(Kind::Variant)),
    ("type_definition", Rule::Visit(typedef)),
    ("preproc_def", Rule::Define(Kind::Constant)),
    ("preproc_function_def", Rule::Define(Kind::Macro)),
    ("preproc_include", Rule::Leaf(include)),
    ("call_expression", Rule::Call),
    ("field_expression", Rule::Member),
    ("case_statement", Rule::Branch(Branch::Case)),
];

/// The rules that C++ adds to those of C: classes, namespaces and templates.
const CPP_RULES: &[(&str, Rule)] = &[
    ("class_specifier", Rule::Visit(|walk, node| define_with_body(walk, Kind::Class, node))),
    // A comment above a template belongs to the definition after the template parameters.
    ("template_parameter_list", Rule::Visit(|walk, node| walk.attribute(node))),
    ("namespace_definition", Rule::Define(Kind::Module)),
    ("alias_declaration", Rule::Define(Kind::TypeAlias)),
    ("concept_definition", Rule::Define(Kind::Interface)),
    ("base_class_clause", Rule::Inherit),
    ("qualified_identifier", Rule::Named(qualified)),
    ("for_range_loop", Rule::Branch(Branch::Loop)),
];

/// The maximum number of nested declarators (pointers, arrays, parentheses) around a declared name.
const MAX_DECLARATORS: usize = 8;

fn function(walk: &mut Walk<'_>, node: Node<'_>) {
    let declarator = node.child_by_field_name("declarator").and_then(function_declarator);
    let Some(declarator) = declarator else { return };
    let Some(declared) = declarator.child_by_field_name("declarator") else {
        return;
    };
    let body = walk.field(node, Field::Body);
    if let Some((suite, case)) = test_macro(walk, declared, declarator) {
        let draft = Draft::named(Kind::Test, node, case).owner(Some(suite));
        walk.define(draft.body(body));
        return;
    }
    let (name, owner) = split_qualified(walk, declared);
    let kind = callable_kind(walk, name, owner);
    walk.define(Draft::named(kind, node, name).owner(owner).body(body));
}

/// Returns the suite and case names of a test such as `TEST(Suite, Case) { … }`, which the grammar parses as a function
/// without a return type. Returns `None` for other functions.
fn test_macro(walk: &Walk<'_>, declared: Node<'_>, declarator: Node<'_>) -> Option<(Span, Span)> {
    let is_test = is_cpp_test_macro(walk.bytes(declared));
    let parameters = walk.field(declarator, Field::Parameters).filter(|_| is_test)?;
    Some((span(parameters.named_child(0)?), span(parameters.named_child(1)?)))
}

/// Splits `ns::Class::method` into `method` and `ns::Class`.
fn split_qualified(walk: &Walk<'_>, declared: Node<'_>) -> (Span, Option<Span>) {
    let mut name = declared;
    while name.kind() == "qualified_identifier" {
        match walk.field(name, Field::Name) {
            Some(inner) => name = inner,
            None => break,
        }
    }
    let owner = walk.receiver(declared, name);
    (span(name), owner)
}

/// Returns the kind of a function: constructor, method or plain function. A constructor has the same name as its class.
fn callable_kind(walk: &Walk<'_>, name: Span, owner: Option<Span>) -> Kind {
    let name = name.of(walk.source);
    let owner = owner.map(|it| it.of(walk.source));
    let in_class = matches!(walk.builder.enclosing_kind(), Some(Kind::Class | Kind::Struct));
    cpp_function_kind(name, owner.or(walk.builder.enclosing_name().filter(|_| in_class)))
}

fn function_declarator(node: Node<'_>) -> Option<Node<'_>> {
    let mut declarator = node;
    for _ in 0..MAX_DECLARATORS {
        match declarator.kind() {
            // `int (*callback)(int)` is a variable.
            "function_declarator" => {
                let inner = declarator.child_by_field_name("declarator")?;
                return (inner.kind() != "parenthesized_declarator").then_some(declarator);
            }
            _ => declarator = inner_declarator(declarator)?,
        }
    }
    None
}

/// Returns the declarator that is nested in another declarator. In a reference declarator, the nested declarator has
/// no field name, so the last child is returned.
fn inner_declarator(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("declarator").or_else(|| {
        let last = node.named_child_count().checked_sub(1)?;
        node.named_child(last as u32).filter(|_| node.kind().ends_with("_declarator"))
    })
}

fn declared_name(node: Node<'_>) -> Option<Node<'_>> {
    let mut declarator = node;
    for _ in 0..MAX_DECLARATORS {
        if declarator.child_count() == 0 {
            return Some(declarator);
        }
        declarator = inner_declarator(declarator)?;
    }
    None
}

fn declaration(walk: &mut Walk<'_>, node: Node<'_>) {
    define_declarators(walk, node, c_variable_kind(walk.bytes(node)));
}

/// Records prototypes, and variables or fields as definitions of kind `otherwise`. Declarations inside functions are
/// ignored.
fn define_declarators(walk: &mut Walk<'_>, node: Node<'_>, otherwise: Kind) {
    if walk.builder.callable.is_some() {
        return;
    }
    let mut cursor = node.walk();
    for declarator in node.children_by_field_name("declarator", &mut cursor) {
        let function = function_declarator(declarator).and_then(inner_declarator);
        if let Some(declared) = function {
            let (name, owner) = split_qualified(walk, declared);
            let kind = callable_kind(walk, name, owner);
            walk.define_leaf(Draft::named(kind, node, name).owner(owner));
        } else if let Some(name) = declared_name(declarator) {
            walk.define_leaf(Draft::new(otherwise, node, name));
        }
    }
}

/// Records a type with a body as a definition. A type without a body is only a reference.
fn define_with_body(walk: &mut Walk<'_>, kind: Kind, node: Node<'_>) {
    let name = walk.field(node, Field::Name).and_then(|it| walk.last_name(it));
    if let (Some(name), Some(body)) = (name, walk.field(node, Field::Body)) {
        walk.define(Draft::new(kind, node, name).body(Some(body)));
    }
}

/// Records a type alias. `typedef struct { … } Point;` is recorded as the structure `Point`.
fn typedef(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = inner_declarator(node).and_then(declared_name) else { return };
    let aliased = walk.field(node, Field::Type);
    let nameless = aliased.filter(|it| {
        walk.field(*it, Field::Name).is_none() && walk.field(*it, Field::Body).is_some()
    });
    let kind = match nameless.map(|it| it.kind()) {
        Some("enum_specifier") => Kind::Enum,
        Some(_) => Kind::Struct,
        None => Kind::TypeAlias,
    };
    let body = nameless.and_then(|it| walk.field(it, Field::Body));
    if nameless.is_some() {
        walk.define(Draft::new(kind, node, name).body(body));
    } else {
        walk.define_leaf(Draft::new(kind, node, name));
    }
}

fn include(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(path) = walk.field(node, Field::Path) {
        let path = span(path).text(walk.source).trim_matches(['"', '<', '>']);
        walk.import(path, Imported::Module, None, node);
    }
}

/// Returns whether a file with a C extension, such as `.h`, contains C++. This is assumed if one of its lines starts
/// with a keyword that does not exist in C.
pub(crate) fn looks_like_cpp(source: &[u8]) -> bool {
    const WORDS: [&[u8]; 6] =
        [b"class ", b"namespace ", b"template", b"using ", b"public:", b"private:"];
    let mut lines = source.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_start);
    lines.any(|line| WORDS.iter().any(|word| line.starts_with(word)))
}

/// Records a qualified name that is used as a value, such as `Color::Red`. In a qualified type name, each part is a
/// separate node with its own rule.
fn qualified(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>) {
    if name.kind() == "identifier"
        && !walk.is_claimed_ahead(name)
        && !walk.parent_kind_is("qualified_identifier")
    {
        walk.refer_to(ReferenceKind::Use, node);
    }
}
