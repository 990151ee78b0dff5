//! Splits a shell command into words, without expanding anything.

use std::path::Path;

/// Variables that always contain the directory in which hooks start, regardless of the caller's environment.
const START_VARIABLES: [&str; 2] = ["ADJUTANT_ROOT", "PWD"];

/// The characters that separate words, and commands in the case of the line break. A shell does not separate words at
/// other control characters and at other Unicode white space.
pub(in crate::covered) const BLANKS: [char; 3] = [' ', '\t', '\n'];

/// Rejects a text with a control character or white space other than [`BLANKS`]. Such a character is part of a word for
/// a shell, but looks like the end of the word or is not visible.
pub(super) fn check_characters(text: &str) -> Result<(), String> {
    let is_odd = |c: &char| (c.is_control() || c.is_whitespace()) && !BLANKS.contains(c);
    text.chars().find(is_odd).map_or(Ok(()), |character| {
        Err(format!("it contains the control or blank character `{}`", character.escape_default()))
    })
}

/// Splits a shell command into words. Fails if the command contains expansions, operators or redirections.
pub(super) fn literal_words(text: &str, repository: &Path) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut rest = text.trim_matches(BLANKS);
    while let Some(character) = rest.chars().next() {
        let is_start = word.as_ref().is_none_or(String::is_empty);
        let after = &rest[character.len_utf8()..];
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(character),
            (_, '$') if is_start => {
                let (root, after) = start_directory(rest, repository, quote.is_some())?;
                word.get_or_insert_default().push_str(root);
                rest = after;
                continue;
            }
            (_, '$' | '`' | '\\') => return Err(expands(character)),
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t') => words.extend(word.take()),
            (None, _) if character.is_alphanumeric() || "_./+:,@%=-".contains(character) => {
                word.get_or_insert_default().push(character);
            }
            (None, _) => return Err(expands(character)),
        }
        rest = after;
    }
    if quote.is_some() {
        return Err("a quotation mark is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

fn expands(character: char) -> String {
    format!("the shell interprets `{}`", character.escape_default())
}

/// If `text` starts with one of [`START_VARIABLES`] and a `/`, returns the variable's value and the rest of `text`.
/// Otherwise, or if the shell would split the unquoted value, returns an error.
fn start_directory<'a>(
    text: &'a str,
    repository: &'a Path,
    is_quoted: bool,
) -> Result<(&'a str, &'a str), String> {
    let after = START_VARIABLES.iter().find_map(|name| {
        let braced = format!("${{{name}}}");
        let rest = text.strip_prefix(&braced).or_else(|| text.strip_prefix(&format!("${name}")))?;
        rest.starts_with('/').then_some(rest)
    });
    let is_plain =
        |path: &&str| is_quoted || path.chars().all(|c| c.is_alphanumeric() || "_./+-".contains(c));
    // Without quotation marks, the shell would split a path with a space into two words.
    let root = repository.to_str().filter(is_plain);
    root.zip(after).ok_or_else(|| expands('$'))
}
