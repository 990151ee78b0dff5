use std::fs;
use std::path::{Path, PathBuf};

use crate::fixture::{HOOK, fixture};

fn hooks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hooks")
}

fn programs() -> &'static Path {
    Path::new(HOOK).parent().unwrap()
}

fn run(script: &str, arguments: &[&str]) -> testkit::Finished {
    let fixture = fixture().plan().env("ADJUTANT_BIN_DIR", programs());
    let path = hooks().join(script);
    fixture
        .launch(path.to_str().unwrap())
        .arguments(arguments)
        .input(r#"{"prompt":"explain auth"}"#)
        .run()
}

#[test]
fn a3_the_three_launchers_exist_and_work() {
    let entry = run("context-inject-global.sh", &["--format", "json"]).expect_success();
    let kernel = run("auto-tool-orchestrator.sh", &[]).expect_success();
    for output in [&entry.stdout, &kernel.stdout] {
        let briefing: serde_json::Value = serde_json::from_str(output).unwrap();
        assert_eq!(briefing["schema_version"], "1.0");
    }
}

#[test]
fn a3_the_compatibility_launcher_behaves_like_the_entry() {
    let fixture = fixture().plan().env("ADJUTANT_BIN_DIR", programs());
    let outputs: Vec<String> = ["context-inject-global.sh", "augment-context-global.sh"]
        .iter()
        .map(|script| {
            let launch = fixture
                .launch(hooks().join(script).to_str().unwrap())
                .arguments(["--format", "json"]);
            launch.input(r#"{"prompt":"explain auth"}"#).run().expect_success().stdout
        })
        .collect();
    assert_eq!(outputs[0], outputs[1]);
}

#[test]
fn a2_the_entry_contains_no_tool_name() {
    for script in ["context-inject-global.sh", "augment-context-global.sh"] {
        let text = fs::read_to_string(hooks().join(script)).unwrap();
        assert!(!text.contains("ci_"), "{script} names a tool");
    }
    for name in ["entry", "clients"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        for forbidden in ["toolcall", "kernel", "engine", "index", "policy"] {
            assert!(
                !manifest.contains(&format!("{forbidden}.workspace")),
                "{name} can reach {forbidden}"
            );
        }
    }
}

#[test]
fn a3_a_launcher_without_its_program_does_not_block_the_prompt() {
    let folder = tempfile_folder();
    let script = folder.path().join("context-inject-global.sh");
    let text = fs::read_to_string(hooks().join("context-inject-global.sh")).unwrap();
    testkit::write_executable(&script, &text);
    let fixture = fixture();
    let hook = fixture
        .launch(script.to_str().unwrap())
        .env("PATH", "/usr/bin:/bin")
        .input("{}")
        .run()
        .expect_success();
    assert!(
        serde_json::from_str::<serde_json::Value>(&hook.stdout).unwrap()["systemMessage"]
            .is_string()
    );
    let json = fixture
        .launch(script.to_str().unwrap())
        .env("PATH", "/usr/bin:/bin")
        .arguments(["--format", "json"])
        .input("{}")
        .run();
    assert_eq!(json.exit_code, Some(10));
    let briefing: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert!(crate::fixture::limits(&briefing).contains("orchestrator unavailable"));
}

fn tempfile_folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}
