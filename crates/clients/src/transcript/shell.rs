//! Determines the effects of a shell command: the files that simple commands read, write or search.
//!
//! The command is not expanded. Words that a shell would expand are ignored, and so are the arguments of programs that are
//! not in the tables.

use std::path::Path;

use contract::FileAction;

use super::text;
use super::tool::{Effects, Touch, patch_effects};

/// A program, with its options that take the next word as their value, separated by spaces.
struct Program {
    name: &'static str,
    options: &'static str,
}

/// Programs that print files. The listed options take a value, which is not a file.
const READERS: [Program; 9] = [
    Program { name: "cat", options: "" },
    Program { name: "tac", options: "" },
    Program { name: "less", options: "" },
    Program { name: "more", options: "" },
    Program { name: "nl", options: "-b -i -n -s -v -w" },
    Program { name: "head", options: "-n -c --lines --bytes" },
    Program { name: "tail", options: "-n -c --lines --bytes" },
    Program { name: "bat", options: "-r -l --line-range --language" },
    Program { name: "wc", options: "" },
];
/// Programs whose first operand is a pattern.
const SEARCHERS: [Program; 7] = [
    Program { name: "rg", options: SEARCH_OPTIONS },
    Program { name: "grep", options: SEARCH_OPTIONS },
    Program { name: "egrep", options: SEARCH_OPTIONS },
    Program { name: "fgrep", options: SEARCH_OPTIONS },
    Program { name: "ag", options: SEARCH_OPTIONS },
    Program { name: "fd", options: "-e -t -d -E --extension --type" },
    Program { name: "ack", options: SEARCH_OPTIONS },
];
const SEARCH_OPTIONS: &str = "-A -B -C -f -g -j -m -t -T --glob --iglob --type --type-not --max-count --max-depth \
     --context --after-context --before-context --include --exclude --exclude-dir";
/// Programs that only print or filter text.
const FILTERS: [&str; 14] = [
    "cut", "echo", "printf", "pwd", "set", "sort", "tr", "true", "uniq", "which", "xargs",
    "export", "test", "[",
];
const NAME_OPTIONS: [&str; 4] = ["-name", "-iname", "-path", "-ipath"];

/// The maximum length of the part of a command that is analysed, in characters.
const MAX_COMMAND_CHARS: usize = 4_000;

pub(super) fn effects(command: &str) -> Effects {
    if let Some(effects) = patch_effects(command) {
        return effects;
    }
    let command = text::start(command, MAX_COMMAND_CHARS);
    let mut effects = Effects::default();
    let mut directory = String::new();
    for simple in simple_commands(command) {
        let Some(simple) = simple else {
            effects.runs_program = true;
            continue;
        };
        let before = effects.touched.len();
        add_redirections(simple.redirections, &mut effects);
        add_words(&simple.words, &mut effects, &mut directory);
        for touch in &mut effects.touched[before..] {
            touch.path = join(&directory, &touch.path);
        }
    }
    effects.touched.retain(|touch| is_literal(&touch.path));
    effects.runs_program |= effects.touched.is_empty() && !effects.has_pattern;
    effects
}

fn add_words(words: &[String], effects: &mut Effects, directory: &mut String) {
    // Variable assignments for a command may precede the program.
    let mut words = words.iter().map(String::as_str).skip_while(|word| word.contains('='));
    let Some(program) = words.next() else { return };
    let mut arguments: Vec<&str> = words.collect();
    let mut name = program.rsplit('/').next().unwrap_or(program);
    if name == "git" && arguments.first() == Some(&"grep") {
        name = "grep";
        arguments.remove(0);
    }
    match name {
        "cd" => {
            let target = arguments.first().copied().unwrap_or("~");
            *directory = join(directory, target);
        }
        "sed" => sed(&arguments, effects),
        "find" => find(&arguments, effects),
        "ls" | "tree" => list(operands(&arguments, ""), effects),
        _ if FILTERS.contains(&name) => {}
        _ => match (by_name(&READERS, name), by_name(&SEARCHERS, name)) {
            (Some(reader), _) => read(reader, &arguments, effects),
            (None, Some(searcher)) => search(searcher, &arguments, effects),
            (None, None) => effects.runs_program = true,
        },
    }
}

fn by_name<'a>(programs: &'a [Program], name: &str) -> Option<&'a Program> {
    programs.iter().find(|program| program.name == name)
}

/// Adds the files that redirections read or write.
fn add_redirections(redirections: Vec<(String, String)>, effects: &mut Effects) {
    for (operator, target) in redirections {
        let action = match operator.as_str() {
            "<" => FileAction::Read,
            ">" | ">|" | "1>" | "&>" => FileAction::Created,
            ">>" | "1>>" | "&>>" => FileAction::Edited,
            // Here-documents, redirected messages (`2>log`) and duplicated streams (`>&2`) are ignored.
            _ => continue,
        };
        if !target.starts_with("/dev/") {
            effects.touch(target, action);
        }
    }
}

fn read(program: &Program, arguments: &[&str], effects: &mut Effects) {
    let lines = if program.name == "head" { head_lines(arguments) } else { None };
    add_reads(&operands(arguments, program.options), lines, effects);
}

/// Returns the range of lines that `head -n 20`, `head -n20` or `head -20` prints.
fn head_lines(arguments: &[&str]) -> Option<(u32, u32)> {
    let at = arguments.iter().position(|word| word.starts_with('-'))?;
    let number = arguments[at].trim_start_matches(['-', 'n']);
    let number = if number.is_empty() { arguments.get(at + 1)? } else { number };
    number.parse().ok().map(|last| (1, last))
}

