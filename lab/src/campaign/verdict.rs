//! Checks the hook's output and exit code in the same way as a client.

use serde_json::Value;

use super::fault::Fault;
use super::launch::Ended;
use super::setup::Event;

/// The file that every prompt of the campaign is about.
const SUBJECT: &[u8] = b"retry_budget.rs";

/// A kind of failure in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Complaint {
    /// The hook prevented the prompt or the tool call.
    Blocked,
    InvalidOutput,
    /// There was no briefing although there was no fault.
    NoBriefing,
    Hang,
    LeftProcess,
    LeftFile,
}

/// Returns the failed checks of the output and the exit code, each with the observed value.
pub(super) fn judge(fault: Fault, event: Event, ended: &Ended) -> Vec<(Complaint, String)> {
    if ended.is_hung {
        return vec![(Complaint::Hang, "the hook did not end".to_owned())];
    }
    let mut complaints = Vec::new();
    if ended.code != 0 {
        complaints.push((Complaint::Blocked, format!("exit code {}", ended.code)));
    }
    if !matches!(fault, Fault::StdoutClosed | Fault::StdoutFull) {
        complaints.extend(judge_output(event, &ended.stdout));
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

fn judge_output(event: Event, stdout: &[u8]) -> Option<(Complaint, String)> {
    let shown: String = String::from_utf8_lossy(stdout).chars().take(300).collect();
    let invalid = |why: &str| Some((Complaint::InvalidOutput, format!("{why}: {shown:?}")));
    let Ok(Value::Object(answer)) = serde_json::from_slice(stdout) else {
        return invalid("stdout is not one JSON object");
    };
    let output = answer.get("hookSpecificOutput");
    let blocks = answer.get("decision").is_some()
        || answer.get("continue").is_some()
        || output.is_some_and(|output| output.get("permissionDecision").is_some());
    if blocks {
        return Some((Complaint::Blocked, format!("stdout blocks the event: {shown:?}")));
    }
    if let Some(name) = answer.keys().find(|name| !is_known(name)) {
        return invalid(&format!("unknown field `{name}`"));
    }
    if answer.get("systemMessage").is_some_and(|message| !message.is_string()) {
        return invalid("`systemMessage` is not a text");
    }
    let output = output?;
    let (name, field) = match event {
        Event::Prompt => ("UserPromptSubmit", "additionalContext"),
        Event::SubAgent => ("PreToolUse", "updatedInput"),
    };
    let has_only_known = output.as_object().is_some_and(|fields| {
        fields.keys().all(|known| known == "hookEventName" || known == field)
    });
    let added = &output[field];
    let is_valid = match event {
        Event::Prompt => added.is_string(),
        // The other arguments of the call stay as they are.
        Event::SubAgent => added["prompt"].is_string() && added["subagent_type"] == "Explore",
    };
    if has_only_known && output["hookEventName"] == name && is_valid {
        None
    } else {
        invalid("`hookSpecificOutput` has other fields")
    }
}

fn is_known(name: &str) -> bool {
    matches!(name, "hookSpecificOutput" | "systemMessage")
}

#[cfg(test)]
mod tests;
