use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use process::{Environment, StopSwitch};
use runs::{
    CONTINUE_PROMPT, Continues, Instructions, Meta, Origin, RunCall, RunError, RunHooks, RunHost,
    RunOutcome, Sessions, Spec, TimeLimitsSpec,
};
use tempfile::TempDir;
use testkit::FakeCodex;

/// Returns the description of a run that continues the conversation of `earlier`, in the same directory and with the same
/// permissions. The task is not sent again, because the conversation contains it.
pub(crate) fn resumed(spec: &Spec, earlier: Continues) -> Spec {
    Spec {
        instructions: Instructions {
            title: spec.instructions.title.clone(),
            ..Instructions::message(CONTINUE_PROMPT)
        },
        continues: Some(earlier),
        is_composed: true,
        ..spec.clone()
    }
}

pub(crate) struct NoHooks;

impl RunHooks for NoHooks {
    fn before(&self, _call: &RunCall<'_>) -> Result<(), String> {
        Ok(())
    }

    fn after(&self, _call: &RunCall<'_>, _meta: &Meta) {}
}

/// A test environment: a working directory, a sessions folder and a fake codex.
pub(crate) struct Stage {
    pub(crate) folder: TempDir,
    pub(crate) codex: FakeCodex,
    pub(crate) spec: Spec,
}

impl Stage {
    pub(crate) fn new(codex: FakeCodex, task: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("work");
        std::fs::create_dir(&directory).unwrap();
        let mut spec = Spec::new(Origin::Run, directory, Instructions::message(task));
        spec.limits = TimeLimitsSpec { wall_ms: Some(600_000), idle_ms: None, grace_ms: 300 };
        Self { folder, codex, spec }
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Spec)) -> Self {
        change(&mut self.spec);
        self
    }

    pub(crate) fn sessions_folder(&self) -> PathBuf {
        self.folder.path().join("sessions")
    }

    pub(crate) fn sessions(&self) -> Sessions {
        Sessions::at(&self.sessions_folder())
    }

    pub(crate) fn host(&self) -> RunHost {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.codex.folder().display());
        RunHost {
            environment: Environment::default().with("PATH", path),
            clock: now,
            entropy,
            sessions: self.sessions_folder(),
            cache: Some(self.folder.path().join("cache")),
            program: None,
            configuration: None,
            stdin: || Ok(Vec::new()),
            brief: |_, _, _| None,
        }
    }

    pub(crate) fn try_run(&self) -> Result<RunOutcome, RunError> {
        runs::exec(&self.spec, &self.host(), &StopSwitch::default(), &NoHooks, &mut |_| ())
    }

    #[track_caller]
    pub(crate) fn run(&self) -> RunOutcome {
        self.try_run().unwrap()
    }

    /// Returns the path and content of every file of every session.
    pub(crate) fn record(&self) -> Vec<(PathBuf, String)> {
        let mut found = Vec::new();
        let mut pending = vec![self.sessions_folder()];
        while let Some(folder) = pending.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    pending.push(path);
                } else {
                    let bytes = std::fs::read(&path).unwrap();
                    found.push((path, String::from_utf8_lossy(&bytes).into_owned()));
                }
            }
        }
        found
    }

    /// Returns the log of a session that may still be running, or an empty string if there is no log yet.
    pub(crate) fn log_so_far(&self) -> String {
        let sessions = std::fs::read_dir(self.sessions_folder()).into_iter().flatten().flatten();
        let logs = sessions.map(|session| std::fs::read(session.path().join("job.log")));
        logs.flatten().map(|log| String::from_utf8_lossy(&log).into_owned()).collect()
    }

    pub(crate) fn log(&self) -> String {
        let record = self.record();
        record.into_iter().find(|(path, _)| path.ends_with("job.log")).unwrap().1
    }
}

#[expect(clippy::disallowed_methods, reason = "a test is its own edge")]
fn now() -> SystemTime {
    SystemTime::now()
}

fn entropy() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{:06x}", NEXT.fetch_add(1, Ordering::Relaxed))
}
