//! `adjutant queue` on the command line, with real git and a scripted codex.

mod after;
mod commands;
mod fleet;
mod notices;
mod workers;
mod worktrees;

use std::path::{Path, PathBuf};

use serde_json::Value;
use testkit::{FakeCodex, Finished, Launch, PipedProgram, Repository};

use crate::fixture::ADJUTANT;

/// A repository, a home folder, a scripted codex and a queue.
pub(crate) struct Queue {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) repository: Repository,
    pub(crate) codex: FakeCodex,
    /// The value of `--store`. `None` selects the file in the state folder.
    pub(crate) store: Option<String>,
}

/// A fake codex that changes a file and answers.
pub(crate) const CHANGES_A_FILE: &str =
    "thread; echo changed > result.txt; message 'I changed result.txt.'; completed";

impl Queue {
    pub(crate) fn doing(scenario: &str) -> Self {
        let repository = Repository::builder().file("a.txt", "a\n").commit("one").build();
        Self::at(repository, scenario)
    }

    pub(crate) fn at(repository: Repository, scenario: &str) -> Self {
        let codex = FakeCodex::doing(scenario);
        Self { folder: tempfile::tempdir().unwrap(), repository, codex, store: None }
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    pub(crate) fn worktrees(&self) -> PathBuf {
        self.state().join("queue/worktrees")
    }

    /// Returns the folder names of the worktrees.
    pub(crate) fn worktree_names(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.worktrees()) else { return Vec::new() };
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("t-")).collect()
    }

    pub(crate) fn launch_in(&self, directory: &Path, command: &str) -> Launch {
        let launch = self.launch_program_in(ADJUTANT, directory).arguments(["queue", command]);
        match &self.store {
            Some(store) => launch.env("ADJUTANT_QUEUE_STORE", store),
            None => launch,
        }
    }

    /// Launches a program with the environment of the queue.
    pub(crate) fn launch_program(&self, program: &str) -> Launch {
        self.launch_program_in(program, self.repository.path())
    }

    fn launch_program_in(&self, program: &str, directory: &Path) -> Launch {
        Launch::new(program, directory)
            .first_on_path(self.codex.folder())
            .env("HOME", self.folder.path())
            .env("ADJUTANT_STATE_DIR", self.state())
            .env("ADJUTANT_CACHE_DIR", self.folder.path().join("cache"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
    }

    pub(crate) fn launch(&self, command: &str) -> Launch {
        self.launch_in(self.repository.path(), command)
    }

    pub(crate) fn run(&self, command: &str, arguments: &[&str]) -> Finished {
        self.launch(command).arguments(arguments).run()
    }

    /// Adds a task without a briefing, to save time. Returns the id of the task.
    #[track_caller]
    pub(crate) fn add(&self, arguments: &[&str]) -> String {
        let added = self.launch("add").arguments(["--context", "off"]).arguments(arguments).run();
        added.expect_success().stdout.trim().to_owned()
    }

    /// Runs a worker until the queue is empty.
    #[track_caller]
    pub(crate) fn work(&self) -> Finished {
        self.run("work", &["--until-empty"]).expect_success()
    }

    pub(crate) fn start_worker(&self, slots: usize) -> PipedProgram {
        self.launch("work")
            .arguments(["--until-empty", "--slots", &slots.to_string()])
            .start_piped()
    }

    /// Returns the output of `queue show ID --json`.
    #[track_caller]
    pub(crate) fn show(&self, id: &str) -> Value {
        let shown = self.run("show", &[id, "--json"]).expect_success();
        serde_json::from_str(&shown.stdout).unwrap()
    }

    #[track_caller]
    pub(crate) fn task(&self, id: &str) -> Value {
        self.show(id)["task"].take()
    }
}
