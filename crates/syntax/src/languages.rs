//! The list of languages, one file each. Adding one is a file, a variant and a line here.

mod bash;
mod c;
mod cpp;
mod csharp;
mod go;
mod java;
mod javascript;
mod kotlin;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod script_blocks;
mod swift;
mod typescript;

use tree_sitter::Node;

pub(crate) use bash::in_ascii as bash_in_ascii;
pub(crate) use cpp::looks_like_cpp;
pub(crate) use script_blocks::find_scripts;

use crate::grammar::{Next, Profile};
use crate::language::Language;
use crate::outline::ReferenceKind;
use crate::walk::Walk;

pub(crate) fn profile(language: Language) -> &'static Profile {
    match language {
        Language::Rust => &rust::PROFILE,
        Language::Python => &python::PROFILE,
        Language::TypeScript => &typescript::TYPESCRIPT,
        Language::Tsx => &typescript::TSX,
        Language::JavaScript => &javascript::PROFILE,
        Language::Go => &go::PROFILE,
        Language::Java => &java::PROFILE,
        Language::C => &c::PROFILE,
        Language::Cpp => &cpp::PROFILE,
        Language::CSharp => &csharp::PROFILE,
        Language::Ruby => &ruby::PROFILE,
        Language::Php => &php::PROFILE,
        Language::Bash => &bash::PROFILE,
        Language::Kotlin => &kotlin::PROFILE,
        Language::Swift => &swift::PROFILE,
        Language::Scala => &scala::PROFILE,
        Language::Vue => &script_blocks::VUE,
        Language::Svelte => &script_blocks::SVELTE,
    }
}

/// `@cached` applies the function `cached`; `@cached(60)` is a call like any other.
fn decorator(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    walk.attribute(node);
    let is_call = |node: &Node<'_>| matches!(node.kind(), "call" | "call_expression");
    if let Some(applied) = node.named_child(0).filter(|it| !is_call(it)) {
        walk.refer_to(ReferenceKind::Call, applied);
    }
    Next::Descend
}

/// Whether the annotations or attributes before a method make it a test.
pub(crate) fn has_test_mark(modifiers: &[u8]) -> bool {
    const MARKS: [&[u8]; 8] = [
        b"Test",
        b"ParameterizedTest",
        b"RepeatedTest",
        b"TestCase",
        b"TestMethod",
        b"DataTestMethod",
        b"Fact",
        b"Theory",
    ];
    let words = modifiers.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    words.into_iter().any(|word| MARKS.contains(&word))
}

/// The first child of a kind, for grammars without field names.
fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|it| it.kind() == kind)
}
