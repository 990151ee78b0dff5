//! Generates the tables in docs/guide/settings.md from the settings in the crate `policy`. The text around the tables is
//! written by hand.

use policy::{Argument, FromFile, Setting, TOOLS};

pub(super) const PATH: &str = "docs/guide/settings.md";

/// Returns the page `current` with the text between each pair of table markers replaced.
pub(super) fn page(current: &str) -> Result<String, String> {
    let tables = [
        ("briefing", briefing()),
        ("tools", tools()),
        ("places", plain(&policy::PLACE_SETTINGS)),
        ("unattended", plain(&policy::UNATTENDED_SETTINGS)),
        ("given", given()),
    ];
    let mut page = current.to_owned();
    for (name, table) in tables {
        let start = format!("<!-- generated: {name} -->\n");
        let missing = || format!("{PATH} has no markers for the table `{name}`");
        let (before, rest) = page.split_once(&start).ok_or_else(missing)?;
        let (_, after) = rest.split_once(END).ok_or_else(missing)?;
        page = format!("{before}{start}{table}{END}{after}");
    }
    Ok(page)
}

const END: &str = "<!-- end -->";

fn briefing() -> String {
    let mut table = heading(&["variable", "key in the file", "values", "default", "from the file"]);
    for setting in policy::BRIEFING_SETTINGS {
        let from_file = match setting.from_file {
            FromFile::No => "–".to_owned(),
            FromFile::Any => "yes".to_owned(),
            FromFile::Smaller { trusted } => format!("smaller; up to `{trusted}` if trusted"),
            FromFile::Trusted => "if trusted".to_owned(),
            FromFile::Some(words) => words.to_owned(),
        };
        let Setting { variable, key, values, default, .. } = setting;
        row(&mut table, &[&code(*variable), &code(*key), values, default, &from_file]);
    }
    table
}

fn tools() -> String {
    let mut table = heading(&["tool", "tier", "timeout", "arguments: default, maximum"]);
    for tool in &TOOLS {
        let numbers = tool.arguments.iter().filter_map(|argument| match argument {
            Argument::Number { key, default, max } => Some(format!("`{key}` {default}, {max}")),
            Argument::Text { .. } => None,
        });
        let numbers: Vec<String> = numbers.collect();
        let numbers = if numbers.is_empty() { "–".to_owned() } else { numbers.join("; ") };
        let (tier, timeout) = (tool.tier.to_string(), format!("{} ms", tool.timeout_ms));
        row(&mut table, &[&code(Some(tool.name)), &tier, &timeout, &numbers]);
    }
    table
}

fn plain(settings: &[Setting]) -> String {
    let mut table = heading(&["variable", "what it is", "default"]);
    for setting in settings {
        row(&mut table, &[&code(setting.variable), setting.values, setting.default]);
    }
    table
}

fn given() -> String {
    let mut table = heading(&["variable", "who gets it, and what it says"]);
    for (name, words) in policy::GIVEN_VARIABLES {
        row(&mut table, &[&code(Some(name)), words]);
    }
    table
}

fn heading(columns: &[&str]) -> String {
    let mut table = String::new();
    row(&mut table, columns);
    table.push_str(&"|---".repeat(columns.len()));
    table.push_str("|\n");
    table
}

fn row(table: &mut String, cells: &[&str]) {
    table.push_str(&format!("| {} |\n", cells.join(" | ")));
}

fn code(name: Option<&str>) -> String {
    name.map_or_else(|| "–".to_owned(), |name| format!("`{name}`"))
}
