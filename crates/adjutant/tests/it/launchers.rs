use std::fs;
use std::path::{Path, PathBuf};

use crate::fixture::{HOOK, fixture};

fn hooks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hooks")
}

fn programs() -> &'static Path {
    Path::new(HOOK).parent().unwrap()
}

#[test]
fn a3_the_three_launchers_exist_and_work() {
    let fixture = fixture().plan().env("ADJUTANT_BIN_DIR", programs());
    let run = |script: &str, arguments: &[&str]| {
        let launch = fixture.launch(hooks().join(script).to_str().unwrap()).arguments(arguments);
        launch.input(r#"{"prompt":"explain auth"}"#).run().expect_success().stdout
    };
    let entry = run("context-inject-global.sh", &["--format", "json"]);
    let kernel = run("auto-tool-orchestrator.sh", &[]);
    for output in [&entry, &kernel] {
        let briefing: serde_json::Value = serde_json::from_str(output).unwrap();
        assert_eq!(briefing["schema_version"], "1.0");
    }
    let compatible = run("augment-context-global.sh", &["--format", "json"]);
    assert_eq!(compatible, entry, "the compatibility launcher differs from the entry");
}

#[test]
fn a2_the_entry_contains_no_tool_name() {
    for script in ["context-inject-global.sh", "augment-context-global.sh"] {
        let text = fs::read_to_string(hooks().join(script)).unwrap();
        assert!(!text.contains("ci_"), "{script} names a tool");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../clients");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for forbidden in ["toolcall", "kernel", "engine", "index", "policy"] {
        assert!(!manifest.contains(&format!("{forbidden}.workspace")), "it can reach {forbidden}");
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

#[test]
fn the_demo_briefs_a_prompt_in_the_repository_that_it_is_given() {
    let clone = tempfile_folder();
    let demo = clone.path().join("adjutant-demo");
    let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../adjutant-demo");
    testkit::write_executable(&demo, &fs::read_to_string(text).unwrap());
    // The programs are built already, so `cargo build` does nothing.
    testkit::write_executable(&clone.path().join("bin/cargo"), "#!/bin/sh\n");
    fs::create_dir(clone.path().join("target")).unwrap();
    std::os::unix::fs::symlink(programs(), clone.path().join("target/release")).unwrap();
    let fixture = fixture().env("ADJUTANT_CACHE_DIR", clone.path().join("cache"));
    let run = |arguments: &[&str]| {
        let launch = fixture.launch_in(demo.to_str().unwrap(), clone.path()).arguments(arguments);
        launch.env("PATH", format!("{}/bin:/usr/bin:/bin", clone.path().display())).run()
    };
    let repository = fixture.repository.path().to_str().unwrap();
    let briefed = run(&[repository, "who calls enforce_retry_budget_zebra?"]).expect_success();
    assert!(briefed.stdout.contains("src/main.rs:2 `main`"), "{briefed:#?}");
    let missing = run(&["no/such/folder", "x"]);
    assert_eq!(missing.exit_code, Some(2));
    assert!(missing.stderr.contains("error: `no/such/folder` is not a directory"), "{missing:#?}");
}

fn tempfile_folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}
