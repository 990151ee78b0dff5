//! Determines which repository file a command runs.
//!
//! The file is known if the command names a program by a literal path, or if it passes the literal path of a script
//! to a known interpreter. The file is unknown if a shell expands part of the command, or if the program itself
//! chooses the files that it loads (`make`, `npm run`, `python3 -m`).

use std::path::{Path, PathBuf};

/// Shells. Their options `-e`, `-u` and `-x` do not change which file runs.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "zsh", "ksh"];
/// Python options that do not change which file runs.
const PYTHON_OPTIONS: [&str; 5] = ["-u", "-B", "-I", "-E", "-s"];
/// Interpreters that run the file given as their first argument.
const INTERPRETERS: [&str; 6] = ["node", "nodejs", "ruby", "perl", "php", "lua"];
/// Programs that treat their arguments as data and do not run a file.
const DATA_PROGRAMS: [&str; 12] = [
    ":", "cat", "date", "echo", "exit", "false", "logger", "mkdir", "printf", "sleep", "touch",
    "true",
];
/// Variables that always contain the directory in which hooks start, regardless of the caller's environment.
const START_VARIABLES: [&str; 2] = ["ADJUTANT_ROOT", "PWD"];

/// A command as written in a hook file or in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenCommand {
    /// A command line for `/bin/sh -c`.
    Shell(String),
    /// A program and its arguments, started without a shell.
    Program(Vec<String>),
}

/// A command that the user's trust does not cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncovered {
    pub command: String,
    pub reason: String,
}

/// Returns the commands for which the executed file cannot be determined, each with the reason.
#[must_use]
pub fn uncovered_commands(commands: &[WrittenCommand], repository: &Path) -> Vec<Uncovered> {
    let judged = commands.iter().map(|command| (command, command.script(repository)));
    judged
        .filter_map(|(command, script)| {
            let command = command.texts().collect::<Vec<_>>().join(" ");
            script.err().map(|reason| Uncovered { command, reason })
        })
        .collect()
}

impl WrittenCommand {
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let texts = match self {
            Self::Shell(text) => std::slice::from_ref(text),
            Self::Program(words) => words.as_slice(),
        };
        texts.iter().map(String::as_str)
    }

    /// Returns the canonical path of the repository file that the command runs, or `None` if the command does not run a
    /// file.
    ///
    /// # Errors
    /// Returns the reason why the file cannot be determined.
    pub(super) fn script(&self, repository: &Path) -> Result<Option<PathBuf>, String> {
        let words = match self {
            Self::Shell(text) => literal_words(text, repository)?,
            Self::Program(words) => words.clone(),
        };
        let Some((program, arguments)) = words.split_first() else { return Ok(None) };
        if matches!(self, Self::Shell(_)) && program.contains('=') {
            return Err(format!("`{program}` sets a variable"));
        }
        let name = program.rsplit('/').next().unwrap_or(program);
        if !program.contains('/') && DATA_PROGRAMS.contains(&name) {
            return Ok(None);
        }
        let path = repository.join(program);
        let is_own = path.starts_with(repository)
            || path.canonicalize().is_ok_and(|real| real.starts_with(repository));
        match is_interpreter(name) {
            true if program.contains('/') && is_own => {
                Err(format!("`{program}` is an interpreter inside the repository"))
            }
            true => script_of(name, arguments, repository).map(Some),
            false if program.contains('/') => file_inside(program, repository).map(Some),
            false => Err(format!("the files that `{program}` loads are not known")),
        }
    }
}

fn is_interpreter(name: &str) -> bool {
    SHELLS.contains(&name) || INTERPRETERS.contains(&name) || is_python(name)
}

fn is_python(name: &str) -> bool {
    let version = name.strip_prefix("python");
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

fn script_of(name: &str, arguments: &[String], repository: &Path) -> Result<PathBuf, String> {
    let is_harmless = |option: &str| {
        let letters = option.strip_prefix('-').unwrap_or_default();
        let is_shells = !letters.is_empty() && letters.chars().all(|c| "eux".contains(c));
        (SHELLS.contains(&name) && is_shells)
            || (is_python(name) && PYTHON_OPTIONS.contains(&option))
    };
    let script = arguments.iter().find(|argument| !is_harmless(argument));
    match script {
        None => Err(format!("`{name}` is called without a script")),
        Some(option) if option.starts_with('-') => {
            Err(format!("`{name} {option}` does not name a script by its path"))
        }
        Some(script) => file_inside(script, repository),
    }
}

/// Returns the canonical path of `path`. Fails if it is not a regular file inside the repository.
fn file_inside(path: &str, repository: &Path) -> Result<PathBuf, String> {
    let real = repository.join(path).canonicalize();
    let real = real.ok().filter(|real| real.starts_with(repository) && real.is_file());
    real.ok_or_else(|| format!("`{path}` is not a file inside the repository"))
}

/// Splits a shell command into words. Fails if the command contains expansions, operators or redirections.
fn literal_words(text: &str, repository: &Path) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut rest = text.trim();
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

#[cfg(test)]
mod tests;
