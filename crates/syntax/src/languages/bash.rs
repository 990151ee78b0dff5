//! Extracts definitions and references from Bash and other shell scripts with the tree-sitter grammar.

use tree_sitter::Node;

use crate::complexity::Branch;
use crate::conventions::is_upper_case;
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Next, Rule};
use crate::outline::{Imported, ReferenceKind};
use crate::walk::{Draft, Walk, span};

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_bash::LANGUAGE.into(),
    nodes: &[&[
        ("variable_assignment", Rule::Visit(variable)),
        ("command", Rule::Decide(command)),
        ("raw_string", Rule::Text),
        ("heredoc_body", Rule::Visit(|walk, node| walk.trimmed_text(node))),
        ("elif_clause", Rule::Branch(Branch::ElseIf)),
        ("c_style_for_statement", Rule::Branch(Branch::Loop)),
        ("case_statement", Rule::Branch(Branch::Switch)),
        ("case_item", Rule::Branch(Branch::Case)),
    ]],
    tokens: &[],
};

/// Built-in commands, which are not recorded as references.
#[rustfmt::skip]
const BUILTINS: [&[u8]; 22] = [
    b":", b"return", b"echo", b"printf", b"set", b"cd", b"exit", b"shift", b"true", b"false", b"test", b"[",
    b"read", b"trap", b"eval", b"exec", b"break", b"continue", b"wait", b"pwd", b"pushd", b"popd",
];

/// Records an assignment outside of functions as a variable or constant. `VAR=1 command` is skipped, because the
/// assignment applies only to that command.
fn variable(walk: &mut Walk<'_>, node: Node<'_>) {
    let name = walk.field(node, Field::Name).filter(|it| it.kind() == "variable_name");
    if let Some(name) = name
        && walk.builder.callable.is_none()
        && !walk.parent_kind_is("command")
    {
        let is_constant = is_upper_case(walk.bytes(name));
        let kind = if is_constant { Kind::Constant } else { Kind::Variable };
        walk.define(Draft::new(kind, node, name));
    }
}

fn command(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let name = walk.field(node, Field::Name).and_then(|it| it.named_child(0));
    let Some(name) = name.filter(|it| it.kind() == "word") else { return Next::Descend };
    let argument = node.child_by_field_name("argument");
    match (walk.bytes(name), argument) {
        (b"source" | b".", Some(path)) => {
            let path = walk.without_quotes(path).text(walk.source);
            walk.import(path, Imported::Module, None, node);
            return Next::Skip;
        }
        (builtin, _) if BUILTINS.contains(&builtin) => {}
        _ => {
            walk.record(ReferenceKind::Call, name, None);
            walk.claim(span(name));
        }
    }
    Next::Descend
}

/// Replaces each non-ASCII byte with a letter. In a shell script, non-ASCII characters are parts of words, but for
/// some of them the grammar's scanner would read outside its tables.
pub(crate) fn in_ascii(source: &[u8]) -> Vec<u8> {
    source.iter().map(|byte| if byte.is_ascii() { *byte } else { b'q' }).collect()
}
