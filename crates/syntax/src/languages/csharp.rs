//! Extracts definitions and references from C# source with the tree-sitter grammar.

use tree_sitter::Node;

use crate::complexity::Branch;
use crate::conventions::has_test_annotation;
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Next, Rule};
use crate::outline::{Import, Imported, ReferenceKind};
use crate::walk::{Draft, Walk, line, span};

use super::annotation;

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_c_sharp::LANGUAGE.into(),
    nodes: &[&[
        ("namespace_declaration", Rule::Define(Kind::Module)),
        ("file_scoped_namespace_declaration", Rule::Define(Kind::Module)),
        ("class_declaration", Rule::Define(Kind::Class)),
        ("record_declaration", Rule::Define(Kind::Class)),
        ("struct_declaration", Rule::Define(Kind::Struct)),
        ("interface_declaration", Rule::Define(Kind::Interface)),
        ("enum_declaration", Rule::Define(Kind::Enum)),
        ("enum_member_declaration", Rule::Define(Kind::Variant)),
        ("delegate_declaration", Rule::Define(Kind::TypeAlias)),
        ("method_declaration", Rule::Visit(method)),
        ("local_function_statement", Rule::Define(Kind::Function)),
        ("constructor_declaration", Rule::Define(Kind::Constructor)),
        ("destructor_declaration", Rule::Define(Kind::Method)),
        ("property_declaration", Rule::Define(Kind::Property)),
        ("event_declaration", Rule::Define(Kind::Property)),
        ("field_declaration", Rule::Visit(field)),
        ("event_field_declaration", Rule::Visit(field)),
        ("base_list", Rule::Inherit),
        ("using_directive", Rule::Visit(using)),
        ("attribute", Rule::Visit(annotation)),
        ("invocation_expression", Rule::Call),
        ("object_creation_expression", Rule::Construct),
        ("member_access_expression", Rule::Member),
        ("parameter", Rule::Visit(parameter)),
        ("qualified_name", Rule::Visit(qualified)),
        ("identifier", Rule::Visit(identifier)),
        ("comment", Rule::Comment),
        ("string_literal", Rule::Text),
        ("verbatim_string_literal", Rule::Text),
        ("raw_string_literal", Rule::Text),
        ("interpolated_string_expression", Rule::Text),
        ("if_statement", Rule::Branch(Branch::If)),
        ("conditional_expression", Rule::Branch(Branch::If)),
        ("for_statement", Rule::Branch(Branch::Loop)),
        ("foreach_statement", Rule::Branch(Branch::Loop)),
        ("while_statement", Rule::Branch(Branch::Loop)),
        ("do_statement", Rule::Branch(Branch::Loop)),
        ("catch_clause", Rule::Branch(Branch::Catch)),
        ("switch_statement", Rule::Branch(Branch::Switch)),
        ("switch_expression", Rule::Branch(Branch::Switch)),
        ("switch_section", Rule::Branch(Branch::Case)),
        ("switch_expression_arm", Rule::Branch(Branch::Case)),
        ("lambda_expression", Rule::Closure),
        ("anonymous_method_expression", Rule::Closure),
    ]],
    tokens: &[
        ("&&", Rule::Operator),
        ("||", Rule::Operator),
        ("??", Rule::Operator),
        ("else", Rule::Branch(Branch::Else)),
    ],
};

fn method(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let Some(name) = walk.field(node, Field::Name) else { return Next::Descend };
    let mut cursor = node.walk();
    let is_test = node
        .named_children(&mut cursor)
        .take_while(|it| it.kind() == "attribute_list")
        .any(|it| has_test_annotation(walk.bytes(it)));
    if is_test {
        walk.mark_as_test();
    }
    walk.define(Draft::new(Kind::Method, node, name).body(walk.field(node, Field::Body)));
    Next::Descend
}

fn field(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let mut cursor = node.walk();
    let declaration =
        node.named_children(&mut cursor).find(|it| it.kind() == "variable_declaration");
    let Some(declaration) = declaration else { return Next::Descend };
    let is_constant = walk.bytes(node).windows(6).take(80).any(|it| it == b"const ");
    let kind = if is_constant { Kind::Constant } else { Kind::Field };
    let mut cursor = declaration.walk();
    for declarator in declaration.named_children(&mut cursor) {
        if declarator.kind() == "variable_declarator"
            && let Some(name) = walk.field(declarator, Field::Name)
        {
            walk.define_leaf(Draft::new(kind, node, name));
        }
    }
    Next::Descend
}

/// Records an import. `using A.B;` imports all names in `A.B`; `using X = A.B;` defines an alias.
fn using(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let alias = walk.field(node, Field::Name);
    let mut cursor = node.walk();
    let target = node
        .named_children(&mut cursor)
        .filter(|it| alias.is_none_or(|alias| alias.id() != it.id()))
        .last();
    if let Some(target) = target {
        let path = span(target).text(walk.source).to_owned();
        let imported = if alias.is_some() { Imported::Module } else { Imported::All };
        walk.import(Import { path, imported, alias: alias.map(span), line: line(node) });
    }
    Next::Skip
}

/// Records the parameters of a record or class as properties. Method parameters are not recorded as definitions.
fn parameter(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    if let Some(name) = walk.field(node, Field::Name) {
        if walk.enclosing_kind() == Some(Kind::Class) {
            walk.define_leaf(Draft::new(Kind::Property, node, name));
        }
        walk.claim(span(name));
    }
    Next::Descend
}

fn qualified(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    if walk.is_claimed(node) {
        return Next::Skip;
    }
    walk.refer_to(ReferenceKind::Type, node);
    Next::Skip
}

/// Records a name as a type if it starts with an upper-case letter and is not an argument, part of an assignment or
/// part of a pattern. Records any other name as a plain name. The grammar itself does not distinguish types from
/// values.
fn identifier(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    if walk.is_claimed(node) {
        return Next::Skip;
    }
    let capital = walk.bytes(node).first().is_some_and(u8::is_ascii_uppercase);
    let around = ["argument", "assignment_expression", "name_colon", "subpattern"];
    if capital && !around.iter().any(|kind| walk.parent_kind_is(kind)) {
        walk.record(ReferenceKind::Type, node, None);
    } else {
        walk.name(node);
    }
    Next::Skip
}
