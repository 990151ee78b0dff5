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

/// Defines the keywords that a reader distinguishes, each with the words that it stands for. All words that are not
/// names are listed; the reader treats those of `Other` alike.
macro_rules! keywords {
    ($($(#[$doc:meta])* $keyword:ident [$($word:literal)*])*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Keyword { $($(#[$doc])* $keyword),* }

        impl Keyword {
            const ALL: &[Self] = &[$(Self::$keyword),*];

            /// Returns the code of the keyword, or `None` if the word is not a keyword.
            pub(super) fn code_of(word: &[u8]) -> Option<u8> {
                match word {
                    $($($word => Some(Self::$keyword as u8),)*)*
                    _ => None,
                }
            }

            /// Returns the keyword of a token, or `None` if the token is not a keyword.
            pub(super) fn of_token(token: crate::token_reader::token::Token) -> Option<Self> {
                let is_keyword = token.kind == crate::token_reader::token::Kind::Keyword;
                Self::ALL.get(usize::from(token.code)).copied().filter(|_| is_keyword)
            }
        }

        impl From<Keyword> for u8 {
            fn from(keyword: Keyword) -> Self {
                keyword as Self
            }
        }
    };
}

mod braces;
mod c;
mod go;
mod item;
mod java;
mod lexer;
mod php;
mod python;
mod reader;
mod rust;
mod token;

use std::time::Instant;

use crate::languages::Language;
use crate::outline::{Outline, Reference};

/// Buffers that are reused for each file.
#[derive(Default)]
pub(crate) struct Scratch {
    tokens: Vec<token::Token>,
    names: Vec<Reference>,
    comments: Vec<lexer::Comment>,
}

/// The error that a reader returns if it does not support the source. The partial outline is discarded.
struct Unsupported;

type Result<T> = std::result::Result<T, Unsupported>;

/// Returns the outline, or `None` if the language has no token reader or the reader does not support the source.
pub(crate) fn outline(
    language: Language,
    source: &[u8],
    deadline: Option<Instant>,
    scratch: &mut Scratch,
) -> Option<Outline> {
    let read = match language {
        Language::C | Language::Cpp => reader::read::<c::C>,
        Language::Rust => reader::read::<rust::Rust>,
        Language::Python => reader::read::<python::Python>,
        Language::Go => reader::read::<go::Go>,
        Language::Java => reader::read::<java::Java>,
        Language::Php => reader::read::<php::Php>,
        _ => return None,
    };
    read(language, source, deadline, scratch).ok()
}
