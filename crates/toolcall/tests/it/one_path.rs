//! There is one place that runs a tool and one that fires hooks, and nobody can go round them (B1, B4, B5).

use std::fs;
use std::path::{Path, PathBuf};

/// Every Rust source of the product, tests left out.
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

/// Files that contain a text, each as often as it does, without comments.
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
    assert_eq!(uses(needle), expected, "`{needle}` belongs to the lifecycle alone");
}

#[test]
fn b5_a_tool_is_carried_out_in_one_place() {
    check("carry_out_tool(", &["toolcall/src/execute.rs", "toolcall/src/lifecycle.rs"]);
    check("command::run(&program", &["toolcall/src/execute.rs"]);
    check("toolbox.get(", &["toolcall/src/execute.rs"]);
    check("builtin(&call)", &["toolcall/src/execute.rs"]);
}

#[test]
fn b5_hooks_are_fired_in_one_place() {
    check("hooks::fire(", &["toolcall/src/lifecycle.rs"]);
    check("fn fire(", &["toolcall/src/hooks/fire.rs", "toolcall/src/lifecycle.rs"]);
    check("self.fire(Moment::Before", &["toolcall/src/lifecycle.rs"]);
    check("self.fire(Moment::After", &["toolcall/src/lifecycle.rs"]);
    check("run(action, &around)", &["toolcall/src/hooks/fire.rs"]);
    check("interpret(", &["toolcall/src/hooks/dialect.rs", "toolcall/src/hooks/fire.rs"]);
}

#[test]
fn b1_the_lifecycle_has_three_doors() {
    let doors = uses("live(context");
    assert_eq!(
        doors,
        ["toolcall/src/batch.rs", "toolcall/src/client.rs", "toolcall/src/client.rs",]
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
