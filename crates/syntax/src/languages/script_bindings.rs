//! Records bindings in JavaScript and TypeScript source. These are the annotations, assignments and `return` statements
//! from which the types of names are derived.

use tree_sitter::Node;

use super::named_children;
use crate::binding::{BindingKind, NO_NAME, compact_type};
use crate::chain::read_chain;
use crate::grammar::Field;
use crate::span::Span;
use crate::walk::{Walk, span};

/// Records the type or value of a variable or field. Must be called before the variable is defined.
pub(super) fn variable(walk: &mut Walk<'_>, node: Node<'_>, name: Span) {
    if let Some(annotation) = walk.field(node, Field::Type) {
        return annotate(walk, BindingKind::Annotation, name, annotation);
    }
    if let Some(value) = walk.field(node, Field::Value) {
        bind_value(walk, BindingKind::Value, name, value);
    }
}

/// Records a parameter and, if it is annotated, its type. An annotated parameter with a modifier such as `private` is
/// also recorded as a field.
pub(super) fn parameter(walk: &mut Walk<'_>, node: Node<'_>) {
    let name = node.child_by_field_name("pattern").filter(|it| it.kind() == "identifier");
    if let Some(name) = name {
        match walk.field(node, Field::Type) {
            Some(annotation) => {
                annotate(walk, BindingKind::Annotation, span(name), annotation);
                let mut cursor = node.walk();
                let mut children = node.children(&mut cursor);
                if children.any(|it| matches!(it.kind(), "accessibility_modifier" | "readonly")) {
                    annotate(walk, BindingKind::MemberAnnotation, span(name), annotation);
                }
            }
            None => bind(walk, BindingKind::Parameter, span(name), String::new()),
        }
    }
}

/// Records the return type of the function that was just defined. If the function has no annotated return type and its
/// body is an expression, records that expression instead.
pub(super) fn function(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(annotation) = walk.field(node, Field::ReturnType) {
        annotate(walk, BindingKind::ReturnType, NO_NAME, annotation);
    } else if let Some(body) = walk.field(node, Field::Body)
        && body.kind() != "statement_block"
    {
        bind_value(walk, BindingKind::Returned, NO_NAME, body);
    }
}

/// Records the value of a `return` statement, except in a closure that is not recorded as a definition.
pub(super) fn returned(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(value) = node.named_child(0)
        && walk.is_in_body_of_definition()
    {
        bind_value(walk, BindingKind::Returned, NO_NAME, value);
    }
}

/// Records `this.name = value` as the value of the member `name`.
pub(super) fn assignment(walk: &mut Walk<'_>, node: Node<'_>) {
    let left = walk.field(node, Field::Left).filter(|it| it.kind() == "member_expression");
    let is_this = |left: &Node<'_>| left.named_child(0).is_some_and(|it| it.kind() == "this");
    if let Some(left) = left.filter(is_this)
        && let Some(name) = walk.field(left, Field::Property)
        && let Some(value) = walk.field(node, Field::Right)
    {
        bind_value(walk, BindingKind::MemberValue, span(name), value);
    }
}

/// Methods that pass each element of an array to their first argument.
const ELEMENT_METHODS: &[&[u8]] =
    &[b"every", b"filter", b"find", b"findIndex", b"flatMap", b"forEach", b"map", b"some"];

