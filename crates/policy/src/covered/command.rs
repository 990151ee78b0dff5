//! Determines which repository file a command runs.
//!
//! The file is known if the command names a program by a literal path, or if it passes the literal path of a script
//! to a known interpreter. The file is unknown if a shell expands part of the command, or if the program itself
//! chooses the files that it loads (`make`, `npm run`, `python3 -m`).

use std::path::{Component, Path, PathBuf};

use super::route::{NoRoute, Route};
use crate::find_git_top;

/// Variables that always contain the directory in which hooks start, regardless of the caller's environment.
const START_VARIABLES: [&str; 2] = ["ADJUTANT_ROOT", "PWD"];

/// The characters that separate words, and commands in the case of the line break. A shell does not separate words at
/// other control characters and at other Unicode white space.
pub(super) const BLANKS: [char; 3] = [' ', '\t', '\n'];

/// Shells. Their options `-e`, `-u` and `-x` do not change which file runs.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "zsh", "ksh"];
/// Python options that do not change which file runs.
const PYTHON_OPTIONS: [&str; 5] = ["-u", "-B", "-I", "-E", "-s"];
/// Interpreters that run the file given as their first argument.
const INTERPRETERS: [&str; 6] = ["node", "nodejs", "ruby", "perl", "php", "lua"];
/// Words after `node` that start its debugger. They are not the name of a script.
const NODE_COMMANDS: [&str; 2] = ["inspect", "debug"];
/// Programs that treat their arguments as data and do not run a file.
const DATA_PROGRAMS: [&str; 12] = [
    ":", "cat", "date", "echo", "exit", "false", "logger", "mkdir", "printf", "sleep", "touch",
    "true",
];

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

/// The repository file that a command runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Script {
    /// The canonical path of the file.
    pub(super) path: PathBuf,
    /// The words of the command, as its program receives them.
    pub(super) words: Vec<String>,
    /// The position of the word that names the file.
    pub(super) position: usize,
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

    /// Returns the repository file that the command runs, or `None` if the command does not run a file.
    ///
    /// # Errors
    /// Returns the reason why the file cannot be determined.
    pub(super) fn script(&self, repository: &Path) -> Result<Option<Script>, String> {
        self.texts().try_for_each(check_characters)?;
        let words = match self {
            Self::Shell(text) => literal_words(text, repository)?,
            Self::Program(words) => words.clone(),
        };
        let Some((program, arguments)) = words.split_first() else { return Ok(None) };
        if self.is_shell() && program.contains('=') {
            return Err(format!("`{program}` sets a variable"));
        }
        let name = program.rsplit('/').next().unwrap_or(program);
        let has_path = program.contains('/');
        if !has_path && DATA_PROGRAMS.contains(&name) {
            if self.is_shell() {
                check_data(program, arguments)?;
            }
            return Ok(None);
        }
        let position = match (is_interpreter(name), has_path) {
            (true, _) => {
                if has_path {
                    check_interpreter(program, repository)?;
                }
                1 + script_position(name, arguments)?
            }
            (false, true) => 0,
            (false, false) => {
                return Err(format!("the files that `{program}` loads are not known"));
            }
        };
        let path = file_inside(&words[position], repository)?;
        check_arguments(arguments, repository)?;
        Ok(Some(Script { path, words, position }))
    }

    fn is_shell(&self) -> bool {
        matches!(self, Self::Shell(_))
    }
}

/// Rejects arguments that some shells evaluate although they are quoted. For example, `printf -v 'x[$(make)]'` runs `make`
/// in bash.
fn check_data(program: &str, arguments: &[String]) -> Result<(), String> {
    match arguments.iter().find(|argument| argument.contains(['$', '`'])) {
        Some(argument) => Err(format!("`{program}` may evaluate `{argument}`")),
        None => Ok(()),
    }
}