fn search(program: &Program, arguments: &[&str], effects: &mut Effects) {
    let mut operands = operands(arguments, program.options).into_iter();
    let is_listing = arguments.contains(&"--files");
    // With `-e`, the pattern is still the first operand, because `-e` is not in the table of options.
    let first = if is_listing { None } else { operands.next() };
    let is_named = arguments.iter().any(|word| matches!(*word, "-e" | "--regexp"));
    effects.has_pattern |= is_named || first.is_some();
    list(operands.collect(), effects);
}

fn find(arguments: &[&str], effects: &mut Effects) {
    let places = arguments.iter().take_while(|word| !word.starts_with(['-', '(', '!']));
    list(places.copied().collect(), effects);
    effects.has_pattern |= arguments.iter().any(|word| NAME_OPTIONS.contains(word));
}

fn list(paths: Vec<&str>, effects: &mut Effects) {
    for path in paths {
        effects.touch(path, FileAction::Listed);
    }
}

/// Adds the effects of `sed`: `sed -n '1,20p' file` reads lines of a file, and `sed -i …` edits the file.
fn sed(arguments: &[&str], effects: &mut Effects) {
    let is_edit = arguments.iter().any(|word| word.starts_with("-i") || *word == "--in-place");
    let is_named = arguments.iter().any(|word| matches!(*word, "-e" | "-f" | "--expression"));
    let mut files = operands(arguments, "-e -f --expression");
    let script = if is_named || files.is_empty() { "" } else { files.remove(0) };
    if is_edit {
        files.iter().for_each(|file| effects.touch(*file, FileAction::Edited));
    } else {
        add_reads(&files, sed_lines(script), effects);
    }
}

fn sed_lines(script: &str) -> Option<(u32, u32)> {
    let range = script.strip_suffix('p')?;
    let (first, last) = range.split_once(',').unwrap_or((range, range));
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
}

fn add_reads(files: &[&str], lines: Option<(u32, u32)>, effects: &mut Effects) {
    for file in files {
        let path = (*file).to_owned();
        effects.touched.push(Touch { path, action: FileAction::Read, lines });
    }
}

/// Returns whether the path is not empty, is not an option, and contains nothing that a shell would expand.
fn is_literal(path: &str) -> bool {
    !path.is_empty() && !path.starts_with(['~', '-']) && !path.contains(['*', '?', '$', '`', '{'])
}

fn join(directory: &str, path: &str) -> String {
    if directory.is_empty() || path.starts_with('~') {
        return path.to_owned();
    }
    Path::new(directory).join(path).to_string_lossy().into_owned()
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct SimpleCommand {
    words: Vec<String>,
    /// The redirections, each with an operator such as `2>` and its target.
    redirections: Vec<(String, String)>,
}

/// Marks the operator of a redirection, because a quoted word may start with the same characters.
const MARK: char = '\u{1}';

/// Splits a command at `;`, `&&`, `||`, `|`, `&` and line ends outside quotes. Stops after the line that starts a
/// here-document. A simple command that cannot be split into words is `None`.
fn simple_commands(command: &str) -> Vec<Option<SimpleCommand>> {
    let mut commands = Vec::new();
    let mut text = String::new();
    let mut quote = None;
    let mut is_escaped = false;
    let mut letters = command.chars().peekable();
    while let Some(letter) = letters.next() {
        let was_escaped = std::mem::replace(&mut is_escaped, false);
        match (quote, letter) {
            (None | Some('"'), '\\') if !was_escaped => is_escaped = true,
            _ if was_escaped => {}
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '<' | '>') | (None, '&') if is_operator(letter, letters.peek()) => {
                let mut operator = String::from(letter);
                while let Some(next) = letters.next_if(|next| matches!(next, '<' | '>' | '&' | '|'))
                {
                    operator.push(next);
                }
                mark(&mut text, &operator);
                continue;
            }
            (None, ';' | '|' | '&' | '\n') => {
                commands.push(simple_command(&text));
                if letter == '\n' && text.contains(&format!("{MARK}<< ")) {
                    return commands;
                }
                text.clear();
                continue;
            }
            _ => {}
        }
        text.push(letter);
    }
    commands.push(simple_command(&text));
    commands
}

/// Returns whether `letter` starts a redirection. `&` starts one only in `&>`.
fn is_operator(letter: char, next: Option<&char>) -> bool {
    letter != '&' || next == Some(&'>')
}

/// Appends the operator of a redirection to `text` as a separate word. If `text` ends with a file descriptor number,
/// the number becomes part of this word.
fn mark(text: &mut String, operator: &str) {
    let before = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_number = before.is_empty() || before.ends_with(char::is_whitespace);
    let number = if is_number { text.split_off(before.len()) } else { String::new() };
    text.push_str(&format!(" {MARK}{number}{operator} "));
}

fn simple_command(text: &str) -> Option<SimpleCommand> {
    let mut command = SimpleCommand::default();
    let mut words = shlex::split(text)?.into_iter();
    while let Some(word) = words.next() {
        match word.strip_prefix(MARK) {
            Some(operator) => {
                let target = words.next().unwrap_or_default();
                command.redirections.push((operator.to_owned(), target));
            }
            None => command.words.push(word),
        }
    }
    Some(command)
}

/// Returns the arguments that are neither options nor values of `options`.
fn operands<'a>(arguments: &[&'a str], options: &str) -> Vec<&'a str> {
    let mut operands = Vec::new();
    let mut arguments = arguments.iter().copied();
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            operands.extend(arguments);
            break;
        }
        if options.split_whitespace().any(|option| option == argument) {
            arguments.next();
        } else if !argument.starts_with('-') {
            operands.push(argument);
        }
    }
    operands
}

#[cfg(test)]
mod tests;
