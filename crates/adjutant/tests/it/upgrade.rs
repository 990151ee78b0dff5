//! An upgrade from version 0.1.0. Its state, settings and index are used or replaced without loss.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;
use testkit::{Finished, Launch, Repository};

use crate::fixture::{ADJUTANT, HOOK, fixture};

const RUN: &str = "20261116-103749-741d97";
const JOB: &str = "cdx-20261116_103749-f135b2-nightly";

/// A home folder and a repository with the files of version 0.1.0.
struct OldHome {
    folder: tempfile::TempDir,
}

impl OldHome {
    fn new() -> Self {
        let home = Self { folder: tempfile::tempdir().unwrap() };
        let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/0.1.0");
        home.copy(&files.join("state"), &home.home().join(".local/state/adjutant"));
        home.copy(&files.join("config"), &home.home().join(".config/adjutant"));
        home.copy(&files.join("claude"), &home.home().join(".claude"));
        home.copy(&files.join("codex"), &home.home().join(".codex"));
        home.copy(&files.join("repo"), &home.repository());
        let launcher = home.home().join(".claude/hooks/context-inject-global.sh");
        fs::set_permissions(launcher, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(home.home().join(".claude/claude.json"), home.home().join(".claude.json"))
            .unwrap();
        home.finish_receipt(".claude", "claude.json");
        home.finish_receipt(".codex", "codex.json");
        let git = |arguments: &[&str]| {
            Launch::new("git", &home.repository()).arguments(arguments).run().expect_success();
        };
        git(&["init", "--quiet"]);
        home
    }

    fn home(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("home")
    }

    fn repository(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("repo")
    }

    /// The folder of the old programs, which does not exist after the upgrade.
    fn old_programs(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("old")
    }

    fn copy(&self, from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        fs::set_permissions(to, fs::Permissions::from_mode(0o700)).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let target = to.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                self.copy(&entry.path(), &target);
                continue;
            }
            let text = fs::read_to_string(entry.path()).unwrap();
            let text = text.replace("@HOME@", self.home().to_str().unwrap());
            let text = text.replace("@REPO@", self.repository().to_str().unwrap());
            fs::write(target, text.replace("@OLD@", self.old_programs().to_str().unwrap()))
                .unwrap();
        }
    }

    /// Sets the name and the hashes of a receipt to those of the temporary home.
    fn finish_receipt(&self, folder: &str, name: &str) {
        let receipts = self.home().join(".local/state/adjutant/install");
        let mut receipt: Value =
            serde_json::from_str(&fs::read_to_string(receipts.join(name)).unwrap()).unwrap();
        for (path, entry) in receipt["files"].as_object_mut().unwrap() {
            let sum = Launch::new("sha256sum", self.folder.path()).argument(path).run();
            entry["after"] = sum.expect_success().stdout[..64].into();
        }
        let folder = self.home().join(folder).display().to_string();
        let flat = folder.replace(|c: char| !c.is_alphanumeric(), "-");
        let target = receipts.join(format!("{}.json", flat.trim_matches('-')));
        fs::write(target, receipt.to_string()).unwrap();
        fs::remove_file(receipts.join(name)).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Finished {
        Launch::new(ADJUTANT, &self.repository())
            .env("HOME", self.home())
            .env("ADJUTANT_TEST_SLOWNESS", "40")
            .arguments(arguments)
            .run()
    }

    #[track_caller]
    fn json(&self, arguments: &[&str]) -> Value {
        let printed = self.run(arguments).expect_success().stdout;
        serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"))
    }

    /// Returns the content of all settings files that an installation writes.
    fn settings(&self) -> String {
        let files = [
            ".claude/hooks/context-inject-global.sh",
            ".claude/settings.json",
            ".claude.json",
            ".codex/hooks.json",
            ".codex/config.toml",
        ];
        files.map(|file| fs::read_to_string(self.home().join(file)).unwrap_or_default()).join("\n")
    }
}

