//! The `codex.*` tools with a codex whose version is unusual or cannot be determined.

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::FakeCodex;

use super::client::{Client, setup};

/// Creates a codex that answers `--version` and `exec --help` with the given scripts, and otherwise starts `codex`.
fn wrapped(codex: &FakeCodex, version: &str, help: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in\n--version) {version} ;;\n'exec --help') {help} ;;\nesac\nexec '{}' \"$@\"\n",
        codex.program().display()
    );
    testkit::write_executable(&folder.path().join("codex"), &script);
    folder
}

const UNKNOWN: &str = "echo fish 1.0; exit 0";
const KNOWN: &str = "echo 'codex-cli 0.169.0 (wrapped)'; exit 0";
const OLD_HELP: &str =
    "printf '  -s, --sandbox <x>\\n  -a, --ask-for-approval <x>\\n      --json\\n'; exit 0";

fn full_access() -> [Value; 4] {
    [
        json!({ "sandbox": "danger-full-access" }),
        json!({ "sandbox": "danger-full-access", "approvalPolicy": "untrusted" }),
        json!({ "sandbox": "danger-full-access", "approvalPolicy": "on-failure" }),
        json!({ "codexConfig": { "sandbox_mode": "danger-full-access", "approval_policy": "on-request" } }),
    ]
}

#[test]
fn c4_a_model_gets_no_full_access_from_an_old_or_unrecognised_codex() {
    let setup = setup(FakeCodex::answering("done"));
    // A profile may contain a network access and writable directories of its own.
    let entries = "--config sandbox_workspace_write.network_access=false --config sandbox_workspace_write.writable_roots=[]";
    for (version, help) in [(UNKNOWN, ":"), (KNOWN, ":"), (KNOWN, OLD_HELP)] {
        let codex = wrapped(&setup.codex, version, help);
        let launch = setup.launch().env("ADJUTANT_CODEX", codex.path().join("codex"));
        let mut client = Client::start(&launch);
        for mut call in full_access() {
            call["task"] = json!("x");
            let n_runs = setup.codex.n_runs();
            let result = client.call("codex.exec", call.clone());
            let case = format!("{version} {help} {call}");
            if help == OLD_HELP {
                assert!(result.to_string().contains("--allow-bypass"), "{case}: {result:#}");
                assert_eq!(setup.codex.n_runs(), n_runs, "{case}");
                continue;
            }
            let sandbox = &result["structuredContent"]["effectiveSandbox"];
            assert_eq!(sandbox, "workspace-write", "{case}: {result:#}");
            let words = setup.codex.arguments(n_runs + 1).join(" ");
            assert!(words.contains("--sandbox workspace-write"), "{case}: {words}");
            assert!(!words.contains("danger") && !words.contains("on-"), "{case}: {words}");
            assert!(version != UNKNOWN || words.contains(entries), "{case}: {words}");
        }
    }
}
