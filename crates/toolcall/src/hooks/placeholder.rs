//! Replaces the placeholders in command lines of older hook files.

/// The names of the placeholders, which are written as `$NAME$`.
const PLACEHOLDERS: [&str; 3] = ["TOOLSRESULT", "STOPSESSION", "SUBAGENTRESULT"];

/// Replaces each placeholder by a reference to a shell variable, not by the value. The result is the command line that
/// runs, so trust is judged on it: inside single quotes, a shell does not expand the reference.
pub(super) fn with_variables(command: &str) -> String {
    PLACEHOLDERS.iter().fold(command.to_owned(), |command, name| {
        command.replace(&format!("${name}$"), &format!("${{{name}}}"))
    })
}

/// Returns the variables that the placeholders in `command` refer to.
pub(super) fn variables(command: &str) -> impl Iterator<Item = &'static str> {
    PLACEHOLDERS.into_iter().filter(move |name| command.contains(&format!("${name}$")))
}
