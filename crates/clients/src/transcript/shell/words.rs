//! Splits a command into simple commands and the arguments of a program into operands.

/// A program with its options that take the next word as their value.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) options: &'static [&'static str],
}

/// Splits a command at `;`, `&&`, `||`, `|`, `&` and line ends outside quotes. Ends after the line that starts a heredoc.
pub(super) fn simple_commands(command: &str) -> Vec<&str> {
    let mut commands = Vec::new();
    let mut start = 0;
    let mut quote = None;
    let mut previous = '\0';
    let mut is_escaped = false;
    for (at, letter) in command.char_indices() {
        let was_escaped = std::mem::replace(&mut is_escaped, false);
        match (quote, letter) {
            (None | Some('"'), '\\') if !was_escaped => is_escaped = true,
            _ if was_escaped => {}
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            // `2>&1`, `&>file` and `>|file` are redirections.
            (None, '&' | '|') if previous == '>' => {}
            (None, '&') if command[at..].starts_with("&>") => {}
            (None, ';' | '|' | '&' | '\n') => {
                let simple = &command[start..at];
                commands.push(simple);
                start = at + letter.len_utf8();
                if letter == '\n' && simple.contains("<<") && !simple.contains("<<<") {
                    return commands;
                }
            }
            (None, _) => {}
        }
        previous = letter;
    }
    commands.push(&command[start..]);
    commands
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
