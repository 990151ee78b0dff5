//! `adjutant run`, `adjutant job`, `start.sh`, `job.sh` and `policy explain` on the command line (C1–C8).

mod disk;
mod job;
mod policy;
mod run;

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::{FakeCodex, Finished, Launch, Repository, TEST_TIMEOUT, eventually};

use crate::fixture::ADJUTANT;

/// A repository, a home folder and a scripted codex.
pub(crate) struct Setup {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) repository: Repository,
    pub(crate) codex: FakeCodex,
}

impl Setup {
    pub(crate) fn with(codex: FakeCodex) -> Self {
        let repository = Repository::builder().file("a.txt", "a\n").commit("one").build();
        Self { folder: tempfile::tempdir().unwrap(), repository, codex }
    }

    pub(crate) fn answering(answer: &str) -> Self {
        Self::with(FakeCodex::answering(answer))
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    pub(crate) fn sessions(&self) -> PathBuf {
        self.state().join("sessions")
    }

    pub(crate) fn launch(&self, program: &str) -> Launch {
        Launch::new(program, self.repository.path())
            .first_on_path(self.codex.folder())
            .env("HOME", self.folder.path())
            .env("ADJUTANT_STATE_DIR", self.state())
            .env("ADJUTANT_BIN_DIR", Path::new(ADJUTANT).parent().unwrap())
    }

    pub(crate) fn adjutant(&self, arguments: &[&str]) -> Finished {
        self.launch(ADJUTANT).arguments(arguments).run()
    }

    /// Runs `run --context off …`, without a briefing to save time.
    pub(crate) fn run(&self, arguments: &[&str]) -> Finished {
        self.launch(ADJUTANT).arguments(["run", "--context", "off"]).arguments(arguments).run()
    }

    #[track_caller]
    pub(crate) fn start(&self, arguments: &[&str]) -> String {
        let launch =
            self.launch(ADJUTANT).arguments(["job", "start", "--context", "off", "--json"]);
        let started = launch.arguments(arguments).run().expect_success();
        json(&started)["jobId"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub(crate) fn status(&self, id: &str) -> Value {
        json(&self.adjutant(&["job", "status", id, "--json"]).expect_success())
    }

    /// Waits until the state of the job satisfies `wanted`.
    #[track_caller]
    pub(crate) fn until(&self, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            let status = self.status(id);
            if wanted(&status) {
                return status;
            }
            assert!(Instant::now() < deadline, "{status:#}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    #[track_caller]
    pub(crate) fn until_ended(&self, id: &str) -> Value {
        self.until(id, |status| status["state"] != "running")
    }

    /// Checks that no process of this session is running.
    #[track_caller]
    pub(crate) fn no_process_is_left(&self, id: &str) {
        eventually(&format!("no process of {id} runs"), || {
            process::processes_with("ADJUTANT_SESSION", id).is_empty()
        });
    }
}

#[track_caller]
pub(crate) fn json(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
}

/// Returns every file below a folder with its content and modification time.
pub(crate) fn snapshot(folder: &Path) -> Vec<(PathBuf, Vec<u8>, std::time::SystemTime)> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if let (Ok(about), Ok(bytes)) = (path.metadata(), std::fs::read(&path)) {
                // Temporary files may disappear between the two steps.
                found.push((path, bytes, about.modified().unwrap()));
            }
        }
    }
    found.sort();
    found
}
