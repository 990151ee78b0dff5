//! Extracts definitions and references from C++ source. Adds rules for classes, namespaces and templates to the C
//! rules.

use tree_sitter::Node;

use super::c;
use crate::complexity::Branch;
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Rule};
use crate::outline::ReferenceKind;
use crate::walk::Walk;

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_cpp::LANGUAGE.into(),
    nodes: &[c::RULES, RULES],
    tokens: &[],
};

const RULES: &[(&str, Rule)] = &[
    ("class_specifier", Rule::Visit(|walk, node| c::define_with_body(walk, Kind::Class, node))),
    // A comment above a template belongs to the definition after the template parameters.
    ("template_parameter_list", Rule::Visit(|walk, node| walk.attribute(node))),
    ("namespace_definition", Rule::Define(Kind::Module)),
    ("alias_declaration", Rule::Define(Kind::TypeAlias)),
    ("concept_definition", Rule::Define(Kind::Interface)),
    ("base_class_clause", Rule::Inherit),
    ("qualified_identifier", Rule::Visit(qualified)),
    ("for_range_loop", Rule::Branch(Branch::Loop)),
];

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
fn qualified(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = walk.field(node, Field::Name)
        && name.kind() == "identifier"
        && !walk.is_claimed_ahead(name)
        && !walk.parent_kind_is("qualified_identifier")
    {
        walk.refer_to(ReferenceKind::Use, node);
    }
}
