//! A repository with a known symbol, a client, and a model that records requests.

use testkit::{
    Client, ClientKind, Finished, LoopbackModel, PassageRole, RecordedRequest, Repository,
    ScriptedAnswer,
};

pub(crate) const PROMPT: &str = "where is enforce_retry_budget_zebra defined and who uses it?";
pub(crate) const CHINESE_PROMPT: &str = "enforce_retry_budget_zebra 在哪里定义，谁在调用它？";

/// Strings that appear only in the repository, not in the prompt.
pub(crate) const DEFINITION: &str = "src/billing/limits.rs:4";
const USE: &str = "src/api/charge.rs:2";
/// The start of the finding about the caller of the symbol, and another part of it.
pub(crate) const CALL: [&str; 2] =
    ["- src/api/charge.rs:2 `charge`", ": calls `enforce_retry_budget_zebra`"];
const HEADING: &str = ::verify::BRIEFING_HEADING;
/// The name of a file in the client's home. It exists after the hook has ended.
const HOOK_ENDED: &str = "hook-ended";
pub(crate) const ANSWER: &str = "That is all there is to say.";

pub(crate) const BOTH: [ClientKind; 2] = [ClientKind::ClaudeCode, ClientKind::Codex];

/// Whether the hook is installed in the client.
#[derive(Clone, Copy)]
pub(crate) enum Hook {
    Installed,
    Absent,
}

pub(crate) struct Fixture {
    pub(crate) model: LoopbackModel,
    pub(crate) repository: Repository,
    pub(crate) client: Client,
}

/// The output for the user, and the requests to the model.
pub(crate) struct Turn {
    kind: ClientKind,
    finished: Finished,
    hook_ended_well: bool,
    request: Option<RecordedRequest>,
}

impl Fixture {
    pub(crate) fn new(kind: ClientKind, hook: Hook) -> Self {
        Self::with_model(kind, hook, LoopbackModel::start_with([ScriptedAnswer::text(ANSWER)]))
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
    /// Checks that the prompt was not blocked: the first request contains it, and the client printed the answer.
    #[track_caller]
    pub(crate) fn expect_answered(&self, prompt: &str) -> &RecordedRequest {
        assert_eq!(self.finished.exit_code, Some(0), "{:#?}", self.finished);
        assert!(self.finished.stdout.contains(ANSWER), "{:#?}", self.finished);
        let request = self.request.as_ref().expect("the model was asked");
        assert!(request.text_as(PassageRole::User).contains(prompt), "{}", request.model_text());
        request
    }

    /// Checks that the hook ended by itself with exit code 0, before the client's timeout.
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

    /// Checks that the client's output does not contain the text.
    #[track_caller]
    pub(crate) fn expect_not_said(&self, words: &str) {
        let Finished { stdout, stderr, .. } = &self.finished;
        assert!(!stdout.contains(words) && !stderr.contains(words), "{:#?}", self.finished);
    }

    /// Checks that the first request contains the evidence at the position where this client inserts the output of a hook.
    pub(crate) fn evidence(&self) -> Result<(), String> {
        if self.request.is_none() {
            return Err("the client sent no request to the model".to_owned());
        }
        evidence_in(&self.briefing())
    }

    /// Returns the text of the first request at the position where this client inserts the output of a hook, starting with
    /// the briefing.
    pub(crate) fn briefing(&self) -> String {
        let role = match self.kind {
            ClientKind::ClaudeCode => PassageRole::System,
            ClientKind::Codex => PassageRole::Developer,
        };
        let text = self.request.as_ref().map(|request| request.text_as(role)).unwrap_or_default();
        text.find(HEADING).map_or_else(|| text.clone(), |start| text[start..].to_owned())
    }
}

pub(crate) fn evidence_in(text: &str) -> Result<(), String> {
    for needed in [HEADING, DEFINITION, USE] {
        if !text.contains(needed) {
            return Err(format!("`{needed}` is not in the text that the model read:\n{text}"));
        }
    }
    Ok(())
}

/// Returns the number of briefings in a text.
pub(crate) fn briefings_in(text: &str) -> usize {
    text.matches(HEADING).count()
}

/// Returns the client's name on the command line of adjutant.
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
