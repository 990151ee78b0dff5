//! Tests of this module.

use crate::secrets::candidate::Name;
use crate::secrets::positions::{NAMES, POSITIONS};
use crate::{redact, table};

/// Returns a message if the secret, which is marked with `«` and `»`, is not redacted.
fn problem(example: &'static str) -> Option<String> {
    let example = table::unescaped(example);
    let Some((before, rest)) = example.split_once('«') else {
        return Some(format!("no secret is marked: {example}"));
    };
    let (secret, after) = rest.split_once('»').unwrap_or((rest, ""));
    let redacted = redact(&format!("{before}{secret}{after}")).text.into_owned();
    let first_word = before.split([' ', ':']).next().unwrap_or_default();
    let is_redacted = redacted.starts_with(first_word) && !redacted.contains(secret.trim());
    (!is_redacted).then(|| format!("{example:?}: {redacted:?}"))
}

#[test]
fn a52_every_row_redacts_its_example() {
    let positions = table::rows(include_str!("../tables/positions.txt")).map(|[_, _, row]| row);
    let commands = table::rows(include_str!("../tables/commands.txt")).map(|[_, _, _, row]| row);
    let calls = table::rows(include_str!("../tables/calls.txt")).map(|[_, _, _, row]| row);
    let problems: Vec<String> =
        positions.chain(commands).chain(calls).filter_map(problem).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a52_every_row_contains_its_anchor() {
    let positions = table::rows(include_str!("../tables/positions.txt"))
        .map(|[_, anchor, example]| (anchor, example));
    let others = [include_str!("../tables/commands.txt"), include_str!("../tables/calls.txt")]
        .into_iter()
        .flat_map(|table| table::rows(table).map(|[anchor, _, _, example]| (anchor, example)));
    for (anchor, example) in positions.chain(others) {
        let plain = table::unescaped(example).replace(['«', '»'], "").to_lowercase();
        assert!(plain.contains(table::unescaped(anchor).as_ref()), "{anchor}: {example}");
    }
}

#[test]
fn every_position_has_a_function_and_every_function_a_row() {
    let rows: Vec<[&str; 1]> = table::rows(include_str!("../tables/positions.txt")).collect();
    for [name] in &rows {
        assert!(POSITIONS.iter().any(|(position, _)| position == name), "{name}");
    }
    for (position, _) in POSITIONS {
        assert!(rows.iter().any(|[name]| name == position), "{position}");
    }
}

#[test]
fn a52_a_value_after_every_name_is_redacted() {
    let mut problems = Vec::new();
    for (name, section) in Name::SECTIONS {
        for word in table::section(NAMES, section) {
            let word = table::unescaped(word);
            let has_operator = word.ends_with(['=', ':', ' ', '：', '是', '为']);
            let operator = if has_operator { " " } else { "=" };
            let suffix = if name == Name::Vague { "_key" } else { "" };
            let quote = if word.ends_with(['：', '是', '为']) { "" } else { "\"" };
            let text = format!("{word}{suffix}{operator}{quote}Xw7mZt2LkV9pRw4NsB8yHd3C{quote}");
            if redact(&text).text.contains("Xw7mZt") {
                problems.push(text);
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
