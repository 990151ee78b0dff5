//! Parses the command line. Reports an unknown flag, an unexpected argument or an invalid number in one line.

use std::error::Error;
use std::num::{IntErrorKind, ParseIntError};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory, FromArgMatches};
use strsim::levenshtein;

use crate::failure::Failure;
use crate::{edge, output};

const MAX_SUGGESTIONS: usize = 5;

/// Parses the command line. A flag accepts a negative number as its value, so that `--limit -1` is reported as an
/// invalid number and not as an unknown flag `-1`. Prints an error and returns its exit code. For `--help` and
/// `--version`, prints the help or the version and returns success.
pub(crate) fn parse<T: CommandFactory + FromArgMatches>() -> Result<T, ExitCode> {
    let matches = with_negative_numbers(T::command()).try_get_matches();
    let parsed = matches.and_then(|mut matches| T::from_arg_matches_mut(&mut matches));
    parsed.map_err(|error| report(&error, &T::command(), &edge::command_line()))
}

fn with_negative_numbers(command: Command) -> Command {
    let is_flag_with_value =
        |argument: &Arg| argument.get_long().is_some() && argument.get_action().takes_values();
    let command = command.mut_args(|argument| {
        if is_flag_with_value(&argument) { argument.allow_negative_numbers(true) } else { argument }
    });
    command.mut_subcommands(with_negative_numbers)
}

fn report(error: &clap::Error, program: &Command, words: &[String]) -> ExitCode {
    if let Some(failure) = failure(error, program, words) {
        return failure.report();
    }
    // For other errors, clap composes the message and chooses between stdout and stderr.
    let text = error.render().ansi().to_string();
    match error.use_stderr() {
        true => output::talk(text.trim_end()),
        false => output::data(&text),
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Describes an unknown command, flag or argument, or an invalid number. Returns `None` for any other error.
fn failure(error: &clap::Error, program: &Command, words: &[String]) -> Option<Failure> {
    if error.kind() == ErrorKind::InvalidSubcommand {
        return Some(unknown_command(error, program, words));
    }
    let Some(ContextValue::String(named)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let (command, path) = command_of(program, words);
    if error.kind() == ErrorKind::UnknownArgument {
        return Some(unknown_argument(named, command, &path));
    }
    let problem = wrong_number(error)?;
    let hint = format!("`{path} {}` lists the flags", help_flag(command));
    Some(Failure::usage(format!("{named}: {problem}")).hint(hint))
}

fn unknown_argument(unknown: &str, command: &Command, path: &str) -> Failure {
    let takes_a_task = command.get_arguments().any(|flag| flag.get_long() == Some("task"));
    if !unknown.starts_with('-') {
        return unexpected_argument(unknown, path, takes_a_task);
    }
    let near = nearest(command, unknown);
    let suggestion = match near.as_slice() {
        [] if takes_a_task => "use --task for the instructions; ".to_owned(),
        [] => String::new(),
        near => format!("did you mean {}? ", near.join(", ")),
    };
    // Scripts of older callers look for the Chinese words.
    let name = if takes_a_task { "unknown flag (未知参数)" } else { "unknown flag" };
    Failure::usage(format!("{name} {unknown}"))
        .hint(format!("{suggestion}`{path} {}` lists every flag", help_flag(command)))
}

/// Returns the flag that prints all flags of a command.
fn help_flag(command: &Command) -> &'static str {
    let has_help_all = command.get_arguments().any(|flag| flag.get_long() == Some("help-all"));
    if has_help_all { "--help-all" } else { "--help" }
}

/// Describes the invalid value of a flag that needs a whole number. Returns `None` for any other error.
fn wrong_number(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else {
        return None;
    };
    let source = error.source()?;
    let is_negative = source.to_string().ends_with(" is not in 0..=4294967295");
    match source.downcast_ref::<ParseIntError>().map(ParseIntError::kind) {
        Some(IntErrorKind::PosOverflow) => Some(format!("`{value}` is too large")),
        None if !is_negative => None,
        _ => Some(format!("`{value}` is not a whole number of at least 0")),
    }
}

/// Describes an unknown command and suggests the nearest commands, nearest first.
fn unknown_command(error: &clap::Error, program: &Command, words: &[String]) -> Failure {
    let (_, path) = command_of(program, words);
    let text = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    };
    let unknown = text(ContextKind::InvalidSubcommand).concat();
    let mut near = text(ContextKind::SuggestedSubcommand);
    near.sort_by_key(|name| levenshtein(&unknown, name));
    let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    let suggestion = match near.as_slice() {
        [] => String::new(),
        near => format!("did you mean {}? ", near.join(" or ")),
    };
    Failure::usage(format!("unknown command `{unknown}`"))
        .hint(format!("{suggestion}`{path} --help` lists the commands"))
}

fn unexpected_argument(word: &str, path: &str, takes_a_task: bool) -> Failure {
    let word: String = word.chars().take(60).collect();
    let suggestion = if takes_a_task {
        "use --task for the instructions"
    } else {
        "quote an argument that contains spaces"
    };
    Failure::usage(format!("unexpected argument `{word}`"))
        .hint(format!("{suggestion}; `{path} --help` lists the arguments"))
}

/// Returns the subcommand that the arguments select, and its full name, such as `adjutant queue add`.
fn command_of<'a>(program: &'a Command, words: &[String]) -> (&'a Command, String) {
    let mut command = program;
    let mut path = program.get_name().to_owned();
    for word in words {
        let Some(next) = command.find_subcommand(word) else { break };
        command = next;
        path = format!("{path} {word}");
    }
    (command, path)
}

fn nearest(command: &Command, unknown: &str) -> Vec<String> {
    let wanted = unknown.trim_start_matches('-').to_lowercase();
    let names = command.get_arguments().filter(|argument| !argument.is_hide_set());
    let names =
        names.flat_map(|argument| argument.get_long_and_visible_aliases().unwrap_or_default());
    let mut scored: Vec<(usize, &str)> =
        names.map(|name| (score(&wanted, name), name)).filter(|(score, _)| *score > 0).collect();
    scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(MAX_SUGGESTIONS).map(|(_, name)| format!("--{name}")).collect()
}

/// Returns the similarity of two names. A higher value means more similar, and 0 means unrelated.
fn score(wanted: &str, name: &str) -> usize {
    let mut score = 0;
    if name.starts_with(wanted) || wanted.starts_with(name) {
        score += 120;
    }
    if name.contains(wanted) || wanted.contains(name) {
        score += 40;
    }
    let parts = |name: &str| name.split('-').map(str::to_owned).collect::<Vec<_>>();
    let is_like = |a: &str, b: &str| {
        let is_prefix = a.starts_with(b) || b.starts_with(a);
        a.len() > 2 && b.len() > 2 && (is_prefix || (a.len() > 4 && levenshtein(a, b) == 1))
    };
    let shared = parts(wanted).iter().filter(|a| parts(name).iter().any(|b| is_like(a, b))).count();
    score += 10 * shared;
    let sorted = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    // The names have the same letters, possibly transposed.
    if sorted(wanted) == sorted(name) {
        score += 50;
    }
    let apart = levenshtein(wanted, name);
    if apart <= 2 || apart * 3 <= name.len() {
        score += 60 / (apart + 1);
    }
    score
}

#[cfg(test)]
mod tests;
