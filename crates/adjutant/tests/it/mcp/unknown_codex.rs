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

const UNKNOWN: [&str; 3] = ["exit 1", "echo fish 1.0; exit 0", "echo codex-cli; exit 0"];
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
    let versions = UNKNOWN.into_iter().chain([KNOWN]).map(|version| (version, ":"));
    for (version, help) in versions.chain([(KNOWN, OLD_HELP)]) {
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
        }
    }
}

/// A profile may contain a network access and writable directories of its own.
#[test]
fn c4_an_unrecognised_codex_gets_the_network_and_directories_of_the_record() {
    let setup = setup(FakeCodex::answering("done"));
    for version in UNKNOWN {
        let codex = wrapped(&setup.codex, version, ":");
        let launch = setup.launch().env("ADJUTANT_CODEX", codex.path().join("codex"));
        let mut client = Client::start(&launch);
        client.call("codex.exec", json!({ "task": "x", "profile": "wide" }));
        let words = setup.codex.arguments(setup.codex.n_runs()).join(" ");
        let entries = "--config sandbox_workspace_write.network_access=false --config sandbox_workspace_write.writable_roots=[]";
        assert!(words.contains(entries), "{version}: {words}");
    }
}

#[test]
fn c8_the_version_is_read_although_text_follows_it() {
    let setup = setup(FakeCodex::answering("done"));
    let codex = wrapped(&setup.codex, KNOWN, ":");
    let launch = setup.launch().env("ADJUTANT_CODEX", codex.path().join("codex"));
    let mut client = Client::start(&launch);
    assert_eq!(client.ok("codex.version", json!({}))["codex"], "0.169.0");
    let result = client.ok("codex.exec", json!({ "task": "x" }));
    assert_eq!(result["lastMessage"], "done");
    assert!(setup.codex.arguments(1).contains(&"--json".to_owned()));
}
