//! Reads and writes the log of recent briefings in the user's state folder, one line per run.
//!
//! The prompt and the findings are redacted in the same way as in the kernel's output.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use disk::Links;
use kernel::Briefed;
use process::Environment;
use serde::{Deserialize, Serialize};

use crate::edge;

/// The environment variable that disables the log.
const SWITCH: &str = "ADJUTANT_LOG";
/// The maximum size of the log file, in bytes. A larger file is renamed to `runs.1.jsonl` and replaces the older file
/// of that name.
const MAX_BYTES: u64 = 2 * 1024 * 1024;
const MAX_PROMPT_CHARS: usize = 400;

/// Returns the path of the log file, or `None` if the log is disabled or there is no usable state folder.
pub(crate) fn file(environment: &Environment) -> Option<PathBuf> {
    let folder = edge::state_directory(environment)?;
    (!edge::is_switched_off(environment, SWITCH)).then(|| folder.join("runs.jsonl"))
}

/// Adds a run to the log. Errors are ignored, because the briefing has already been printed.
pub(crate) fn add(environment: &Environment, briefed: &Briefed) {
    let run = logged(briefed);
    // Runs without tool results, such as plan mode, are logged only if the kernel decided to add nothing.
    if briefed.briefing.tool_results.is_empty() && run.decision.is_none() {
        return;
    }
    let Some(path) = file(environment) else { return };
    let mut line = serde_json::to_string(&run).unwrap_or_default();
    line.push('\n');
    let _unlogged = append(&path, &line);
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    disk::create_private_folder(path.parent().unwrap_or(path))?;
    if fs::metadata(path).is_ok_and(|found| found.len() > MAX_BYTES) {
        fs::rename(path, older(path))?;
    }
    // The line is written with a single call, so that lines of concurrent runs do not mix.
    let mut file = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    file.write_all(line.as_bytes())
}

fn older(path: &Path) -> PathBuf {
    path.with_extension("1.jsonl")
}

/// The word for a run that found no evidence.
pub(crate) const NOTHING: &str = "nothing";

/// A log entry that describes one run. Each entry is one line of the log.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LoggedRun {
    pub(crate) characters: usize,
    pub(crate) client: String,
    /// The text for the model. Empty in entries written by version 0.2.0 and earlier.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) context: String,
    pub(crate) created_at: String,
    /// The gate's decision about how much evidence the prompt gets. `None` if the amount was decided by a setting and
    /// not by the gate (a learned model).
    pub(crate) decision: Option<LoggedDecision>,
    pub(crate) exit: u8,
    pub(crate) findings: Vec<LoggedFinding>,
    pub(crate) intent: String,
    pub(crate) limits: String,
    pub(crate) prompt: String,
    pub(crate) repo_root: String,
    pub(crate) run_id: String,
    pub(crate) session_id: Option<String>,
    pub(crate) tools: Vec<LoggedTool>,
}

impl LoggedRun {
    /// Returns the time of the run in seconds since 1970, or `None` if it cannot be parsed.
    pub(crate) fn seconds(&self) -> Option<u64> {
        let time: jiff::Timestamp = self.created_at.parse().ok()?;
        u64::try_from(time.as_second()).ok()
    }

    /// Returns the amount of evidence as one word: the decision of the gate, `on` if the gate did not make the decision,
    /// or [`NOTHING`] if evidence was wanted but none was injected.
    pub(crate) fn amount(&self) -> &str {
        let decision = self.decision.as_ref();
        let decided =
            decision.map_or("on", |decision| decision.amount.split(' ').next().unwrap_or_default());
        if self.characters == 0 && decided != "silent" { NOTHING } else { decided }
    }

    /// Returns the findings, the one with the highest score first. Entries of version 0.1 have no scores, so their order
    /// is kept.
    pub(crate) fn best_findings(&self) -> Vec<&LoggedFinding> {
        let mut findings: Vec<&LoggedFinding> = self.findings.iter().collect();
        let score = |finding: &LoggedFinding| finding.confidence.unwrap_or(0.0);
        findings.sort_by(|a, b| score(b).total_cmp(&score(a)));
        findings
    }
}

/// The gate's decision about how much evidence a prompt gets.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LoggedDecision {
    /// `silent`, `pointers` or `briefing`, and the reasons in parentheses.
    pub(crate) amount: String,
    /// The estimated probability that evidence is wanted.
    pub(crate) probability: f64,
}

