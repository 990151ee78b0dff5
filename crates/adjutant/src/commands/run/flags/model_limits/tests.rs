//! Tests that a model cannot use certain flags.

use std::path::Path;

use clap::Parser;

use super::RunFlags;

#[derive(Parser)]
struct Parsed {
    #[command(flatten)]
    flags: RunFlags,
}

fn confined(root: &Path, words: &[&str]) -> Result<(), String> {
    let words = ["run"].iter().chain(words);
    Parsed::try_parse_from(words).unwrap().flags.confine(root, root, false)
}

#[test]
fn c4_a_model_can_set_a_task_and_orders() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    std::fs::write(root.join("notes.md"), "x").unwrap();
    for words in [
        &["--task", "x"][..],
        &["--task", "x", "--sandbox", "read-only", "--codex-config", "model_reasoning_effort=low"],
        &["--file", "notes.md"],
        &["--file", "docs/**/*.md", "--task", "x"],
        &["--task", "x", "--", "-s", "read-only", "-c", "model=\"m\""],
    ] {
        assert_eq!(confined(&root, words), Ok(()), "{words:?}");
    }
}

#[test]
fn c4_a_model_cannot_leave_the_repository_or_start_programs() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    std::os::unix::fs::symlink("/etc/passwd", root.join("innocent.md")).unwrap();
    for words in [
        &["--task", "x", "--log-file", "/tmp/x"][..],
        &["--task", "x", "--log-dir", "/tmp/x"],
        &["--task", "x", "--aggregate-file", "x"],
        &["--task", "x", "--no-redact"],
        &["--task", "x", "--timeout", "off"],
        &["--task", "x", "--idle-timeout", "0"],
        &["--task", "x", "--patch-mode", "--patch-output", "../x"],
        &["--task", "x", "--patch-mode", "--patch-output", "patch.diff"],
        &["--file", "/etc/passwd"],
        &["--file", "../secret.md"],
        &["--file", "innocent.md"],
        &["--file", "@list"],
        &["--file", "-"],
        &["--docs-dir", "/etc"],
        &["--prepend-file", "/etc/passwd", "--task", "x"],
        &["-F", "/etc/passwd"],
        &["--sandbox", "read-only"],
        &["--task", "x", "--cwd", "/"],
        &["--task", "x", "--profile", "../../evil"],
        &["--task", "x", "--codex-config", "notify=[\"sh\"]"],
        &["--task", "x", "--codex-config", "mcp_servers.a.command=\"sh\""],
        &["--task", "x", "--codex-config", "sandbox_workspace_write.writable_roots=[\"/\"]"],
        &["--task", "x", "--codex-arg=--add-dir", "--codex-arg=/"],
        &["--task", "x", "--", "-C", "/"],
        &["--task", "x", "--", "-cnotify=[\"sh\"]"],
        &["--task", "x", "--", "--config=notify=[\"sh\"]"],
        &["--task", "x", "--", "-c", "notify=[\"sh\"]"],
        &["--task", "x", "--", "--dangerously-bypass-hook-trust"],
    ] {
        assert!(confined(&root, words).is_err(), "{words:?}");
    }
}

fn fields() -> mcp::RunFields {
    mcp::RunFields {
        task: Some("--fix it".to_owned()),
        sandbox: Some("read-only".to_owned()),
        dangerously_bypass: true,
        timeout: Some(60),
        carry_context: Some(false),
        ..mcp::RunFields::default()
    }
}

#[test]
fn c4_the_fields_of_a_request_are_added_to_its_flags() {
    let words = ["run", "--task", "second", "--network"];
    let mut flags = Parsed::try_parse_from(words).unwrap().flags;
    flags.add_fields(&fields()).unwrap();
    let requested = flags.orders.requested();
    assert_eq!(requested.sandbox, Some(policy::Sandbox::ReadOnly));
    assert_eq!(requested.bypass, policy::Bypass::Yes);
    assert_eq!(requested.network, policy::Network::Enabled);
    assert_eq!(flags.limits().wall_ms, Some(60_000));
    assert!(flags.repeat.no_carry_context);
    let texts = ["--fix it", "second"].map(|text| codex::Piece::Text(text.to_owned()));
    assert_eq!(flags.pieces.0, texts);
}

#[test]
fn c4_a_value_in_a_field_and_in_args_is_refused() {
    for words in [["run", "--sandbox", "read-only"], ["run", "--timeout", "5"]] {
        let mut flags = Parsed::try_parse_from(words).unwrap().flags;
        assert!(flags.add_fields(&fields()).is_err(), "{words:?}");
    }
}

#[test]
fn c4_flags_without_arguments_have_the_documented_defaults() {
    let parsed = Parsed::try_parse_from(["run"]).unwrap().flags;
    let default = RunFlags::default();
    assert_eq!(parsed.limits(), default.limits());
    assert_eq!(format!("{parsed:?}"), format!("{default:?}"));
}
