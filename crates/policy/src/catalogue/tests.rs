use super::*;
use crate::settings::{MODES, SESSION_MODES, SWITCHES};
use crate::{ConfigFile, Settings, Trust};

fn resolved(file: &str) -> Settings {
    Settings::resolve(&|_| None, &ConfigFile::parse(file).unwrap(), Trust::Trusted)
}

fn default(variable: &str) -> &'static str {
    let row = BRIEFING_SETTINGS.iter().find(|row| row.variable == Some(variable)).unwrap();
    row.default.split('`').nth(1).unwrap()
}

#[test]
fn a10_the_table_lists_the_actual_defaults() {
    let settings = resolved("");
    assert!(SWITCHES.0.contains(&(default(SWITCH), settings.switch.value)));
    assert!(MODES.0.contains(&(default(MODE), settings.mode.value)));
    let session_mode = (default(SESSION_MODE), settings.session_mode.value);
    assert!(SESSION_MODES.0.contains(&session_mode));
    for (variable, value) in [
        (TIER_MAX, u64::from(settings.tier_max.value)),
        (WALL_MS.variable, settings.wall_ms.value),
        (CONCURRENCY.variable, settings.max_concurrency.value),
        (INJECTED_CHARS.variable, settings.max_injected_chars.value),
    ] {
        assert_eq!(default(variable), value.to_string(), "{variable}");
    }
}

/// Checks that every key of the table is a key of the file, and vice versa.
#[test]
fn a10_the_table_lists_the_actual_keys() {
    for row in BRIEFING_SETTINGS.iter().filter_map(|row| row.key) {
        let path = row.replace("<tool>", "ci_search").replace("<name>", "mine");
        let path = path.replace("<argument>", "limit");
        let indented: Vec<String> = path
            .split('.')
            .enumerate()
            .map(|(depth, part)| format!("{}{part}:", "  ".repeat(depth)))
            .collect();
        let known = ["auto", "run", "1", "true", "[sh]"].iter().any(|value| {
            let text = format!("{} {value}\n", indented.join("\n"));
            ConfigFile::parse(&text).is_ok_and(|file| file.unknown_keys.is_empty())
        });
        assert!(known, "`{row}` is not a key");
    }
    assert!(!ConfigFile::parse("budget:\n  minutes: 1\n").unwrap().unknown_keys.is_empty());
}

#[test]
fn a54_the_table_lists_the_actual_trusted_limits() {
    let settings = resolved(
        "budget:\n  wall_ms: 99999999\n  max_concurrency: 9999999\n  max_injected_chars: 99999999\n",
    );
    for (number, value) in [
        (WALL_MS, settings.wall_ms.value),
        (CONCURRENCY, settings.max_concurrency.value),
        (INJECTED_CHARS, settings.max_injected_chars.value),
    ] {
        let row = BRIEFING_SETTINGS.iter().find(|row| row.key == Some(number.key)).unwrap();
        assert_eq!(row.from_file, FromFile::Smaller { trusted: value }, "{}", number.key);
    }
}

#[test]
fn no_setting_appears_twice() {
    let rows = BRIEFING_SETTINGS
        .iter()
        .chain(PLACE_SETTINGS.iter())
        .chain(UNATTENDED_SETTINGS.iter())
        .filter_map(|row| row.variable);
    let mut names: Vec<&str> = rows.chain(GIVEN_VARIABLES.iter().map(|(name, _)| *name)).collect();
    let n_names = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), n_names);
}

#[test]
fn a10_misspelt_variables_are_recognised() {
    for known in [
        "CI_AUTO_TOOLS",
        "CI_AUTO_TOOLS_TIER_MAX",
        "CI_AUTO_TOOLS_CI_GRAPH_RAG_DEPTH",
        "CI_AUTO_TOOLS_RUNNER_CI_SEARCH",
        "ADJUTANT_LOG",
        "ADJUTANT_BRIEFED",
        "ADJUTANT_TEST_CLIENTS",
        "PATH",
    ] {
        assert!(!is_misspelt(known), "{known}");
    }
    for slip in [
        "CI_AUTO_TOOLS_TEIR_MAX",
        "CI_AUTO_TOOLS_CI_SEARCH_DEPTH",
        "ADJUTANT_LOGS",
        "CI_AUTO_TOOLS_",
    ] {
        assert!(is_misspelt(slip), "{slip}");
    }
}

#[test]
fn every_line_of_a_list_has_three_columns() {
    for row in PLACE_SETTINGS.iter().chain(UNATTENDED_SETTINGS.iter()) {
        assert!(!row.values.is_empty() && !row.default.is_empty(), "{:?}", row.variable);
    }
}
