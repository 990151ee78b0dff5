//! What a line means: a prompt, or a word to the loop itself.

/// Names, arguments, what they do; in the order of `/help`.
const COMMANDS: [(&str, &str, &str); 8] = [
    ("/limits", "", "what the last briefing had to leave out, and why"),
    (
        "/plan",
        " [PROMPT]",
        "what would be asked and run for a prompt (or the last one); runs nothing",
    ),
    ("/off", "", "send prompts without a briefing"),
    ("/on", "", "brief them again"),
    ("/new", "", "begin a new session"),
    ("/help", "", "this list"),
    ("/quit", "", "end; so does Ctrl-D"),
    ("//", "TEXT", "a prompt that begins with a slash"),
];
const ALIASES: [(&str, &str); 2] = [("/exit", "/quit"), ("/?", "/help")];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Nothing,
    Prompt(String),
    Plan(Option<String>),
    Word(Word),
    Quit,
}

/// To the loop itself; no prompt goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Limits,
    Off,
    On,
    New,
    Help,
    Unknown { name: String, nearest: Option<&'static str> },
}

impl Command {
    pub(super) fn of(line: &str) -> Self {
        let line = line.trim();
        if line.is_empty() {
            return Self::Nothing;
        }
        if let Some(literal) = line.strip_prefix("//") {
            return Self::Prompt(format!("/{literal}"));
        }
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        // `/etc/hosts is empty` is a prompt about a file.
        if !name.starts_with('/') || name[1..].contains('/') {
            return Self::Prompt(line.to_owned());
        }
        let known = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, of)| of);
        match known {
            "/plan" => Self::Plan(Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty())),
            "/limits" => Self::Word(Word::Limits),
            "/off" => Self::Word(Word::Off),
            "/on" => Self::Word(Word::On),
            "/new" => Self::Word(Word::New),
            "/help" => Self::Word(Word::Help),
            "/quit" => Self::Quit,
            _ => Self::Word(Word::Unknown { name: name.to_owned(), nearest: nearest(name) }),
        }
    }
}

pub(super) fn help() -> String {
    let width = COMMANDS.iter().map(|(name, rest, _)| name.len() + rest.len()).max().unwrap_or(0);
    let line = |(name, rest, does): &(&str, &str, &str)| {
        let words = format!("{name}{rest}");
        format!("  {words:width$}  {does}")
    };
    COMMANDS.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Names that begin with what was typed.
pub(super) fn completions(typed: &str) -> Vec<&'static str> {
    let names = COMMANDS.iter().map(|(name, _, _)| *name);
    names.filter(|name| *name != "//" && name.starts_with(typed)).collect()
}

fn nearest(name: &str) -> Option<&'static str> {
    let wanted = name.to_lowercase();
    let names = COMMANDS.iter().map(|(name, _, _)| *name).filter(|name| *name != "//");
    let apart = |known: &str| {
        let begins = known.starts_with(&wanted) || wanted.starts_with(known);
        if begins { 0 } else { crate::unknown_flag::distance(&wanted, known) }
    };
    names
        .map(|known| (apart(known), known))
        .min()
        .filter(|(apart, _)| *apart <= 2)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests;
