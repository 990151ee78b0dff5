//! Determines from the text of a line what the line does with a name. The rules apply to most languages.

use crate::comments::is_comment;

/// Keywords that precede the name of a definition.
#[rustfmt::skip]
const DEFINING_WORDS: &[&str] = &[
    "fn", "def", "class", "struct", "enum", "trait", "interface", "func", "function", "type", "module", "mod", "namespace",
    "macro_rules!", "object", "protocol", "record", "fun", "sub", "#define", "defp", "defmodule", "function*",
];
/// Keywords that precede the name of a variable or constant.
const BINDING_WORDS: &[&str] = &["const", "let", "var", "static", "val", "mut", "final"];
const IMPORT_WORDS: &[&str] =
    &["import", "from", "use", "require", "include", "#include", "using", "export"];
const INHERITING_WORDS: &[&str] =
    &["class", "impl", "extends", "implements", "struct", "interface", "trait", "record"];
#[rustfmt::skip]
const REPORTING_WORDS: &[&str] = &[
    "log", "logger", "logging", "print", "println", "printf", "eprintln", "console", "warn", "warning", "error", "debug", "info", "trace",
    "raise", "throw", "panic", "bail", "fatal", "echo", "fprintf", "errorf", "puts", "abort", "alert", "notify", "toast", "critical",
];
/// Words that start a statement even if the line contains no punctuation that is typical of code.
#[rustfmt::skip]
const STATEMENT_WORDS: &[&str] = &[
    "return", "raise", "throw", "if", "elif", "for", "while", "import", "from", "use", "assert", "yield", "await", "del", "class", "export",
    "not", "with", "except", "case", "when", "unless", "impl", "interface", "struct", "public", "private", "protected", "type", "extends",
];

/// Returns the positions at which `name` occurs in `line` as a whole word.
pub(super) fn whole_words<'a>(line: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_name_char = |c: char| c.is_alphanumeric() || c == '_';
    let starts_with_name = name.starts_with(is_name_char);
    let ends_with_name = name.ends_with(is_name_char);
    line.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let before = line[..*at].chars().next_back();
        let after = line[at + name.len()..].chars().next();
        let is_joined_before = starts_with_name && before.is_some_and(is_name_char);
        let is_joined_after = ends_with_name && after.is_some_and(is_name_char);
        !is_joined_before && !is_joined_after
    })
}

pub(super) fn has_word(line: &str, name: &str) -> bool {
    whole_words(line, name).next().is_some()
}

/// Returns whether `line` contains `name` only in a comment or in prose, such as a line of a docstring.
pub(super) fn is_mention(line: &str, name: &str) -> bool {
    let code = ["# ", "// "].iter().filter_map(|mark| line.find(mark)).min();
    let is_after_code = code.is_some_and(|end| !has_word(&line[..end], name));
    is_comment(line) || is_after_code || is_prose(line)
}

/// Returns whether a line consists of words, without punctuation that is typical of code.
fn is_prose(line: &str) -> bool {
    const MIN_WORDS: usize = 4;
    let is_word = |word: &&str| {
        let word = word.trim_matches(['.', ',', '"', '\'']);
        !word.is_empty() && word.chars().all(char::is_alphabetic)
    };
    // Prose may mention a function as `name()`.
    let line = line.replace("()", "");
    let n_words = line.split_whitespace().filter(is_word).count();
    let has_sign = line.contains(['=', '(', ')', '{', '}', '[', ']', ';', '<', '>']);
    n_words >= MIN_WORDS && !has_sign && !STATEMENT_WORDS.contains(&first_word(&line))
}

/// Returns whether a line defines `name`, with a keyword before the name.
pub(super) fn defines(line: &str, name: &str) -> bool {
    whole_words(line, name).any(|at| {
        let before = last_word(&line[..at]);
        // In Go, the receiver is between the keyword and the name.
        let is_method =
            line.trim_start().starts_with("func (") && line[..at].trim_end().ends_with(')');
        DEFINING_WORDS.contains(&before) || BINDING_WORDS.contains(&before) || is_method
    })
}

/// Returns whether a line calls `name`.
pub(super) fn calls(line: &str, name: &str) -> bool {
    whole_words(line, name).any(|at| {
        let rest = line[at + name.len()..].trim_start();
        let rest = rest.strip_prefix('!').or_else(|| rest.strip_prefix("?.")).unwrap_or(rest);
        let is_generic = (rest.starts_with("::<") || rest.starts_with('<')) && rest.contains(">(");
        let is_call = rest.starts_with('(') || is_generic;
        is_call && !DEFINING_WORDS.contains(&last_word(&line[..at]))
    })
}

/// Returns whether a line assigns a value to `name`: `name = …`, `name: …`, `"name": …` or `export NAME=…`.
pub(super) fn sets(line: &str, name: &str) -> bool {
    whole_words(line, name).any(|at| {
        let rest =
            line[at + name.len()..].trim_start_matches(['"', '\'', '`', ']', ')']).trim_start();
        let is_assigned =
            rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>");
        let is_operator = ["+=", "-=", "*=", "/=", "|=", "&=", ":=", "||=", "??="]
            .iter()
            .any(|sign| rest.starts_with(sign));
        let before = line[..at].trim_end_matches(['"', '\'', '`']);
        let is_key = rest.starts_with(": ") || rest == ":";
        let starts_line = before.trim_start_matches(['-', '{', '*', ' ', '\t']).is_empty();
        let is_set_call = last_word(before.trim_end_matches('(')).to_lowercase().contains("set");
        is_assigned || is_operator || (is_key && (starts_line || line.contains('{'))) || is_set_call
    })
}

pub(super) fn imports(line: &str) -> bool {
    IMPORT_WORDS.contains(&first_word(line))
        || first_word(line) == "pub" && line.contains("use ")
        || line.contains("require(")
}

/// Returns whether a line declares a type that extends or implements `name`.
pub(super) fn inherits(line: &str, name: &str) -> bool {
    let words = |text: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| INHERITING_WORDS.contains(&word))
    };
    whole_words(line, name).any(|at| words(&line[..at])) && !defines(line, name)
}

/// Returns whether a line logs, prints, raises or shows something.
pub(super) fn reports(line: &str) -> bool {
    let lower = line.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| REPORTING_WORDS.contains(&word))
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

fn last_word(text: &str) -> &str {
    let text = text.trim_end();
    let start = text.rfind(|c: char| {
        c.is_whitespace() || matches!(c, '(' | '.' | '{' | '[' | ';' | ',' | '=' | ':')
    });
    start.map_or(text, |start| &text[start + 1..])
}
