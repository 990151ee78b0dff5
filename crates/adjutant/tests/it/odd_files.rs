//! Files that block a reader or never end, and folders that another user can write to.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::json;
use testkit::{Finished, Launch, Repository};

use crate::fixture::{ADJUTANT, Fixture, fixture, limits, on};

const PROMPT: &str = "where is enforce_retry_budget_zebra defined and who calls it?";

fn make_pipe(path: &Path) {
    let folder = path.parent().unwrap();
    Launch::new("mkfifo", folder).argument(path.to_str().unwrap()).run().expect_success();
}

/// A repository in which some files are pipes or links to an endless device.
pub(crate) fn odd_repository() -> Repository {
    let repository = Repository::builder()
        .file("src/zebra.rs", "pub fn enforce_retry_budget_zebra() {}\n")
        .file("src/main.rs", "fn main() {\n    enforce_retry_budget_zebra();\n}\n")
        .commit("init")
        .build();
    let pipe = |path: &str| {
        let path = repository.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        make_pipe(&path);
    };
    pipe(".ignore");
    pipe("src/pipe.rs");
    pipe(".devbooks/config.yaml");
    symlink("/dev/zero", repository.join(".gitignore")).unwrap();
    symlink("/dev/zero", repository.join("src/.gitignore")).unwrap();
    symlink("../src", repository.join("src/loop")).unwrap();
    repository
}

fn odd_fixture(home: &Path) -> Fixture {
    on(odd_repository()).env("HOME", home)
}

/// `Launch::run` fails the test if the program does not end.
fn run(fixture: &Fixture, arguments: &[&str]) -> Finished {
    fixture.launch(ADJUTANT).arguments(arguments).run()
}

#[test]
fn a50_pipes_and_devices_in_a_repository_block_no_command() {
    let home = tempfile::tempdir().unwrap();
    let fixture = odd_fixture(home.path());
    run(&fixture, &["index"]).expect_success();
    let status = run(&fixture, &["status"]).expect_success().stdout;
    assert!(status.contains("problem: ignore files that") && status.contains(": 3\n"), "{status}");
    let found = run(&fixture, &["search", "enforce_retry_budget_zebra"]).expect_success().stdout;
    assert!(found.contains("src/zebra.rs"), "{found}");
    let doctor = run(&fixture, &["doctor"]).stdout;
    assert!(doctor.contains("test prompt"), "{doctor}");
    let (briefing, _) = fixture.json(PROMPT);
    assert!(briefing.to_string().contains("src/zebra.rs"), "{briefing}");
}

#[test]
fn a50_a_cache_folder_that_others_can_write_to_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    fs::create_dir(&cache).unwrap();
    fs::set_permissions(&cache, Permissions::from_mode(0o777)).unwrap();
    let fixture = fixture().env("ADJUTANT_CACHE_DIR", &cache).env("HOME", folder.path());
    let refused = run(&fixture, &["index"]);
    assert_eq!(refused.exit_code, Some(20), "{refused:#?}");
    assert!(refused.stderr.contains("chmod go-w"), "{refused:#?}");
    let doctor = run(&fixture, &["doctor"]).stdout;
    assert!(doctor.contains("BAD   cache:") && doctor.contains("mode 777"), "{doctor}");
    let (briefing, _) = fixture.json(PROMPT);
    assert!(limits(&briefing).contains("is not used: other users may write to it"), "{briefing}");
    assert!(briefing.to_string().contains("src/billing/retry_budget.rs"), "{briefing}");
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 0, "a file was written there");
}

#[test]
fn a50_folders_are_private_with_any_umask() {
    let home = tempfile::tempdir().unwrap();
    let fixture = fixture().env("HOME", home.path()).env("PROGRAM", ADJUTANT);
    fs::create_dir_all(fixture.repository.join("config")).unwrap();
    fs::write(
        fixture.repository.join("config/auto-tools.yaml"),
        "tools:\n  ci_search:\n    timeout_ms: 4000\n",
    )
    .unwrap();
    let request = json!({ "prompt": PROMPT }).to_string();
    let script =
        r#"umask 000; "$PROGRAM" index --quiet && "$PROGRAM" trust --yes; "$PROGRAM" orchestrate"#;
    fixture.launch("/bin/sh").arguments(["-c", script]).input(request).run();
    for name in [".cache/adjutant", ".config/adjutant", ".local/state/adjutant"] {
        let mode = fs::metadata(home.path().join(name)).map(|it| it.permissions().mode() & 0o777);
        assert_eq!(mode.ok(), Some(0o700), "{name}");
    }
}

#[test]
fn a50_other_users_cannot_write_to_the_folders_of_an_installation() {
    let home = tempfile::tempdir().unwrap();
    let fixture = fixture().env("HOME", home.path()).env("PROGRAM", ADJUTANT);
    let script = r#"umask 000; "$PROGRAM" install claude-code --any-version --tool-hooks"#;
    let installed = fixture.launch("/bin/sh").arguments(["-c", script]).run();
    assert_eq!(installed.exit_code, Some(0), "{installed:#?}");
    for name in [".claude", ".claude/hooks"] {
        let mode = fs::metadata(home.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o022, 0, "{name}");
    }
}

#[test]
fn a60_install_in_a_project_follows_no_link_and_waits_for_no_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let outside = folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    let install = |fixture: &Fixture| {
        run(fixture, &["install", "claude-code", "--scope", "project", "--mcp"])
    };
    let linked_folder = fixture().env("HOME", folder.path());
    symlink(&outside, linked_folder.repository.join(".claude")).unwrap();
    let linked_file = fixture().env("HOME", folder.path());
    symlink(outside.join("servers.json"), linked_file.repository.join(".mcp.json")).unwrap();
    for fixture in [&linked_folder, &linked_file] {
        let refused = install(fixture);
        assert_eq!(refused.exit_code, Some(20), "{refused:#?}");
        assert!(refused.stderr.contains("symbolic link"), "{refused:#?}");
    }
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    let piped = fixture().env("HOME", folder.path());
    let pipe = piped.repository.join(".mcp.json");
    make_pipe(&pipe);
    let refused = install(&piped);
    assert!(refused.stderr.contains("is not a regular file"), "{refused:#?}");
    assert!(!piped.repository.join(".claude").exists(), "the installation is incomplete");
}
