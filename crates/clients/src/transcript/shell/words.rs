//! Splits a command into simple commands, and finds the operands among a program's arguments.

/// A program, with its options that take the next word as their value.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) options: &'static [&'static str],
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SimpleCommand {
    pub(super) words: Vec<String>,
    /// The redirections, each with an operator such as `2>` and its target.
    pub(super) redirections: Vec<(String, String)>,
}

/// Marks the operator of a redirection, because a quoted word may start with the same characters.
const MARK: char = '\u{1}';

/// Splits a command at `;`, `&&`, `||`, `|`, `&` and line ends outside quotes. Stops after the line that starts a
/// here-document. A simple command that cannot be split into words is `None`.
pub(super) fn simple_commands(command: &str) -> Vec<Option<SimpleCommand>> {
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
                commands.push(read(&text));
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
    commands.push(read(&text));
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

fn read(text: &str) -> Option<SimpleCommand> {
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
pub(super) fn operands<'a>(arguments: &[&'a str], options: &[&str]) -> Vec<&'a str> {
    let mut operands = Vec::new();
    let mut arguments = arguments.iter().copied();
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            operands.extend(arguments);
            break;
        }
        if options.contains(&argument) {
            arguments.next();
        } else if !argument.starts_with('-') {
            operands.push(argument);
        }
    }
    operands
}
