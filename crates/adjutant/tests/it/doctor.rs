//! `adjutant doctor`: every part of the installation is reported, and every problem has a hint (A60, A54).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::Value;
use testkit::{Finished, Launch};

use crate::fixture::{ADJUTANT, Fixture, context, fixture, fixture_with};

const CODEX: &str = "case \"$*\" in\n\
    --version) echo 'codex-cli 9.9.9';;\n\
    'exec --help') printf '  --json\\n  --sandbox <MODE>\\n  --config <X>\\n  --disable <X>\\n  --model <M>\\n  --profile <P>\\n  --color <C>\\n  --output-last-message <F>\\n  --dangerously-bypass-approvals-and-sandbox\\n';;\n\
    'exec resume --help') printf '  --last\\n';;\n\
    'features list') printf 'hooks stable true\\n';;\n\
    sandbox*read-only*true) ;;\n\
    sandbox*read-only*) exit 1;;\n\
    sandbox*) shift 4; exec \"$@\";;\n\
    esac";

/// A repository, a home folder, and client scripts that only print their version.
struct Setup {
    fixture: Fixture,
    folder: tempfile::TempDir,
}

fn script(path: &Path, text: &str) {
    testkit::write_executable(path, &format!("#!/bin/sh\n{text}\n"));
}

impl Setup {
    fn new(fixture: Fixture) -> Self {
        let setup = Self { fixture, folder: tempfile::tempdir().unwrap() };
        script(&setup.program("claude"), "echo '9.9.9 (Claude Code)'");
        script(&setup.program("codex"), CODEX);
        setup
    }

    fn program(&self, name: &str) -> PathBuf {
        self.folder.path().join("bin").join(name)
    }

    fn home(&self, name: &str) -> PathBuf {
        self.folder.path().join("home").join(name)
    }

    fn launch(&self) -> Launch {
        let launch = self.fixture.launch(ADJUTANT).first_on_path(&self.folder.path().join("bin"));
        launch.env("HOME", self.folder.path().join("home"))
    }

    fn run(&self, arguments: &[&str]) -> Finished {
        self.launch().arguments(arguments).run()
    }

    fn install(&self) {
        self.run(&["install", "claude-code", "--mcp"]).expect_success();
        self.run(&["install", "codex", "--trust", "--mcp"]).expect_success();
    }

    #[track_caller]
    fn report(&self) -> Report {
        Report::read(&self.run(&["doctor", "--json"]))
    }
}

struct Report {
    json: Value,
    exit: Option<i32>,
}

impl Report {
    #[track_caller]
    fn read(finished: &Finished) -> Self {
        let json: Value = serde_json::from_str(&finished.stdout)
            .unwrap_or_else(|error| panic!("{error}: {finished:#?}"));
        let report = Self { json, exit: finished.exit_code };
        for finding in report.json["findings"].as_array().unwrap() {
            assert_eq!(finding["state"] == "ok", finding["way_out"].is_null(), "{finding}");
        }
        assert_eq!(
            report.exit,
            Some(if report.json["bad"] == 0 { 0 } else { 20 }),
            "{finished:#?}"
        );
        assert_eq!(report.json["ok"], report.json["bad"] == 0);
        report
    }

    fn ids(&self) -> Vec<&str> {
        let findings = self.json["findings"].as_array().unwrap().iter();
        findings.map(|finding| finding["id"].as_str().unwrap()).collect()
    }

    fn finding(&self, id: &str) -> &Value {
        let findings = self.json["findings"].as_array().unwrap();
        findings.iter().find(|finding| finding["id"] == id).unwrap_or(&Value::Null)
    }

    #[track_caller]
    fn expect(&self, id: &str, state: &str, words: &str) {
        let finding = self.finding(id);
        let text = finding["text"].as_str().unwrap_or_default();
        assert!(finding["state"] == state && text.contains(words), "{state} `{words}`: {finding}");
    }

    fn way_out(&self, id: &str) -> &str {
        self.finding(id)["way_out"].as_str().unwrap_or_default()
    }
}

#[test]
fn a60_a_complete_installation_has_no_problem() {
    let setup = Setup::new(fixture());
    setup.install();
    let report = setup.report();
    let expected = [
        "programs",
        "claude-code",
        "claude-code-hook",
        "claude-code-mcp",
        "codex",
        "codex-flags",
        "codex-sandbox",
        "codex-hook",
        "codex-tool-hooks",
        "codex-mcp",
        "other-clients",
        "cache",
        "log",
        "repository",
        "settings",
        "hooks",
        "git",
        "index",
        "test-prompt",
    ];
    assert_eq!(report.ids(), expected);
    assert_eq!(
        (&report.json["bad"], &report.json["lacking"]),
        (&0.into(), &0.into()),
        "{}",
        report.json
    );
    report.expect("claude-code", "ok", "9.9.9 (Claude Code)");
    report.expect("codex-sandbox", "ok", "read-only and workspace-write work here");
    report.expect("test-prompt", "ok", "src/main.rs:1");
    assert!(report.finding("test-prompt")["details"]["ms"].is_u64());
    assert!(report.finding("cache")["details"]["bytes"].as_u64().unwrap() > 0);
    let text = setup.run(&["doctor"]).expect_success().stdout;
    assert!(text.lines().all(|line| line.starts_with("ok    ")), "{text}");
}