impl LoggedDecision {
    /// Returns the reasons as statements about the prompt.
    pub(crate) fn reasons(&self) -> Vec<String> {
        let reasons = self.amount.split_once(" (").and_then(|(_, rest)| rest.strip_suffix(')'));
        let reasons = reasons.filter(|reasons| !reasons.is_empty());
        kernel::gate::explain(reasons.into_iter().flat_map(|reasons| reasons.split(", ")))
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LoggedFinding {
    /// `None` in entries written by version 0.1.
    pub(crate) confidence: Option<f64>,
    pub(crate) line: Option<u64>,
    pub(crate) path: Option<String>,
    pub(crate) symbol: Option<String>,
    pub(crate) tool: String,
}

impl LoggedFinding {
    /// Returns the path, followed by the line if it is known.
    pub(crate) fn place(&self) -> String {
        let path = self.path.as_deref().unwrap_or_default();
        self.line.map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"))
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LoggedTool {
    pub(crate) ms: u64,
    pub(crate) status: String,
    pub(crate) summary: String,
    pub(crate) tool: String,
}

fn logged(briefed: &Briefed) -> LoggedRun {
    let briefing = &briefed.briefing;
    let model = &briefing.fused_context.for_model;
    let tools = briefing.tool_results.iter().map(|result| LoggedTool {
        tool: result.tool.clone(),
        status: result.status.word().to_owned(),
        ms: result.duration_ms,
        summary: result.summary.clone(),
    });
    let findings = model.structured.items.iter().map(|item| LoggedFinding {
        confidence: Some(item.confidence),
        tool: item.tool.clone(),
        path: item.path.clone(),
        line: item.line,
        symbol: item.symbol.clone(),
    });
    let decision = briefed.decision.as_ref().map(|decision| LoggedDecision {
        amount: decision.to_string(),
        probability: decision.rounded_probability(),
    });
    LoggedRun {
        decision,
        run_id: briefing.run_id.clone(),
        created_at: briefing.created_at.clone(),
        client: briefing.client.name.word().to_owned(),
        session_id: briefing.client.session_id.clone(),
        repo_root: briefing.inputs.repo_root.clone(),
        prompt: briefing.inputs.prompt.chars().take(MAX_PROMPT_CHARS).collect(),
        intent: model.structured.intent.clone(),
        tools: tools.collect(),
        findings: findings.collect(),
        characters: model.additional_context.chars().count(),
        context: model.additional_context.clone(),
        limits: briefing.fused_context.for_user.limits_text.clone(),
        exit: briefed.exit.number(),
    }
}

/// Returns the logged runs, newest first. Lines that cannot be parsed are skipped.
pub(crate) fn read(path: &Path) -> Vec<LoggedRun> {
    let mut runs = Vec::new();
    for file in [older(path), path.to_owned()] {
        let bytes = disk::read_start(&file, Links::Refuse, 2 * MAX_BYTES).unwrap_or_default();
        let lines = bytes.split(|byte| *byte == b'\n');
        runs.extend(lines.filter_map(|line| serde_json::from_slice(line).ok()));
    }
    runs.reverse();
    runs
}

/// Removes the runs that are older than `seconds`, if it is not `None`, and those without a readable time.
pub(crate) fn retain_since(runs: &mut Vec<LoggedRun>, seconds: Option<u64>) {
    let now = edge::clock().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let start = seconds.map_or(0, |seconds| now.saturating_sub(seconds));
    runs.retain(|run| run.seconds().is_some_and(|at| at >= start));
}

#[cfg(test)]
mod tests {
    use super::{LoggedDecision, LoggedRun};

    #[test]
    fn a_run_without_evidence_is_not_called_pointers() {
        let check = |decision: Option<&str>, characters: usize, expected: &str| {
            let decision = decision
                .map(|amount| LoggedDecision { amount: amount.to_owned(), probability: 0.5 });
            let run = LoggedRun { decision, characters, ..LoggedRun::default() };
            assert_eq!(run.amount(), expected);
        };
        check(Some("pointers (names, later)"), 0, "nothing");
        check(Some("pointers (names, later)"), 500, "pointers");
        check(Some("briefing"), 0, "nothing");
        check(Some("silent (short)"), 0, "silent");
        check(None, 10, "on");
    }
}
