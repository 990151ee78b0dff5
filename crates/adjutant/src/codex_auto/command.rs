//! Parses a typed line: a prompt, or a command such as `/plan`.

/// The name, arguments and description of each command, in the order in which `/help` lists them.
const COMMANDS: [(&str, &str, &str); 8] = [
    ("/limits", "", "show the limits of the last briefing"),
    (
        "/plan",
        " [PROMPT]",
        "show the plan for a prompt, or for the previous prompt, without running it",
    ),
    ("/off", "", "send prompts without a briefing"),
    ("/on", "", "send prompts with a briefing"),
    ("/new", "", "start a new session"),
    ("/help", "", "show this list"),
    ("/quit", "", "quit; same as Ctrl-D"),
    ("//", "TEXT", "send a prompt that starts with a slash"),
];
const ALIASES: [(&str, &str); 2] = [("/exit", "/quit"), ("/?", "/help")];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Nothing,
    Prompt(String),
    Plan(Option<String>),
    Control(Control),
    Quit,
}

/// A command that contains no prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Control {
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
        // A line that starts with a path, such as `/etc/hosts is empty`, is a prompt.
        if !name.starts_with('/') || name[1..].contains('/') {
            return Self::Prompt(line.to_owned());
        }
        let known = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, of)| of);
        match known {
            "/plan" => Self::Plan(Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty())),
            "/limits" => Self::Control(Control::Limits),
            "/off" => Self::Control(Control::Off),
            "/on" => Self::Control(Control::On),
            "/new" => Self::Control(Control::New),
            "/help" => Self::Control(Control::Help),
            "/quit" => Self::Quit,
            _ => Self::Control(Control::Unknown { name: name.to_owned(), nearest: nearest(name) }),
        }
    }
}

pub(super) fn help() -> String {
    let width = COMMANDS.iter().map(|(name, rest, _)| name.len() + rest.len()).max().unwrap_or(0);
    let line = |(name, rest, description): &(&str, &str, &str)| {
        let words = format!("{name}{rest}");
        format!("  {words:width$}  {description}")
    };
    COMMANDS.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the command names that start with `typed`.
pub(super) fn completions(typed: &str) -> Vec<&'static str> {
    names().filter(|name| name.starts_with(typed)).collect()
}

fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, _, _)| *name).filter(|name| *name != "//")
}

fn nearest(name: &str) -> Option<&'static str> {
    let wanted = name.to_lowercase();
    let distance = |known: &str| {
        let is_prefix = known.starts_with(&wanted) || wanted.starts_with(known);
        if is_prefix { 0 } else { strsim::levenshtein(&wanted, known) }
    };
    names()
        .map(|known| (distance(known), known))
        .min()
        .filter(|(distance, _)| *distance <= 2)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests;
