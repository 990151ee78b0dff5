//! Reads Rust, Python, Go, Java, PHP, C and C++ source as tokens. This is about twenty times as fast as parsing with
//! the grammars.
//!
//! A reader returns an error for source that it does not support, such as source with unbalanced brackets or an
//! unterminated string. The outliner then uses the grammar, which recovers from errors. Tests compare the results of
//! the readers with those of the grammars on valid code.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a rule lists the tokens that it handles and ignores all others"
)]

mod braces;
mod bracket_stack;
mod builder;
mod c;
mod go;
mod java;
mod pending;
mod php;
mod python;
mod rust;
mod token;
mod token_cursor;

use std::time::Instant;

use crate::languages::Language;
use crate::names;
use crate::outline::Outline;

/// Buffers that are reused for each file.
#[derive(Default)]
pub(crate) struct Scratch {
    tokens: Vec<token::Token>,
    names: Vec<names::Candidate>,
    comments: Vec<builder::Comment>,
}

/// The error that a reader returns if it does not support the source. The partial outline is discarded.
struct Unsupported;

/// Returns the outline, or `None` if the language has no token reader or the reader does not support the source.
pub(crate) fn outline(
    language: Language,
    source: &[u8],
    deadline: Option<Instant>,
    scratch: &mut Scratch,
) -> Option<Outline> {
    let read = match language {
        Language::C | Language::Cpp => return c::read(language, source, deadline, scratch).ok(),
        Language::Rust => rust::read,
        Language::Python => python::read,
        Language::Go => go::read,
        Language::Java => java::read,
        Language::Php => php::read,
        _ => return None,
    };
    read(source, deadline, scratch).ok()
}
