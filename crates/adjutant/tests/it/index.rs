//! The eight questions on the command line and in a briefing, with a real index.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::fixture::{ADJUTANT, Fixture, HOOK, context, fixture, limits, on, result};
use serde_json::Value;
use testkit::{Finished, Repository, RepositoryBuilder};

struct Indexed {
    fixture: Fixture,
    cache: tempfile::TempDir,
}

fn indexed() -> Indexed {
    let repository = Repository::builder()
        .file("src/auth.py", "class Session:\n    def login(self, user):\n        check_password(user)\n        return user\n\n\ndef check_password(user):\n    if user is None:\n        raise ValueError('no user')\n    return True\n")
        .file("src/views.py", "from auth import Session\n\n\ndef sign_in(request):\n    return Session().login(request)\n")
        .file("tests/test_auth.py", "from auth import check_password\n\n\ndef test_check_password():\n    assert check_password('x')\n")
        .file(".env", "QUAGGA_SECRET_WORD=1\n")
        .commit("Sign in")
        .build();
    let cache = tempfile::tempdir().unwrap();
    Indexed { fixture: on(repository).env("ADJUTANT_CACHE_DIR", cache.path()), cache }
}

impl Indexed {
    fn run(&self, arguments: &[&str]) -> Finished {
        self.fixture.launch(ADJUTANT).arguments(arguments).run()
    }

    #[track_caller]
    fn json(&self, arguments: &[&str]) -> Value {
        let finished = self.run(arguments).expect_success();
        serde_json::from_str(&finished.stdout)
            .unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
    }
}

fn files_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            files.extend(files_below(&entry.path()));
        } else {
            files.push(entry.path());
        }
    }
    files
}

/// The peak memory of a build depends on settings that the C library reads from the environment. Git inherits the environment of
/// the build.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_build_runs_with_the_settings_of_malloc_unless_the_user_set_one() {
    let settings = |own: Option<&str>| {
        let place = indexed();
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("environment");
        let script = format!("#!/bin/sh\nenv > '{}'\nexit 1\n", record.display());
        testkit::write_executable(&folder.path().join("git"), &script);
        let mut launch = place.fixture.launch(ADJUTANT).first_on_path(folder.path());
        if let Some(own) = own {
            launch = launch.env("MALLOC_ARENA_MAX", own);
        }
        launch.arguments(["index", "--quiet"]).run().expect_success();
        let text = fs::read_to_string(record).unwrap();
        let mut lines: Vec<String> =
            text.lines().filter(|line| line.starts_with("MALLOC_")).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(
        settings(None),
        ["MALLOC_ARENA_MAX=1", "MALLOC_MMAP_THRESHOLD_=262144", "MALLOC_TRIM_THRESHOLD_=1048576"]
    );
    assert_eq!(settings(Some("4")), ["MALLOC_ARENA_MAX=4"]);
}

#[test]
fn a_briefing_uses_an_index_in_the_cache_and_leaves_the_repository_unchanged() {
    let place = indexed();
    let fixture = place.fixture.arguments(&["--format", "json"]);
    let finished = fixture.ask("explain how check_password is used").expect_success();
    let briefing: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(result(&briefing, "ci_graph_rag"), ("ok", None));
    assert!(context(&briefing).contains("src/auth.py:7"), "{}", context(&briefing));
    assert_eq!(fixture.repository.git(&["status", "--porcelain"]), "");
    assert!(!files_below(place.cache.path()).is_empty());
}

#[test]
fn only_the_files_that_are_said_to_be_changed_are_read_again() {
    let place = indexed();
    place.run(&["index", "--quiet"]).expect_success();
    let root = place.fixture.repository.path();
    fs::write(root.join("src/views.py"), "def sign_out_quietly(request):\n    pass\n").unwrap();
    fs::write(root.join("src/auth.py"), "def unnoticed_change():\n    pass\n").unwrap();
    let report = place.json(&["index", "--json", "--changed", "src/views.py"]);
    assert_eq!(report["analysed"], 1, "{report}");
    let report = place.json(&["index", "--json"]);
    assert_eq!(report["analysed"], 1, "{report}");
    for outside in ["/elsewhere/file.py", "../file.py"] {
        let refused = place.run(&["index", "--changed", outside]);
        let message = format!("`{outside}` is not in the repository");
        assert!(refused.stderr.contains(&message), "{refused:#?}");
        assert_eq!(refused.exit_code, Some(20), "{refused:#?}");
    }
}