#[test]
fn the_log_the_trust_and_the_jobs_of_an_old_version_are_kept() {
    let home = OldHome::new();
    let runs = home.json(&["log", "--json"]);
    assert_eq!(runs.as_array().unwrap().len(), 4, "{runs}");
    let listed = home.run(&["log"]).expect_success().stdout;
    assert!(listed.contains(RUN) && listed.contains("commit and push"), "{listed}");
    let shown = home.run(&["log", "show", RUN]).expect_success().stdout;
    for part in
        ["- src/lib.rs:2 enforce_retry_budget", "because it is a direct question", "1 finding"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let trusted = home.json(&["trust", "--list", "--json"]);
    let states: Vec<&Value> =
        trusted["files"].as_array().unwrap().iter().map(|file| &file["state"]).collect();
    assert_eq!(states, ["trusted", "trusted"], "{trusted}");
    let briefing = home.json(&["brief", "--json", "--plan", "where is enforce_retry_budget?"]);
    assert_eq!(briefing["tool_plan"]["budget"]["wall_ms"], 8000);
    let jobs = home.json(&["job", "list", "--json"]);
    assert_eq!((&jobs[0]["id"], &jobs[0]["state"]), (&JOB.into(), &"completed".into()), "{jobs}");
    assert_eq!(home.json(&["job", "status", JOB, "--json"])["tokens_used"], 15);
    let output = home.run(&["job", "logs", JOB]).expect_success().stdout;
    assert!(output.contains("Begin Codex Output") && output.contains("done"), "{output}");
}

#[test]
fn doctor_names_a_stale_path_and_install_replaces_it() {
    let home = OldHome::new();
    let bin = home.folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    testkit::write_executable(&bin.join("claude"), "#!/bin/sh\necho '9.9.9 (Claude Code)'\n");
    let finding = |id: &str| -> Value {
        let doctor = Launch::new(ADJUTANT, &home.repository()).first_on_path(&bin);
        let doctor = doctor.env("HOME", home.home()).arguments(["doctor", "--json"]).run();
        let report: Value = serde_json::from_str(&doctor.stdout).unwrap();
        let findings = report["findings"].as_array().unwrap();
        findings.iter().find(|finding| finding["id"] == id).cloned().unwrap_or_default()
    };
    let old = home.old_programs();
    let gone = finding("claude-code-hook");
    let text = gone["text"].as_str().unwrap();
    assert!(gone["state"] == "bad" && text.contains("which does not exist"), "{gone}");
    assert!(text.contains(old.join("adjutant-hook").to_str().unwrap()), "{gone}");
    assert_eq!(gone["way_out"], "adjutant install claude-code");

    // The old programs still exist, for example in another folder of `PATH`.
    fs::create_dir(&old).unwrap();
    let program = old.join("adjutant-hook");
    testkit::write_executable(&program, "#!/bin/sh\necho 'adjutant-hook 0.1.0'\n");
    let other = finding("claude-code-hook");
    assert!(other["state"] == "lacking", "{other}");
    assert!(other["text"].as_str().unwrap().contains("which is adjutant-hook 0.1.0"), "{other}");

    assert!(home.settings().contains(old.to_str().unwrap()));
    home.run(&["install", "claude-code", "--mcp", "--tool-hooks"]).expect_success();
    home.run(&["install", "codex", "--trust", "--mcp"]).expect_success();
    let settings = home.settings();
    assert!(!settings.contains(old.to_str().unwrap()), "{settings}");
    assert!(settings.matches(HOOK).count() >= 2, "{settings}");
    assert_eq!(finding("claude-code-hook")["state"], "ok");
}

/// According to the receipt of version 0.1.0, the files did not exist before, so an uninstallation removes them.
#[test]
fn uninstall_uses_the_receipt_of_an_old_version() {
    for upgrades_first in [false, true] {
        let home = OldHome::new();
        if upgrades_first {
            home.run(&["install", "claude-code", "--mcp", "--tool-hooks"]).expect_success();
            home.run(&["install", "codex", "--trust", "--mcp"]).expect_success();
        }
        home.run(&["uninstall", "claude-code"]).expect_success();
        home.run(&["uninstall", "codex"]).expect_success();
        assert_eq!(home.settings().trim(), "", "upgraded first: {upgrades_first}");
        assert!(!home.home().join(".claude/settings.json").exists());
    }
}

/// The bytes of the header that contain the format version.
const FORMAT: std::ops::Range<usize> = 8..12;

#[test]
fn an_index_of_an_older_format_is_rebuilt_without_a_message() {
    let cache = tempfile::tempdir().unwrap();
    let place = fixture().env("ADJUTANT_CACHE_DIR", cache.path());
    let run = |arguments: &[&str]| place.launch(ADJUTANT).arguments(arguments).run();
    let built: Value =
        serde_json::from_str(&run(&["index", "--json"]).expect_success().stdout).unwrap();
    let snapshot = PathBuf::from(built["path"].as_str().unwrap());
    let make_old = || {
        let mut bytes = fs::read(&snapshot).unwrap();
        let format = u32::from_le_bytes(bytes[FORMAT].try_into().unwrap());
        bytes[FORMAT].copy_from_slice(&(format - 1).to_le_bytes());
        fs::write(&snapshot, bytes).unwrap();
    };
    make_old();
    let status = run(&["status"]).expect_success();
    assert!(status.stdout.contains("there is no index"), "{status:#?}");
    let found = run(&["search", "enforce_retry_budget_zebra"]).expect_success();
    assert!(found.stdout.contains("src/billing/retry_budget.rs:2"), "{found:#?}");
    assert_eq!(found.stderr, "");
    run(&["index", "--check"]).expect_success();
    make_old();
    let briefing =
        place.arguments(&["--format", "json"]).ask("where is enforce_retry_budget_zebra?");
    let briefing = briefing.expect_success().stdout;
    assert!(briefing.contains("src/billing/retry_budget.rs"), "{briefing}");
    assert!(!briefing.contains("damaged"), "{briefing}");
}

/// An index of another format has another file name, and is not changed.
#[test]
fn two_versions_can_use_the_same_cache() {
    let cache = tempfile::tempdir().unwrap();
    let repository =
        Repository::builder().file("a.rs", "fn zebra_fn() {}\n").commit("init").build();
    let run = |arguments: &[&str]| {
        let launch =
            Launch::new(ADJUTANT, repository.path()).env("ADJUTANT_CACHE_DIR", cache.path());
        launch.arguments(arguments).run().expect_success().stdout
    };
    let built: Value = serde_json::from_str(&run(&["index", "--json"])).unwrap();
    let snapshot = PathBuf::from(built["path"].as_str().unwrap());
    let name = snapshot.file_stem().unwrap().to_str().unwrap();
    let (name, _) = name.rsplit_once('-').unwrap();
    let older = snapshot.with_file_name(format!("{name}-1.snap"));
    fs::write(&older, "written by an older version").unwrap();
    assert!(run(&["search", "zebra_fn"]).contains("a.rs:1"));
    assert!(older.exists());
}

#[test]
fn doctor_names_a_program_that_an_upgrade_did_not_replace() {
    let folder = tempfile::tempdir().unwrap();
    let programs = folder.path().canonicalize().unwrap();
    fs::copy(ADJUTANT, programs.join("adjutant")).unwrap();
    let old = "#!/bin/sh\necho 'adjutant-hook 0.1.0'\n";
    testkit::write_executable(&programs.join("adjutant-hook"), old);
    let doctor = Launch::new(programs.join("adjutant"), folder.path()).env("HOME", folder.path());
    let doctor = doctor.arguments(["doctor", "--json"]).run();
    let report: Value = serde_json::from_str(&doctor.stdout).unwrap();
    let finding = &report["findings"][0];
    assert_eq!((&finding["id"], &finding["state"]), (&"programs".into(), &"bad".into()));
    assert!(
        finding["text"].as_str().unwrap().contains("contains adjutant-hook 0.1.0"),
        "{finding}"
    );
    assert_eq!(finding["way_out"], "install adjutant again");
}