#[test]
fn a60_doctor_tells_a_new_user_what_to_do() {
    let setup = Setup::new(fixture());
    let report = setup.report();
    assert_eq!(report.way_out("claude-code-hook"), "adjutant install claude-code");
    assert_eq!(report.way_out("codex-hook"), "adjutant install codex --trust");
    fs::remove_file(setup.program("claude")).unwrap();
    fs::remove_file(setup.program("codex")).unwrap();
    let report = setup.report();
    assert_eq!(report.exit, Some(0));
    report.expect("claude-code", "lacking", "not on PATH");
    report.expect("codex", "lacking", "`codex` is not on PATH");
}

#[test]
fn a60_broken_parts_are_reported_as_bad() {
    let setup = Setup::new(fixture());
    setup.install();
    fs::write(setup.home(".claude/settings.json"), "{\n  oops\n}").unwrap();
    fs::remove_file(setup.home(".codex/config.toml")).unwrap();
    let leaks = CODEX.replace("sandbox*read-only*) exit 1;;", "");
    script(&setup.program("codex"), &leaks);
    let report = setup.report();
    report.expect("claude-code-hook", "bad", "2:3: ");
    report.expect("codex-hook", "bad", "not trusted");
    report.expect("codex-sandbox", "bad", "read-only allows a command to write");
    assert_eq!(report.exit, Some(20));
}

#[test]
fn a60_an_install_in_the_repository_is_found() {
    let setup = Setup::new(fixture());
    setup.run(&["install", "claude-code", "--scope", "project"]).expect_success();
    let told = setup.run(&["install", "codex", "--scope", "project", "--trust"]).expect_success();
    assert!(told.stderr.contains("only if it trusts the folder"), "{told:#?}");
    // Trust that the repository itself declares has no effect.
    assert!(!setup.fixture.repository.join(".codex/config.toml").exists());
    let report = setup.report();
    report.expect("claude-code-hook", "ok", "/.claude/settings.json");
    report.expect("codex-hook", "lacking", "only if it trusts the folder");
    let config = setup.home(".codex/config.toml");
    let text = fs::read_to_string(&config).unwrap();
    let top = setup.fixture.repository.path().display();
    fs::write(&config, format!("{text}\n[projects.\"{top}\"]\ntrust_level = \"trusted\"\n"))
        .unwrap();
    setup.report().expect("codex-hook", "ok", "/.codex/hooks.json, trusted");
    fs::remove_file(setup.fixture.repository.join(".claude/hooks/context-inject-global.sh"))
        .unwrap();
    assert_eq!(
        setup.report().way_out("claude-code-hook"),
        "adjutant install claude-code --scope project"
    );
    setup.run(&["uninstall", "codex", "--scope", "project"]).expect_success();
    assert!(!fs::read_to_string(&config).unwrap().contains("trusted_hash"));
}

#[test]
fn a60_doctor_reports_disabling_switches_and_misspelt_variables() {
    let setup = Setup::new(fixture());
    let told = |variable: &str, value: &str| {
        let finished = setup.launch().env(variable, value).arguments(["doctor"]).run();
        finished.expect_success().stdout
    };
    let off = told("CI_AUTO_TOOLS", "off");
    assert!(off.contains("lack  settings: switched off") && off.contains("→ unset CI_AUTO_TOOLS"));
    assert!(told("CI_AUTO_TOOLS_DRY_RUN", "1").contains("lack  settings: plan mode"));
    let slip = told("CI_AUTO_TOOLS_TEIR_MAX", "2");
    assert!(slip.contains("lack  settings: unknown variable `CI_AUTO_TOOLS_TEIR_MAX`"), "{slip}");
    let homeless = told("HOME", "");
    assert_eq!(homeless.matches("hook: HOME is not set").count(), 2, "{homeless}");
}

#[test]
fn a60_a_broken_sandbox_and_missing_flags_are_reported() {
    let setup = Setup::new(fixture());
    let old = CODEX
        .replace(
            "sandbox*read-only*true) ;;",
            "sandbox*) echo 'bwrap: no namespaces' >&2; exit 1;;",
        )
        .replace("  --disable <X>\\n", "");
    script(&setup.program("codex"), &old);
    let report = setup.report();
    report.expect("codex-sandbox", "lacking", "does not work here: bwrap: no namespaces");
    report.expect("codex-flags", "lacking", "does not support --disable");
    script(&setup.program("codex"), "echo something else");
    setup.report().expect("codex", "bad", "does not identify itself as codex");
}

