//! Prints the answer to a question as a table, as JSON or as paths.

use engine::{Answer, Completeness, Item};
use policy::{Column, Command};
use serde_json::{Map, Value};

use super::super::table::Table;
use super::Question;
use crate::failure::Failure;
use crate::{output, style};

/// The fields that `--files` leaves out.
const FIELDS_BESIDE_PATHS: [&str; 3] = ["confidence", "lines", "why"];

pub(super) fn print(question: &Question, answer: &Answer) -> Result<(), Failure> {
    let paths_only = question.has_switch("files");
    if question.at.json {
        output::json(&json(answer, paths_only))?;
        return Ok(());
    }
    if paths_only {
        let paths: Vec<&str> = answer.items.iter().map(|item| item.path.as_str()).collect();
        output::data(&paths.join("\n"));
        return Ok(());
    }
    // A limit that the user sets needs no note, but the code of an answer is also cut by a default.
    let is_noted = question.command.columns.is_empty() || answer.completeness != Completeness::Cut;
    let incomplete = answer.completeness.reason().filter(|_| is_noted);
    for note in answer.note.iter().chain(&incomplete).filter(|_| !answer.items.is_empty()) {
        output::talk(&format!("{} {note}", style::paint(style::WARNING, "note:")));
    }
    if question.command.columns.is_empty() && !answer.items.is_empty() {
        output::data(&code(answer));
        return Ok(());
    }
    table(question.command, |flag| question.has_switch(flag), answer).print(&answer.nothing);
    Ok(())
}

/// Returns the quoted code of an answer. Consecutive items of one file have one heading.
fn code(answer: &Answer) -> String {
    let mut text = String::new();
    let mut path = "";
    for item in &answer.items {
        if item.path != path {
            path = &item.path;
            let gap = if text.is_empty() { "" } else { "\n" };
            text += &format!("{gap}{}\n", style::paint(style::PLACE, path));
        }
        let line = item.line.unwrap_or(1);
        let symbol = item.symbol.as_deref().unwrap_or("passage");
        let role = if item.role.is_empty() { String::new() } else { format!(" ({})", item.role) };
        match &item.snippet {
            None => text += &format!("{line}: {}{}{role}\n", item.quote, item.also),
            Some(snippet) => {
                text += &format!("{}{role}\n", style::paint(style::HINT, format!("-- {symbol}")));
                for (number, line) in &snippet.lines {
                    text += &format!("{number}| {line}\n");
                }
                if !item.also.is_empty() {
                    text += &format!("{}\n", item.also);
                }
            }
        }
    }
    for rest in &answer.rest {
        text += &format!("{}: {}\n", rest.title, rest.citations.join(", "));
    }
    text.trim_end().to_owned()
}

fn json(answer: &Answer, paths_only: bool) -> Value {
    let list = |name: &str| -> Value {
        let items = answer.items.iter().filter(|item| item.list == name);
        items.map(|item| fields(item, paths_only)).collect()
    };
    if answer.lists.is_empty() {
        return list("");
    }
    let mut all = answer.more.clone();
    all.insert("complete".to_owned(), answer.completeness.is_complete().into());
    all.extend(answer.lists.iter().map(|name| ((*name).to_owned(), list(name))));
    all.into()
}

fn fields(item: &Item, paths_only: bool) -> Map<String, Value> {
    let is_shown = |name: &str| !paths_only || !FIELDS_BESIDE_PATHS.contains(&name);
    let fields = item.fields.iter().filter(|(name, _)| is_shown(name));
    fields.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Returns the table of a command. `has_switch` says whether a flag was given.
fn table(command: &Command, has_switch: impl Fn(&str) -> bool, answer: &Answer) -> Table {
    let is_shown = |column: &&Column| column.with.is_none_or(&has_switch);
    let columns: Vec<&Column> = command.columns.iter().filter(is_shown).collect();
    let headings = columns.iter().map(|column| column.heading);
    let mut table = Table::new(headings).optional(command.optional);
    for item in &answer.items {
        table.row(columns.iter().map(|column| cell(item, column.field)));
    }
    table
}

fn cell(item: &Item, field: &str) -> String {
    match field {
        "place" => format!("{}:{}", item.path, item.line.unwrap_or(1)),
        "symbol" => item.symbol.clone().unwrap_or_default(),
        // The name of a list is the plural of what it contains.
        "kind" => item.list.trim_end_matches('s').to_owned(),
        _ => text(&item.fields[field]),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Number(number) if number.is_f64() => {
            format!("{:.2}", number.as_f64().unwrap_or_default())
        }
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(text).collect::<Vec<_>>().join(", "),
        Value::Null => String::new(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use engine::{Answer, Item};
    use policy::ToolId;
    use serde_json::json;
    use unicode_width::UnicodeWidthStr;

    use super::table;

    #[test]
    fn the_reasons_are_shown_only_on_request_and_rows_fit_60_columns() {
        let fields =
            json!({ "confidence": 0.36, "why": ["one passage contains most of the words"] });
        let item = Item {
            path: "django/db/models/fields/related_descriptors.py".to_owned(),
            line: Some(350),
            fields: fields.as_object().unwrap().clone(),
            ..Item::default()
        };
        let answer = Answer { items: vec![item], ..Answer::default() };
        let command = ToolId::Search.tool().command.as_ref().unwrap();
        let text = |shows_why: bool, width: Option<usize>| {
            table(command, |flag| shows_why && flag == "why", &answer).text(width)
        };
        assert!(!text(false, None).contains("why") && text(true, None).contains("one passage"));
        let narrow = anstream::adapter::strip_str(&text(true, Some(60))).to_string();
        assert!(narrow.lines().all(|line| line.width() <= 60), "{narrow}");
        assert!(narrow.contains("related_descriptors.py:350"), "{narrow}");
    }
}
