//! Explains why a prompt gets no evidence.

use kernel::Briefed;
use process::Environment;

use crate::{output, style};

/// The reason why a prompt gets no evidence from the hook.
pub(super) struct Silence {
    reason: String,
    /// Whether `adjutant brief` shows a briefing anyway. It does so if the prompt names code in the repository, or if
    /// this cannot be determined because there is no index.
    pub(super) is_answered: bool,
}

impl Silence {
    /// Returns the reason why the prompt gets no evidence, or `None` if tools were planned for it.
    pub(super) fn of(briefed: &Briefed, environment: &Environment) -> Option<Self> {
        if !briefed.briefing.tool_plan.tools.is_empty() {
            return None;
        }
        let reason = match &briefed.decision {
            Some(decision) => kernel::gate::explain(decision.reasons.iter().map(String::as_str)).join(", "),
            None if environment.text("CI_AUTO_TOOLS") == Some("off") => {
                "CI_AUTO_TOOLS=off disables briefings".to_owned()
            }
            None => {
                "the settings allow no tool for this prompt, or the prompt is a command for the client".to_owned()
            }
        };
        Some(Self { reason, is_answered: briefed.n_names > 0 || briefed.is_undecided })
    }

    /// Prints that nothing would be injected, the reason and a hint. `is_for_model` is true if stdout gets only the text
    /// for the model.
    pub(super) fn report(&self, is_for_model: bool) {
        let reason = match self.reason.as_str() {
            "" => String::new(),
            reason => format!(": {reason}"),
        };
        let answer = format!("nothing would be injected{reason}");
        if is_for_model {
            output::talk(&answer);
        } else {
            output::data(&format!("{}\n\n", style::paint(style::WARNING, answer)));
        }
        let hint = if self.is_answered && !is_for_model {
            "CI_AUTO_TOOLS=on lets the hook add this briefing"
        } else {
            "`adjutant brief --force` briefs it anyway"
        };
        output::talk(&format!("{} {hint}\n", style::paint(style::HINT, "hint:")));
    }
}
