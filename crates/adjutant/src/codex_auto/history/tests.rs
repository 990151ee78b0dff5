use super::*;
use std::fs;
use std::os::unix::fs::PermissionsExt;

fn history(folder: &tempfile::TempDir) -> History {
    let environment = Environment::default().with("ADJUTANT_STATE_DIR", folder.path());
    History::of(&environment, true)
}

#[test]
fn a5_the_history_is_redacted_and_private() {
    let folder = tempfile::tempdir().unwrap();
    let history = history(&folder);
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let entry = History::entry(&format!("use {secret} to log in\nand go on")).unwrap();
    history.add(&entry);
    history.add("second");
    let file = history.file.clone().unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(!text.contains(&secret) && text.contains("<redacted>"), "{text}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(history.load(), [entry.as_str(), "second"]);
}

#[test]
fn a_line_that_begins_with_a_space_is_not_stored() {
    assert_eq!(History::entry(" psst"), None);
    assert_eq!(History::entry("  "), None);
    assert_eq!(History::entry("hello ").as_deref(), Some("hello"));
}

#[test]
fn the_history_is_bounded_and_skips_invalid_lines() {
    let folder = tempfile::tempdir().unwrap();
    let history = history(&folder);
    let file = history.file.clone().unwrap();
    let lines: String = (0..2 * MAX_LINES).map(|n| format!("\"line {n}\"\nnonsense\n")).collect();
    fs::write(&file, lines).unwrap();
    let kept = history.load();
    assert_eq!((kept.len(), kept[MAX_LINES - 1].as_str()), (MAX_LINES, "line 1999"));
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), MAX_LINES);
    assert_eq!(history.load(), kept);
}

#[test]
fn the_history_can_be_disabled() {
    let folder = tempfile::tempdir().unwrap();
    let environment = Environment::default().with("ADJUTANT_STATE_DIR", folder.path());
    let history = History::of(&environment, false);
    history.add("first");
    assert!(history.load().is_empty());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
