//! Checks the hook's output and exit code in the same way as a client.

use serde_json::Value;

use super::fault::Fault;
use super::launch::Ended;

/// The file that every prompt of the campaign is about.
const SUBJECT: &[u8] = b"retry_budget.rs";

/// A kind of failure in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Complaint {
    BlockedPrompt,
    InvalidOutput,
    /// There was no briefing although there was no fault.
    NoBriefing,
    Hang,
    LeftProcess,
    LeftFile,
}

/// Returns the failed checks of the output and the exit code, each with the observed value.
pub(super) fn judge(fault: Fault, ended: &Ended) -> Vec<(Complaint, String)> {
    if ended.is_hung {
        return vec![(Complaint::Hang, "the hook did not end".to_owned())];
    }
    let mut complaints = Vec::new();
    if ended.code != 0 {
        complaints.push((Complaint::BlockedPrompt, format!("exit code {}", ended.code)));
    }
    if !matches!(fault, Fault::StdoutClosed | Fault::StdoutFull) {
        complaints.extend(judge_output(&ended.stdout));
    }
    // Without this check, a hook that never produces a briefing would pass every run.
    if fault == Fault::None
        && complaints.is_empty()
        && !ended.stdout.windows(SUBJECT.len()).any(|it| it == SUBJECT)
    {
        complaints
            .push((Complaint::NoBriefing, "no briefing although there was no fault".to_owned()));
    }
    complaints
}

fn judge_output(stdout: &[u8]) -> Option<(Complaint, String)> {
    let shown: String = String::from_utf8_lossy(stdout).chars().take(300).collect();
    let invalid = |why: &str| Some((Complaint::InvalidOutput, format!("{why}: {shown:?}")));
    let Ok(Value::Object(answer)) = serde_json::from_slice(stdout) else {
        return invalid("stdout is not one JSON object");
    };
    let blocks = answer.get("decision").is_some() || answer.get("continue").is_some();
    if blocks {
        return Some((Complaint::BlockedPrompt, format!("stdout blocks the prompt: {shown:?}")));
    }
    if let Some(name) = answer.keys().find(|name| !is_known(name)) {
        return invalid(&format!("unknown field `{name}`"));
    }
    if answer.get("systemMessage").is_some_and(|message| !message.is_string()) {
        return invalid("`systemMessage` is not a text");
    }
    let output = answer.get("hookSpecificOutput")?;
    let fields = output.as_object().map(|fields| {
        fields.keys().all(|name| matches!(name.as_str(), "hookEventName" | "additionalContext"))
    });
    let is_known = fields == Some(true)
        && output["hookEventName"] == "UserPromptSubmit"
        && output["additionalContext"].is_string();
    if is_known { None } else { invalid("`hookSpecificOutput` has other fields") }
}

fn is_known(name: &str) -> bool {
    matches!(name, "hookSpecificOutput" | "systemMessage")
}

#[cfg(test)]
mod tests;
