//! A40: with a broken kernel, the prompt still reaches the model and the client exits normally.

use testkit::{ShellScript, eventually, is_running};

use crate::fixture::{BOTH, Fixture, Hook, PROMPT};

const KERNEL: &str = "CI_AUTO_TOOLS_ORCHESTRATOR_PATH";
/// A command for the kernel script that writes a file, so that a test cannot pass without starting its kernel.
const TRACE: &str = "echo $$ > \"${0%/*}/trace\"";

/// Runs the prompt in both clients with this script as the kernel. Returns the scripts, whose notes can then be read.
#[track_caller]
fn check(lines: &str) -> Vec<ShellScript> {
    BOTH.into_iter()
        .map(|kind| {
            let kernel = ShellScript::new(&format!("{TRACE}\n{lines}"));
            let fixture =
                Fixture::new(kind, Hook::Installed).with_env("ADJUTANT_TEST_SLOWNESS", "1");
            let turn = fixture.with_env(KERNEL, kernel.path()).prompt(PROMPT);
            turn.expect_answered(PROMPT);
            turn.expect_hook_ended_well();
            turn.evidence().expect_err("a broken kernel has no evidence");
            kernel.note("trace").expect("the kernel was started");
            kernel
        })
        .collect()
}

#[test]
fn a40_a_missing_kernel_blocks_nothing() {
    for kind in BOTH {
        let turn = Fixture::new(kind, Hook::Installed)
            .with_env(KERNEL, "/nowhere/adjutant")
            .prompt(PROMPT);
        turn.expect_answered(PROMPT);
        turn.expect_hook_ended_well();
        turn.evidence().unwrap_err();
    }
}

#[test]
fn a40_a_hanging_kernel_blocks_nothing_and_is_ended_with_its_children() {
    let kernels = check("sleep 600 & echo $! > \"${0%/*}/child\"\nwait");
    for kernel in kernels {
        for name in ["trace", "child"] {
            let process_id = kernel.note(name).unwrap();
            eventually(&format!("the {name} has ended"), || !is_running(&process_id));
        }
    }
}

#[test]
fn a40_a_crashing_kernel_blocks_nothing() {
    check("kill -SEGV $$");
}

#[test]
fn a40_a_kernel_that_prints_garbage_blocks_nothing() {
    check(r#"printf '{"schema_version": "1.0", \377\000 oops'"#);
}