#[test]
fn every_question_works_on_the_command_line() {
    let place = indexed();
    let hits = place.json(&[
        "search",
        "--files",
        "--json",
        "--limit",
        "3",
        "where is check_password defined",
    ]);
    assert_eq!(hits[0]["path"], "src/auth.py");
    assert!(hits[0]["score"].is_number() && hits[0]["symbols"][0]["line"].is_number());
    let callers = place.json(&["callers", "check_password", "--json"]).to_string();
    assert!(
        callers.contains("Session.login") && callers.contains("test_check_password"),
        "{callers}"
    );
    let table = place.run(&["callers", "check_password"]).expect_success().stdout;
    assert!(table.starts_with("away  place") && table.contains("Session.login"), "{table}");
    let impact = place.json(&["impact", "check_password", "--json"]).to_string();
    assert!(impact.contains("Session.login"), "{impact}");
    let complexity = place.json(&["complexity", "src/auth.py", "--json"]);
    assert_eq!(complexity["functions"][0]["cyclomatic"], 2);
    let trace = "Traceback (most recent call last):\n  File \"/srv/app/src/auth.py\", line 9, in check_password\nValueError: no user";
    let suspects = place.json(&["locate", "--json", trace]);
    assert_eq!(
        (suspects[0]["path"].as_str(), suspects[0]["line"].as_u64()),
        (Some("src/auth.py"), Some(9))
    );
    let graph = place.json(&["explore", "--json", "check_password"]).to_string();
    assert!(graph.contains("src/auth.py"), "{graph}");
    assert!(place.json(&["hotspots", "--days", "100000", "--json"]).is_array());
    let status = place.json(&["status", "--json"]);
    assert_eq!((status["files"].as_u64(), status["damaged"].as_bool()), (Some(3), Some(false)));
}

#[test]
fn a_path_is_relative_to_the_working_directory_and_a_missing_one_is_reported() {
    let place = indexed();
    let from_top = place.json(&["complexity", "src/auth.py", "--json"]);
    let fixture = place.fixture.within("src");
    for path in ["auth.py", "./auth.py", "src/auth.py", "../src/auth.py"] {
        let arguments = ["complexity", path, "--json"];
        let finished = fixture.launch(ADJUTANT).arguments(arguments).run().expect_success();
        assert_eq!(serde_json::from_str::<Value>(&finished.stdout).unwrap(), from_top, "{path}");
    }
    for path in ["nope.py", "/etc/passwd"] {
        let finished = fixture.launch(ADJUTANT).arguments(["complexity", path]).run();
        assert_eq!(finished.exit_code, Some(1));
        assert!(finished.stderr.contains("` is not in "), "{}", finished.stderr);
    }
}

#[test]
fn answers_use_the_current_content_of_a_changed_file() {
    let place = indexed();
    place.run(&["index", "--quiet"]).expect_success();
    fs::write(place.fixture.repository.join("src/fresh.py"), "def okapi_handler():\n    pass\n")
        .unwrap();
    let hits = place.json(&["search", "--files", "--json", "where is okapi_handler"]);
    assert_eq!(hits[0]["path"], "src/fresh.py");
    fs::remove_file(place.fixture.repository.join("src/fresh.py")).unwrap();
    let hits = place.json(&["search", "--files", "--json", "where is okapi_handler"]);
    assert!(!hits.to_string().contains("fresh.py"));
}

#[test]
fn a_damaged_index_is_detected_and_not_used() {
    let place = indexed();
    place.run(&["index", "--quiet"]).expect_success();
    assert_eq!(place.run(&["index", "--check"]).expect_success().stdout, "sound\n");
    for file in files_below(place.cache.path()) {
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    }
    assert_eq!(place.run(&["index", "--check"]).exit_code, Some(40));
    let hits = place.json(&["search", "--files", "--json", "where is check_password"]);
    assert_eq!(hits[0]["path"], "src/auth.py");
    place.run(&["index", "--delete"]).expect_success();
    assert!(files_below(place.cache.path()).is_empty());
}

/// Returns the briefing of one prompt.
#[track_caller]
fn briefing_of(fixture: &Fixture, prompt: &str) -> Value {
    let payload = serde_json::json!({ "prompt": prompt }).to_string();
    let launch = fixture.launch(HOOK).arguments(["--format", "json"]).input(payload);
    serde_json::from_str(&launch.run().expect_success().stdout).unwrap()
}

fn snapshot_in(cache: &Path) -> std::path::PathBuf {
    let mut files = files_below(cache).into_iter();
    files.find(|file| file.extension().is_some_and(|it| it == "snap")).unwrap()
}

