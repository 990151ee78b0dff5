//! What a hook gives back, and how much of it a client takes.

use contract::ModelText;

pub(crate) const EVENT: &str = "UserPromptSubmit";

/// Claude Code takes 10,000 UTF-16 units and Codex 10,000 bytes; one more costs most of the text.
pub const MAX_UNITS: usize = 9_500;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// For the model.
    pub context: String,
    /// For the user, one line.
    pub message: Option<String>,
}

impl Envelope {
    /// Cuts the context between findings, never inside one, until every client takes it whole.
    #[must_use]
    pub fn new(context: &str, message: Option<String>) -> Self {
        let context = if fits(context) { context.to_owned() } else { shortened(context) };
        Self { context, message: message.map(|message| one_short_line(&message)) }
    }
}

fn fits(text: &str) -> bool {
    text.len() <= MAX_UNITS && text.encode_utf16().count() <= MAX_UNITS
}

fn shortened(context: &str) -> String {
    let fitted = ModelText::parse(context).fit(fits);
    if !fitted.text.is_empty() {
        return fitted.text;
    }
    // Another kernel's layout: whole lines from the beginning, with the same mark at the end.
    let mark = "\n[truncated]";
    let mut end = 0;
    for (index, _) in
        context.match_indices('\n').take_while(|(index, _)| index + mark.len() <= MAX_UNITS)
    {
        end = index;
    }
    if end == 0 { String::new() } else { format!("{}{mark}", &context[..end]) }
}

fn one_short_line(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 300 {
        line
    } else {
        line.chars().take(299).collect::<String>() + "…"
    }
}

#[cfg(test)]
mod tests;