/// Records the parameter of a function that is passed to a method of an array or a promise, as in
/// `clients.map(client => …)`.
pub(super) fn callback(walk: &mut Walk<'_>, called: Node<'_>, arguments: Option<Node<'_>>) {
    let Some(passed) = arguments.and_then(|it| it.named_child(0)) else { return };
    if !matches!(passed.kind(), "arrow_function" | "function_expression")
        || called.kind() != "member_expression"
    {
        return;
    }
    let parameter = passed.child_by_field_name("parameter").or_else(|| {
        let first = walk.field(passed, Field::Parameters)?.named_child(0)?;
        // In TypeScript, the name is inside a node that may also contain a type.
        let is_typed = walk.field(first, Field::Type).is_some();
        first.child_by_field_name("pattern").or(Some(first)).filter(|_| !is_typed)
    });
    let Some(parameter) = parameter.filter(|it| it.kind() == "identifier") else { return };
    let (Some(object), Some(method)) =
        (called.child_by_field_name("object"), walk.field(called, Field::Property))
    else {
        return;
    };
    let kind = match walk.bytes(method) {
        name if ELEMENT_METHODS.contains(&name) => BindingKind::Element,
        b"then" => BindingKind::Value,
        _ => return,
    };
    bind_value(walk, kind, span(parameter), object);
}

/// Records the variable in `for (const name of value)`.
pub(super) fn element(walk: &mut Walk<'_>, node: Node<'_>) {
    let operator = node.child_by_field_name("operator");
    let is_of = operator.is_some_and(|it| walk.bytes(it) == b"of");
    let name = walk.field(node, Field::Left).filter(|it| it.kind() == "identifier");
    if let (Some(name), Some(value), true) = (name, walk.field(node, Field::Right), is_of) {
        bind_value(walk, BindingKind::Element, span(name), value);
    }
}

/// Records `export default …` as a variable with the name `default`.
pub(super) fn default_export(walk: &mut Walk<'_>, node: Node<'_>) {
    let mut cursor = node.walk();
    let keyword = node.children(&mut cursor).find(|it| it.kind() == "default");
    let Some(keyword) = keyword else { return };
    let declared =
        node.child_by_field_name("declaration").and_then(|it| walk.field(it, Field::Name));
    if let Some(value) = declared.or_else(|| walk.field(node, Field::Value)) {
        bind_value(walk, BindingKind::Value, span(keyword), value);
        // The name of an exported function declaration is not a use of the function.
        if declared.is_none() && value.kind() == "identifier" {
            walk.claim(span(value));
        }
    }
}

/// Records `export { name as alias }` as a variable with the name `alias`.
pub(super) fn renamed_exports(walk: &mut Walk<'_>, names: Node<'_>) {
    for part in named_children(names) {
        if let (Some(name), Some(alias)) =
            (walk.field(part, Field::Name), walk.field(part, Field::Alias))
        {
            bind_value(walk, BindingKind::Value, span(alias), name);
        }
    }
}

fn bind_value(walk: &mut Walk<'_>, kind: BindingKind, name: Span, value: Node<'_>) {
    if matches!(value.kind(), "as_expression" | "satisfies_expression")
        && let Some(of_type) = value.named_child(1)
    {
        let kind = if kind == BindingKind::MemberValue {
            BindingKind::MemberAnnotation
        } else if kind == BindingKind::Returned {
            BindingKind::ReturnType
        } else {
            BindingKind::Annotation
        };
        return annotate(walk, kind, name, of_type);
    }
    let source = walk.source.get(..value.end_byte()).unwrap_or(walk.source);
    let chain = read_chain(source, value.start_byte());
    let whole = chain.filter(|chain| {
        let rest = walk.source.get(chain.end..value.end_byte());
        rest.is_none_or(|rest| rest.iter().all(|byte| matches!(byte, b'!' | b' ')))
    });
    match whole {
        Some(chain) => bind(walk, kind, name, chain.text),
        None if !name.is_empty() => bind(walk, kind, name, String::new()),
        None => {}
    }
}

fn annotate(walk: &mut Walk<'_>, kind: BindingKind, name: Span, annotation: Node<'_>) {
    let text = walk.bytes(annotation).trim_ascii_start();
    let value = compact_type(text.strip_prefix(b":").unwrap_or(text));
    bind(walk, kind, name, value);
}

fn bind(walk: &mut Walk<'_>, kind: BindingKind, name: Span, value: String) {
    walk.builder.bind(kind, name, value);
}