/// Flips one bit in every fourth kilobyte.
fn flipped(intact: &[u8], from: usize) -> Vec<u8> {
    let mut bytes = intact.to_vec();
    (from..bytes.len()).step_by(4096).for_each(|at| bytes[at] ^= 1);
    bytes
}

#[test]
fn a40_a_flipped_bit_changes_no_answer_of_a_command_and_is_reported() {
    let place = indexed();
    place.run(&["index", "--quiet"]).expect_success();
    let questions: [&[&str]; 3] = [
        &["callers", "--json", "check_password"],
        &["impact", "--json", "check_password"],
        &["search", "--files", "--json", "who checks the password"],
    ];
    let snapshot = snapshot_in(place.cache.path());
    let intact = fs::read(&snapshot).unwrap();
    for (question, at) in questions.into_iter().zip([20, 4096 + 100, 4096 + 100]) {
        fs::write(&snapshot, &intact).unwrap();
        let expected = place.run(question).expect_success();
        assert!(!expected.stderr.contains("damaged"), "{}", expected.stderr);
        fs::write(&snapshot, flipped(&intact, at)).unwrap();
        let finished = place.run(question).expect_success();
        assert_eq!(finished.stdout, expected.stdout);
        let reported = "is damaged and will be rebuilt";
        assert!(finished.stderr.contains(reported), "{}", finished.stderr);
        assert_eq!(place.run(&["index", "--check"]).expect_success().stdout, "sound\n");
    }
}

#[test]
fn a40_a_damaged_index_is_reported_in_limits_and_rebuilt() {
    let place = indexed();
    place.run(&["index", "--quiet"]).expect_success();
    let snapshot = snapshot_in(place.cache.path());
    let damaged = flipped(&fs::read(&snapshot).unwrap(), 4096 + 100);
    fs::write(&snapshot, damaged).unwrap();
    let briefing = briefing_of(&place.fixture, "where is check_password defined");
    assert!(context(&briefing).contains("src/auth.py:7"), "{}", context(&briefing));
    assert!(limits(&briefing).contains("the index is damaged"), "{}", limits(&briefing));
    assert_eq!(place.run(&["index", "--check"]).expect_success().stdout, "sound\n");
}

#[test]
fn a40_a_damaged_index_of_a_large_repository_is_not_used_and_rebuilt_in_the_background() {
    let cache = tempfile::tempdir().unwrap();
    let fixture = on(large().commit("init").build()).env("ADJUTANT_CACHE_DIR", cache.path());
    fixture.launch(ADJUTANT).arguments(["index", "--quiet"]).run().expect_success();
    let snapshot = snapshot_in(cache.path());
    let damaged = flipped(&fs::read(&snapshot).unwrap(), 4096 + 100);
    fs::write(&snapshot, damaged).unwrap();
    let briefing = briefing_of(&fixture, "where is part_number_77 defined?");
    assert!(context(&briefing).contains("src/part_77.rs:1"), "{}", context(&briefing));
    assert!(limits(&briefing).contains("the index is damaged"), "{}", limits(&briefing));
    testkit::eventually("the index is rebuilt in the background", || {
        fixture.launch(ADJUTANT).arguments(["index", "--check"]).run().exit_code == Some(0)
    });
}

