//! `adjutant ui` over real HTTP connections and in a real Chromium.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod browser;
mod http;
mod served;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use queue::{NewTask, StoreLocation, TaskId, TaskRequest, TaskStore};
use runs::RunRequest;
use testkit::{FakeCodex, Launch, PipedProgram, Repository, TEST_TIMEOUT};

const ADJUTANT: &str = env!("CARGO_BIN_EXE_adjutant");
/// A fake codex that runs until the file `go` exists in its folder, or the folder is deleted.
const UNTIL_GO: &str = "thread; message 'first news'; while [ -d \"$here\" ] && [ ! -e \"$here/go\" ]; do sleep 0.1; done; message 'last news'; completed";

/// A repository, a home folder and a scripted codex.
struct Setup {
    folder: tempfile::TempDir,
    repository: Repository,
    codex: FakeCodex,
    /// The value of `ADJUTANT_QUEUE_STORE`. `None` selects the file in the state folder.
    store: Option<String>,
}

/// A running `adjutant ui`.
struct Server {
    program: PipedProgram,
    port: u16,
    token: String,
}

impl Setup {
    fn new() -> Self {
        Self::doing(UNTIL_GO)
    }

    fn doing(scenario: &str) -> Self {
        let repository = Repository::builder().file("a.txt", "one\n").commit("one").build();
        let folder = tempfile::tempdir().unwrap();
        Self { folder, repository, codex: FakeCodex::doing(scenario), store: None }
    }

    fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    fn launch(&self, program: impl Into<PathBuf>) -> Launch {
        let launch = Launch::new(program, self.repository.path())
            .first_on_path(self.codex.folder())
            .env("HOME", self.folder.path())
            .env("ADJUTANT_STATE_DIR", self.state());
        let store = self.store.iter();
        store.fold(launch, |launch, store| launch.env("ADJUTANT_QUEUE_STORE", store))
    }

    fn serve(&self, arguments: &[&str]) -> Server {
        let program = self.launch(ADJUTANT).argument("ui").arguments(arguments).start_piped();
        let link = program.read_line(TEST_TIMEOUT);
        let link = link.unwrap_or_else(|| panic!("no link: {}", program.stderr()));
        let rest = link.strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("{link}"));
        let (port, token) = rest.split_once("/?token=").unwrap_or_else(|| panic!("{link}"));
        Server { port: port.parse().unwrap(), token: token.to_owned(), program }
    }

    /// Starts a job and returns its id.
    fn start_job(&self, title: &str) -> String {
        let launch = self.launch(ADJUTANT).arguments(["job", "start", "--context", "off"]);
        let launch = launch.arguments(["--grace", "300ms", "--task", title]);
        launch.run().expect_success().stdout.trim().to_owned()
    }

    fn job_state(&self, id: &str) -> String {
        let status = self.launch(ADJUTANT).arguments(["job", "status", id, "--json"]).run();
        let status: serde_json::Value =
            serde_json::from_str(&status.expect_success().stdout).unwrap();
        status["state"].as_str().unwrap().to_owned()
    }

    fn go(&self) -> PathBuf {
        self.codex.folder().join("go")
    }

    fn store(&self) -> TaskStore {
        let file = self.state().join("queue/queue.db").to_string_lossy().into_owned();
        let location = StoreLocation::parse(self.store.as_ref().unwrap_or(&file), Path::new("/"));
        TaskStore::open(location.unwrap(), TEST_TIMEOUT).unwrap()
    }

    fn add_task(&self, title: &str) -> TaskId {
        let directory = self.repository.path().to_owned();
        let run = RunRequest::task(title).without_briefing();
        let request = TaskRequest::in_worktree(run, directory.clone());
        let new = NewTask::new(title, directory, request);
        // The processes of a session are found by its id, so tests that run at the same time need different ids.
        let mut hasher = DefaultHasher::new();
        (self.repository.path(), title).hash(&mut hasher);
        self.store().add(&new, &format!("{:016x}", hasher.finish())).unwrap().0
    }
}
