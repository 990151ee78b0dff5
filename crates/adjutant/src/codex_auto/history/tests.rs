use super::*;
use std::os::unix::fs::PermissionsExt;

fn history(folder: &tempfile::TempDir) -> History {
    let environment = Environment::default().with("ADJUTANT_STATE_DIR", folder.path());
    History::of(&environment, true)
}

#[test]
fn a5_what_is_kept_holds_no_secret_and_is_the_users_alone() {
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
fn a_line_that_begins_with_a_space_is_not_kept() {
    assert_eq!(History::entry(" psst"), None);
    assert_eq!(History::entry("  "), None);
    assert_eq!(History::entry("hello ").as_deref(), Some("hello"));
}

#[test]
fn it_does_not_grow_for_ever_and_survives_nonsense() {
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
fn it_can_be_turned_off() {
    let folder = tempfile::tempdir().unwrap();
    let environment = Environment::default().with("ADJUTANT_STATE_DIR", folder.path());
    let history = History::of(&environment, false);
    history.add("first");
    assert!(history.load().is_empty());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