#[test]
fn questions_are_answered_with_a_read_only_cache() {
    let place = indexed();
    let file = place.cache.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    let (briefing, code) =
        place.fixture.env("ADJUTANT_CACHE_DIR", &file).json("where is check_password defined");
    assert_eq!((code, context(&briefing).contains("src/auth.py:7")), (0, true));
    let finished =
        fixture().env("ADJUTANT_CACHE_DIR", &file).launch(ADJUTANT).argument("index").run();
    assert_eq!(finished.exit_code, Some(40));
    assert!(finished.stderr.contains("error: cannot write the index"), "{}", finished.stderr);
    fs::set_permissions(place.cache.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Limits the file size to 4 KiB, to simulate a full disk. Output goes to a pipe, which has no limit.
const NO_ROOM: &str = r#"trap "" XFSZ; ulimit -f 8; "$0" "$@" 2>&1 | cat"#;

#[test]
fn a_full_disk_keeps_answers_and_the_old_index() {
    let place = indexed();
    place.run(&["index", "--quiet"]).expect_success();
    let long: String =
        (0..4000).map(|n| format!("def ibex_number_{n}(): return {}\n", n * 7919)).collect();
    fs::write(place.fixture.repository.join("src/long.py"), long).unwrap();
    let cramped = |arguments: &[&str]| {
        place
            .fixture
            .launch("sh")
            .arguments(["-c", NO_ROOM, ADJUTANT])
            .arguments(arguments)
            .run()
            .stdout
    };
    let told = cramped(&["index"]);
    assert!(
        told.contains("error: cannot write the index") && told.contains("hint: free disk space"),
        "{told}"
    );
    let found = cramped(&["search", "--files", "--json", "where is ibex_number_77"]);
    assert!(found.contains("src/long.py"), "{found}");
    assert_eq!(place.run(&["index", "--check"]).expect_success().stdout, "sound\n");
}

/// Creates more files than are indexed before an answer.
fn large() -> RepositoryBuilder {
    (0..400).fold(Repository::builder(), |builder, number| {
        builder
            .file(format!("src/part_{number}.rs"), format!("pub fn part_number_{number}() {{}}\n"))
    })
}

/// Returns whether the cache contains a complete or a partial index.
fn is_begun(cache: &Path) -> bool {
    fs::read_dir(cache).is_ok_and(|mut entries| entries.next().is_some())
}

#[test]
fn a_large_repository_is_searched_directly_while_its_index_is_built() {
    let cache = tempfile::tempdir().unwrap();
    let fixture = on(large().commit("init").build())
        .env("ADJUTANT_CACHE_DIR", cache.path())
        .arguments(&["--format", "json"]);
    let ask = || -> Value {
        serde_json::from_str(
            &fixture.ask("where is part_number_77 defined?").expect_success().stdout,
        )
        .unwrap()
    };
    let first = ask();
    assert!(
        limits(&first)
            .contains("no index yet: the files were searched directly while an index is built"),
        "{}",
        limits(&first)
    );
    assert!(context(&first).contains("src/part_77.rs:1"));
    testkit::eventually("an index is built in the background", || limits(&ask()).is_empty());
    assert!(context(&ask()).contains("src/part_77.rs:1"));
}

/// The prompt contains no code word, but the repository contains "sandbox" and "policy".
const ABOUT_THIS_REPOSITORY: &str = "how strict is the sandbox policy?";

#[test]
fn a26_the_first_prompt_in_a_large_repository_starts_its_index() {
    let repository = large().file("src/sandbox.rs", "pub fn enforce_sandbox_policy() {}\n");
    let (cache, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let fixture = on(repository.commit("init").build())
        .env("ADJUTANT_CACHE_DIR", cache.path())
        .env("ADJUTANT_STATE_DIR", state.path());
    let hook: Value =
        serde_json::from_str(&fixture.ask(ABOUT_THIS_REPOSITORY).expect_success().stdout).unwrap();
    assert_eq!(hook["systemMessage"], Value::Null, "nothing was injected: {hook}");
    let log =
        fixture.launch(ADJUTANT).arguments(["log", "show", "2"]).run().expect_success().stdout;
    assert!(
        log.contains("an index is being built") && log.contains(ABOUT_THIS_REPOSITORY),
        "{log}"
    );
    let fixture = fixture.arguments(&["--format", "json"]);
    testkit::eventually("an index is built in the background", || {
        let asked = fixture.ask(ABOUT_THIS_REPOSITORY).expect_success().stdout;
        let briefing: Value = serde_json::from_str(&asked).unwrap();
        let is_found = context(&briefing).contains("src/sandbox.rs:1");
        assert!(!is_found || limits(&briefing).is_empty(), "{}", limits(&briefing));
        is_found
    });
}

#[test]
fn a26_prompts_start_no_second_index_build() {
    let cache = tempfile::tempdir().unwrap();
    let fixture = on(large().commit("init").build()).env("ADJUTANT_CACHE_DIR", cache.path());
    let named = |ending: &str| {
        files_below(cache.path()).into_iter().find(|file| file.to_string_lossy().ends_with(ending))
    };
    fixture.launch(ADJUTANT).arguments(["index", "--quiet"]).run().expect_success();
    fs::remove_file(named(".snap").unwrap()).unwrap();
    let lock = fs::File::open(named("/lock").unwrap()).unwrap();
    lock.lock().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| fixture.ask(ABOUT_THIS_REPOSITORY).expect_success());
        }
    });
    let doctor = fixture.launch(ADJUTANT).arguments(["doctor"]).run().stdout;
    assert!(doctor.contains("ok    index: being built"), "{doctor}");
    assert_eq!(named(".snap"), None, "another process wrote an index without the lock");
    lock.unlock().unwrap();
    fixture.ask(ABOUT_THIS_REPOSITORY).expect_success();
    testkit::eventually("an index is built in the background", || named(".snap").is_some());
}

