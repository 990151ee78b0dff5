use std::fs;

use super::rollout::{began_after, parent_of};
use super::*;

fn abilities(exec: &str) -> Abilities {
    Abilities::from_help(
        "0.166.0",
        exec,
        "  --last\n",
        "unbounded_connection_retries stable true\n",
    )
}

#[track_caller]
fn check(
    abilities: &Abilities,
    arguments: &[&str],
    continuation: Continuation<'_>,
    expected: &str,
) {
    let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
    assert_eq!(turn_arguments(abilities, &arguments, continuation).join(" "), expected);
}

#[test]
fn a5_the_command_line_fits_the_installed_codex() {
    let current = abilities("  --json\n  --disable <x>\n");
    let retries = "--disable unbounded_connection_retries";
    check(&current, &[], Continuation::New, &format!("exec --json {retries} -"));
    check(
        &current,
        &["-m", "o3", "--json"],
        Continuation::Thread("t-1"),
        &format!("exec --json {retries} -m o3 resume t-1 -"),
    );
    check(&current, &[], Continuation::Last, &format!("exec --json {retries} resume --last -"));
    let plain = Abilities::default();
    check(&plain, &["--json"], Continuation::Last, "exec --json resume --last -");
    check(&plain, &[], Continuation::New, "exec -");
}

#[test]
fn the_command_line_does_not_mention_the_sandbox() {
    let current = abilities("  --json\n  -s, --sandbox <x>\n");
    check(&current, &[], Continuation::New, "exec --json -");
}

#[test]
fn a_thread_id_contains_its_start_time() {
    let at = |milliseconds| UNIX_EPOCH + Duration::from_millis(milliseconds);
    let born = 0x01a1_dfe0_6557;
    let thread = "01a1dfe0-6557-7aa0-ac91-88b13cc9af36";
    assert!(began_after(thread, at(born - 1000)));
    assert!(!began_after(thread, at(born + 1000)));
    assert!(!began_after("01a1dfe0-6557-4aa0-ac91-88b13cc9af36", at(0)), "not of version 7");
    assert!(!began_after("t-1", at(0)));
}

#[test]
fn a5_the_rollout_file_names_the_parent_of_a_sub_agent() {
    let home = tempfile::tempdir().unwrap();
    let day = home.path().join("sessions/2026/11/15");
    fs::create_dir_all(&day).unwrap();
    let write = |thread: &str, meta: &str| {
        let line = format!("{{\"type\":\"session_meta\",\"payload\":{meta}}}\n{{}}\n");
        fs::write(day.join(format!("rollout-2026-11-15T15-43-33-{thread}.jsonl")), line).unwrap();
    };
    write("root", r#"{"session_id":"root","id":"root","thread_source":"user"}"#);
    write(
        "below",
        r#"{"session_id":"root","id":"below","parent_thread_id":"middle","thread_source":"subagent"}"#,
    );
    write("older", r#"{"id":"older","parent_thread_id":"root"}"#);
    let environment = Environment::default().with("CODEX_HOME", home.path());
    let parent = |thread: &str| parent_of(thread, &environment);
    assert_eq!(parent("root"), None);
    assert_eq!(parent("below").as_deref(), Some("root"));
    assert_eq!(parent("older").as_deref(), Some("root"));
    assert_eq!(parent("nowhere"), None);
}

#[test]
fn a_wider_sandbox_is_detected_in_every_spelling() {
    let check = |words: &[&str]| {
        widens_sandbox(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    };
    for wide in [
        &["-s", "workspace-write"][..],
        &["--sandbox=danger-full-access"],
        &["-c", "sandbox_mode=\"workspace-write\""],
        &["--yolo"],
        &["--approve-for-me"],
        &["--tomorrow"],
        &["-c", "tomorrow=1"],
    ] {
        assert!(check(wide), "{wide:?}");
    }
    assert!(!check(&["-C", "below"]));
    assert!(!check(&[]) && !check(&["-m", "o3"]) && !check(&["--sandbox", "read-only"]));
}