/// Rejects an interpreter that the repository controls. The whole work tree counts as the repository, even if the
/// configuration is in one of its subfolders.
fn check_interpreter(program: &str, repository: &Path) -> Result<(), String> {
    let top = find_git_top(repository);
    let is_own = |route: &Route| {
        route.passes(repository) || top.as_ref().is_some_and(|top| route.passes(top))
    };
    match Route::follow(&repository.join(program)) {
        Ok(route) if is_own(&route) => {
            Err(format!("`{program}` is an interpreter inside the repository"))
        }
        Ok(_) => Ok(()),
        Err(NoRoute::Missing) => Err(format!("`{program}` does not exist")),
        Err(NoRoute::DependsOnProcess) => Err(depends_on_process(program)),
    }
}

/// Rejects arguments whose file depends on the process that opens it. Such a file is not hashed, unlike other files of the
/// repository that a command names.
fn check_arguments(arguments: &[String], repository: &Path) -> Result<(), String> {
    let is_unstable = |argument: &&String| {
        argument.as_str() != "/dev/null"
            && Route::follow(&repository.join(argument)) == Err(NoRoute::DependsOnProcess)
    };
    let unstable = arguments.iter().find(is_unstable);
    unstable.map_or(Ok(()), |argument| Err(depends_on_process(argument)))
}

fn depends_on_process(path: &str) -> String {
    format!("`{path}` leads through /proc or /dev, where each process finds different files")
}

fn is_interpreter(name: &str) -> bool {
    SHELLS.contains(&name) || INTERPRETERS.contains(&name) || is_python(name)
}

fn is_python(name: &str) -> bool {
    let version = name.strip_prefix("python");
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// Returns the position of the script in the arguments of an interpreter.
fn script_position(name: &str, arguments: &[String]) -> Result<usize, String> {
    let is_harmless = |option: &str| {
        let letters = option.strip_prefix('-').unwrap_or_default();
        let is_shells = !letters.is_empty() && letters.chars().all(|c| "eux".contains(c));
        (SHELLS.contains(&name) && is_shells)
            || (is_python(name) && PYTHON_OPTIONS.contains(&option))
    };
    match arguments.iter().enumerate().find(|(_, argument)| !is_harmless(argument)) {
        None => Err(format!("`{name}` is called without a script")),
        // A shell accepts options that start with `+`: `sh +c` runs a command in the same way as `sh -c`.
        Some((_, option)) if option.starts_with(['-', '+']) || is_node_command(name, option) => {
            Err(format!("`{name} {option}` does not name a script by its path"))
        }
        Some((position, _)) => Ok(position),
    }
}

fn is_node_command(name: &str, word: &str) -> bool {
    name.starts_with("node") && NODE_COMMANDS.contains(&word)
}

/// Returns the canonical path of `path`. Fails if it is not a regular file inside the repository, or if programs do not
/// agree on which file it is.
fn file_inside(path: &str, repository: &Path) -> Result<PathBuf, String> {
    let real = match Route::follow(&repository.join(path)) {
        Ok(route) => route.end.canonicalize().ok(),
        Err(NoRoute::Missing) => None,
        Err(NoRoute::DependsOnProcess) => return Err(depends_on_process(path)),
    };
    let real = real.filter(|real| real.starts_with(repository) && real.is_file());
    let real = real.ok_or_else(|| format!("`{path}` is not a file inside the repository"))?;
    // After a symbolic link to a folder, `..` is the parent of the link for node, and of the folder for a shell.
    if Path::new(path).components().any(|part| part == Component::ParentDir) {
        return Err(format!("`{path}` contains `..`"));
    }
    Ok(real)
}

/// Rejects a text with a control character or white space other than [`BLANKS`]. Such a character is part of a word for
/// a shell, but looks like the end of the word or is not visible.
fn check_characters(text: &str) -> Result<(), String> {
    let is_odd = |c: &char| (c.is_control() || c.is_whitespace()) && !BLANKS.contains(c);
    text.chars().find(is_odd).map_or(Ok(()), |character| {
        Err(format!("it contains the control or blank character `{}`", character.escape_default()))
    })
}

/// Splits a shell command into words. Fails if the command contains expansions, operators or redirections.
fn literal_words(text: &str, repository: &Path) -> Result<Vec<String>, String> {
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

#[cfg(test)]
mod tests;
