//! Tests that only one function runs tools and only one function runs hooks (B1, B4, B5).

use std::fs;
use std::path::{Path, PathBuf};

/// Returns all Rust source files of the product, without tests.
fn sources() -> Vec<(PathBuf, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
    let mut pending = vec![crates.clone()];
    let mut found = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() && name != "tests" && name != "target" && name != "testkit" {
                pending.push(path);
            } else if name.to_string_lossy().ends_with(".rs") && name != "tests.rs" {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(&crates).unwrap().to_owned(), text));
            }
        }
    }
    assert!(found.len() > 100, "the sources were not found");
    found
}

/// Returns the files that contain `needle` outside of comments, once for each occurrence.
fn uses(needle: &str) -> Vec<String> {
    let mut uses = Vec::new();
    for (path, text) in sources() {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let n = code.map(|line| line.matches(needle).count()).sum::<usize>();
        uses.extend(std::iter::repeat_n(path.display().to_string(), n));
    }
    uses.sort();
    uses
}

#[track_caller]
fn check(needle: &str, expected: &[&str]) {
    assert_eq!(uses(needle), expected, "`{needle}` is used outside of the lifecycle");
}

#[test]
fn b5_one_function_runs_tools() {
    check("carry_out_tool(", &["toolcall/src/execute.rs", "toolcall/src/lifecycle.rs"]);
    check("command::run(&program", &["toolcall/src/execute.rs"]);
    check("toolbox.get(", &["toolcall/src/execute.rs"]);
    check("builtin(&call)", &["toolcall/src/execute.rs"]);
}

#[test]
fn b5_one_function_runs_hooks() {
    check("hooks::fire(", &["toolcall/src/lifecycle.rs"]);
    check("fn fire(", &["toolcall/src/hooks/fire.rs", "toolcall/src/lifecycle.rs"]);
    check("self.fire(ToolMoment::Before", &["toolcall/src/lifecycle.rs"]);
    check("self.fire(ToolMoment::After", &["toolcall/src/lifecycle.rs"]);
    check("run(action, &run_input)", &["toolcall/src/hooks/fire.rs"]);
    check("interpret(", &["toolcall/src/hooks/dialect.rs", "toolcall/src/hooks/fire.rs"]);
}

#[test]
fn b1_the_lifecycle_is_run_from_three_places() {
    check(
        "run_lifecycle(context",
        &["toolcall/src/batch.rs", "toolcall/src/client.rs", "toolcall/src/client.rs"],
    );
    check(
        "Executor::Toolbox(toolbox)",
        &["toolcall/src/batch.rs", "toolcall/src/lifecycle.rs", "toolcall/src/lifecycle.rs"],
    );
}

#[test]
fn b1_no_caller_can_ask_for_a_call_without_hooks() {
    for switch in ["skip_hooks", "without_hooks", "no_hooks", "skipToolHooks"] {
        check(switch, &[]);
    }
}