#[test]
fn a26_no_index_is_built_automatically_outside_of_git() {
    let refused = |fixture: &Fixture, variable: (&str, &str), prompt: &str| {
        let cache = tempfile::tempdir().unwrap();
        let launch = fixture.launch(HOOK).env("ADJUTANT_CACHE_DIR", cache.path());
        let launch = launch.env(variable.0, variable.1).arguments(["--format", "json"]);
        let payload = serde_json::json!({ "prompt": prompt }).to_string();
        let asked = launch.input(payload).run().expect_success().stdout;
        // A background process starts before the answer or not at all.
        let folder = cache.path().to_str().unwrap();
        let running = process::processes_with("ADJUTANT_CACHE_DIR", folder);
        assert!(running.is_empty() && !is_begun(cache.path()), "{prompt}: {asked}");
        serde_json::from_str::<Value>(&asked).unwrap()
    };
    let nothing = ("LANG", "C");
    let tree = on(large().commit("init").build());
    refused(&tree, ("CI_AUTO_TOOLS", "off"), ABOUT_THIS_REPOSITORY);
    refused(&tree, ("CI_AUTO_TOOLS_MODE", "plan"), ABOUT_THIS_REPOSITORY);
    refused(&tree, nothing, "/compact");
    let no_tool = "tools:\n  ci_index_status: {enabled: false}\n  ci_search: {enabled: false}\n  ci_graph_rag: {enabled: false}\n";
    fs::create_dir(tree.repository.join("config")).unwrap();
    fs::write(tree.repository.join("config/auto-tools.yaml"), no_tool).unwrap();
    refused(&tree, nothing, ABOUT_THIS_REPOSITORY);
    // Outside of git, such as in a home folder, even a prompt about code starts no build.
    let home = on(large().without_git().build());
    refused(&home, nothing, ABOUT_THIS_REPOSITORY);
    let live = refused(&home, nothing, "where is part_number_77 defined?");
    assert!(context(&live).contains("src/part_77.rs:1"));
    assert!(limits(&live).contains("`adjutant index` builds an index"), "{}", limits(&live));
}

#[test]
fn a26_an_index_built_by_the_user_is_refreshed_outside_of_git() {
    let cache = tempfile::tempdir().unwrap();
    let fixture = on(large().without_git().build()).env("ADJUTANT_CACHE_DIR", cache.path());
    fixture.launch(ADJUTANT).arguments(["index", "--quiet"]).run().expect_success();
    let snapshot = files_below(cache.path())
        .into_iter()
        .find(|it| it.extension().is_some_and(|it| it == "snap"));
    fs::write(snapshot.unwrap(), "damaged").unwrap();
    let fixture = fixture.arguments(&["--format", "json"]);
    testkit::eventually("the index is built anew in the background", || {
        let asked = fixture.ask("where is part_number_77 defined?").expect_success().stdout;
        !limits(&serde_json::from_str(&asked).unwrap()).contains("no index")
    });
}

#[test]
fn a_new_or_edited_file_is_found_by_the_next_prompt_in_a_large_repository() {
    /// More files than one prompt compares with the index.
    const N_FILES: usize = 17_000;
    let place = indexed();
    let root = place.fixture.repository.path().to_owned();
    for number in 0..N_FILES {
        let folder = root.join(format!("many/part_{:02}", number / 1_000));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("file_{number}.py")), format!("x = {number}\n")).unwrap();
    }
    place.run(&["index", "--quiet"]).expect_success();
    // Many files are newer than the edited one, and the time of its folder does not change.
    fs::write(root.join("many/part_00/file_0.py"), "def quagga_edited():\n    return 1\n").unwrap();
    fs::write(root.join("many/part_03/newest.py"), "def zorilla_created():\n    return 1\n")
        .unwrap();
    let fixture = place.fixture.arguments(&["--format", "json"]);
    for (name, path) in [
        ("quagga_edited", "many/part_00/file_0.py:1"),
        ("zorilla_created", "many/part_03/newest.py:1"),
    ] {
        let finished = fixture.ask(&format!("where is {name} defined?")).expect_success();
        let briefing: Value = serde_json::from_str(&finished.stdout).unwrap();
        assert!(context(&briefing).contains(path), "{}", context(&briefing));
    }
}
