//! The scene every test plays in: a repository with a planted symbol, a client, a model that listens.

use testkit::{
    Answer, Client, ClientKind, Finished, LoopbackModel, RecordedRequest, Repository, Role,
};

pub(crate) const PROMPT: &str = "where is enforce_retry_budget_zebra defined and who uses it?";
pub(crate) const CHINESE_PROMPT: &str = "enforce_retry_budget_zebra 在哪里定义，谁在调用它？";

/// The prompt names the symbol; only someone who looked into the repository can know these.
const DEFINITION: &str = "src/billing/limits.rs:4";
const USE: &str = "src/api/charge.rs:2";
const HEADING: &str = "Auto Tools Results";
/// The name of a file that appears in the client's home once the hook is through.
const HOOK_ENDED: &str = "hook-ended";
pub(crate) const ANSWER: &str = "That is all there is to say.";

pub(crate) const BOTH: [ClientKind; 2] = [ClientKind::ClaudeCode, ClientKind::Codex];

/// Whether the client under test was told about Adjutant.
#[derive(Clone, Copy)]
pub(crate) enum Hook {
    Installed,
    Absent,
}

pub(crate) struct Stage {
    pub(crate) model: LoopbackModel,
    pub(crate) repository: Repository,
    pub(crate) client: Client,
}

/// What the person and the model got.
pub(crate) struct Turn {
    kind: ClientKind,
    finished: Finished,
    hook_ended_well: bool,
    request: Option<RecordedRequest>,
}

impl Stage {
    pub(crate) fn new(kind: ClientKind, hook: Hook) -> Self {
        Self::with_model(kind, hook, LoopbackModel::start_with([Answer::text(ANSWER)]))
    }

    pub(crate) fn with_model(kind: ClientKind, hook: Hook, model: LoopbackModel) -> Self {
        let repository = Repository::builder()
            .file("README.md", "# Payments\n\nCharges cards and keeps the books.\n")
            .file(
                "src/billing/limits.rs",
                concat!(
                    "//! How often a charge may be tried again.\n",
                    "\n",
                    "/// Stops a charge that was tried too often.\n",
                    "pub fn enforce_retry_budget_zebra(tries: u32) -> bool {\n",
                    "    tries < 3\n",
                    "}\n",
                ),
            )
            .file(
                "src/api/charge.rs",
                concat!(
                    "pub fn charge(tries: u32) -> Result<(), String> {\n",
                    "    if !limits::enforce_retry_budget_zebra(tries) {\n",
                    "        return Err(\"tried too often\".to_owned());\n",
                    "    }\n",
                    "    Ok(())\n",
                    "}\n",
                ),
            )
            .file("src/api/refund.rs", "pub fn refund(amount: u64) -> u64 {\n    amount\n}\n")
            .commit("Charge and refund")
            .build();
        let mut client = Client::new(kind, &model);
        if matches!(hook, Hook::Installed) {
            client = client.with_hook(&hook_command(kind));
        }
        Self { model, repository, client }
    }

    #[must_use]
    pub(crate) fn with_env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.client = self.client.with_env(name, value);
        self
    }

    pub(crate) fn prompt(&self, prompt: &str) -> Turn {
        let finished = self.client.prompt(self.repository.path(), prompt);
        self.turn(finished)
    }

    pub(crate) fn turn(&self, finished: Finished) -> Turn {
        Turn {
            kind: self.client.kind(),
            finished,
            hook_ended_well: self.client.home().join(HOOK_ENDED).exists(),
            request: self.model.first_main_request(),
        }
    }
}

impl Turn {
    /// The prompt was not blocked: it is in the first request, and the answer came back.
    #[track_caller]
    pub(crate) fn expect_answered(&self, prompt: &str) -> &RecordedRequest {
        assert_eq!(self.finished.exit_code, Some(0), "{:#?}", self.finished);
        assert!(self.finished.stdout.contains(ANSWER), "{:#?}", self.finished);
        let request = self.request.as_ref().expect("the model was asked");
        assert!(request.text_as(Role::User).contains(prompt), "{}", request.model_text());
        request
    }

    /// The hook ended by itself with exit code 0: the client did not have to save the prompt from it.
    #[track_caller]
    pub(crate) fn expect_hook_ended_well(&self) {
        assert!(self.hook_ended_well, "{:#?}", self.finished);
    }

    #[track_caller]
    pub(crate) fn expect_evidence(&self) {
        if let Err(reason) = self.evidence() {
            panic!("{reason}");
        }
    }

    /// Somewhere in what the client printed.
    #[track_caller]
    pub(crate) fn expect_said(&self, words: &str) {
        assert!(self.finished.stdout.contains(words), "{:#?}", self.finished);
    }

    /// The evidence is in the first request, where this client puts what a hook says.
    pub(crate) fn evidence(&self) -> Result<(), String> {
        let Some(request) = &self.request else { return Err("the model was not asked".to_owned()) };
        let role = match self.kind {
            ClientKind::ClaudeCode => Role::System,
            ClientKind::Codex => Role::Developer,
        };
        evidence_in(&request.text_as(role))
    }
}

pub(crate) fn evidence_in(text: &str) -> Result<(), String> {
    for needed in [HEADING, DEFINITION, USE] {
        if !text.contains(needed) {
            return Err(format!("`{needed}` is not in what the model read:\n{text}"));
        }
    }
    Ok(())
}

/// How many briefings are in a text.
pub(crate) fn briefings_in(text: &str) -> usize {
    text.matches(HEADING).count()
}

/// As our own command lines call it.
pub(crate) fn client_name(kind: ClientKind) -> &'static str {
    match kind {
        ClientKind::ClaudeCode => "claude-code",
        ClientKind::Codex => "codex",
    }
}

pub(crate) fn hook_command(kind: ClientKind) -> String {
    let client = client_name(kind);
    let hook = env!("CARGO_BIN_EXE_adjutant-hook");
    format!("'{hook}' --client {client} && : > \"$HOME/{HOOK_ENDED}\"")
}