#[test]
fn a54_doctor_checks_a_configuration_without_starting_its_programs() {
    let setup = Setup::new(fixture_with(
        "budget: {wall_ms: 9000}\ntools: {owners: {command: [sh, tools/owners.sh]}}\n",
    ));
    let note = setup.folder.path().join("ran");
    let owners = setup.fixture.repository.join("tools/owners.sh");
    script(&owners, &format!("echo ran >> '{}'", note.display()));
    let report = setup.report();
    report.expect("settings", "lacking", "is not trusted; not applied: `budget.wall_ms` is 9000");
    assert!(report.way_out("settings").contains("adjutant trust config/auto-tools.yaml"));
    setup.run(&["trust", "--yes"]).expect_success();
    let report = setup.report();
    report.expect("settings", "ok", "is trusted: ");
    assert!(!note.exists(), "doctor started a program of the repository");
    script(&owners, "true");
    setup.report().expect("settings", "lacking", "changed since you trusted it");
    fs::write(
        setup.fixture.repository.join("config/auto-tools.yaml"),
        "budget:\n  wall_ms: fast\n",
    )
    .unwrap();
    setup.report().expect("settings", "bad", "config/auto-tools.yaml:2:12: ");
}

#[test]
fn a54_doctor_checks_repository_hooks_without_running_them() {
    let setup = Setup::new(fixture());
    let note = setup.folder.path().join("fired");
    let path = setup.fixture.repository.join(".adjutant/hooks/beforeToolCall.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, crate::hooks::rules(&format!("touch '{}'", note.display()))).unwrap();
    setup.report().expect("hooks", "lacking", "is not trusted and does not run");
    setup.run(&["trust", "--yes"]).expect_success();
    setup.report().expect("hooks", "ok", "1 file, all yours or trusted");
    assert!(!note.exists(), "doctor fired a hook of the repository");
    fs::write(&path, crate::hooks::rules("true")).unwrap();
    setup.report().expect("hooks", "bad", "changed since you trusted it");
    fs::write(&path, "[\n{]").unwrap();
    setup.report().expect("hooks", "bad", "beforeToolCall.json:2: ");
}

/// A relative folder in `PATH` refers to the current repository.
#[test]
fn a54_no_program_is_taken_from_the_current_repository() {
    let setup = Setup::new(fixture());
    for name in ["claude", "codex", "git"] {
        fs::remove_file(setup.program(name)).ok();
        let trap = format!("touch '{}'", setup.folder.path().join("ran").display());
        script(&setup.fixture.repository.join(name), &trap);
    }
    let path =
        format!(".:{}:/usr/local/bin:/usr/bin:/bin", setup.folder.path().join("bin").display());
    let finished = setup.launch().env("PATH", &path).arguments(["doctor", "--json"]).run();
    let report = Report::read(&finished);
    report.expect("codex", "lacking", "");
    report.expect("git", "ok", "the history can be read");
    setup.launch().env("PATH", &path).arguments(["index"]).run().expect_success();
    assert!(!setup.folder.path().join("ran").exists());
}

/// Uses git's test variable that simulates a repository of another user.
#[test]
fn a54_the_repository_of_another_user_is_briefed_without_its_history() {
    let setup = Setup::new(fixture().env("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1"));
    let report = setup.report();
    report.expect("git", "lacking", "belongs to another user");
    assert!(report.way_out("git").contains("safe.directory"));
    let status = setup.run(&["status"]).expect_success();
    assert!(status.stdout.contains("git history absent"), "{status:#?}");
    let (briefing, exit) = setup.fixture.json("where is enforce_retry_budget_zebra defined?");
    assert_eq!(exit, 0);
    assert!(context(&briefing).contains("src/billing/retry_budget.rs:2"));
}

#[test]
fn a60_a_read_only_cache_is_reported() {
    let setup = Setup::new(fixture());
    let file = setup.folder.path().join("no-folder");
    fs::write(&file, "").unwrap();
    let finished =
        setup.launch().env("ADJUTANT_CACHE_DIR", &file).arguments(["doctor", "--json"]).run();
    let report = Report::read(&finished);
    report.expect("cache", "lacking", "cannot be written to");
    report.expect("test-prompt", "ok", "1 finding");
}

/// A pipe in place of a file would block a reader forever.
#[test]
fn a50_pipes_and_loops_in_place_of_files_do_not_block() {
    let setup = Setup::new(fixture());
    let repository = setup.fixture.repository.path();
    fs::create_dir_all(repository.join("config")).unwrap();
    let pipe = |name: &str| {
        Launch::new("mkfifo", repository).argument(name).run().expect_success();
    };
    pipe("config/auto-tools.yaml");
    setup.report().expect("settings", "bad", "config/auto-tools.yaml: is not a file");
    fs::remove_file(repository.join("config/auto-tools.yaml")).unwrap();
    pipe("src/pipe.rs");
    symlink("..", repository.join("src/loop")).unwrap();
    let settings = setup.home(".claude/settings.json");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    pipe(settings.to_str().unwrap());
    fs::remove_dir_all(repository.join(".git")).unwrap();
    pipe(".git");
    let report = setup.report();
    report.expect("test-prompt", "ok", "src/main.rs:1");
    report.expect("index", "ok", "files");
}
