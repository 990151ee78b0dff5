//! The briefing of one prompt: asked for through the entry like any client's, said in a line, put before the prompt.

use std::time::{Duration, Instant};

use clients::{Input, Payload};
use contract::ClientName;
use entry::{Format, Invocation};
use process::Environment;
use serde_json::Value;

use crate::edge;

/// The exit codes of A42 that mean: there is no briefing at all.
const WITHOUT_BRIEFING: [u8; 3] = [10, 20, 30];

pub(super) struct Briefed {
    pub(super) json: Value,
    pub(super) exit: u8,
    wall: Duration,
}

/// Which conversation the prompt belongs to.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// None: each prompt stands alone.
    pub(super) session: Option<&'a str>,
    /// Something was asked before.
    pub(super) has_history: bool,
}

/// A kernel that fails costs the evidence, not the prompt.
pub(super) fn brief(prompt: &str, environment: &Environment, place: Place<'_>) -> Briefed {
    let begun = Instant::now();
    let invocation = Invocation {
        format: Format::Json,
        prompt: Some(prompt.to_owned()),
        file: None,
        line: None,
        function: None,
        with_history: place.has_history,
        analyze_intent: false,
    };
    let session_id = place.session.map(str::to_owned);
    let payload = Payload { prompt: Some(prompt.to_owned()), session_id, ..Payload::default() };
    let client = clients::client(ClientName::CodexCli);
    let input = Input { client, event: None, payload: Ok(payload) };
    let emission = entry::run(&invocation, &input, &edge::hook_host(environment.clone()));
    let json = serde_json::from_str(&emission.stdout).unwrap_or_default();
    Briefed { json, exit: emission.exit, wall: begun.elapsed() }
}

impl Briefed {
    /// What the exit code says beside codex's: that there was no briefing at all.
    pub(super) fn failure(&self) -> Option<u8> {
        WITHOUT_BRIEFING.contains(&self.exit).then_some(self.exit)
    }

    fn text(&self, pointer: &str) -> &str {
        self.json.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    fn array(&self, pointer: &str) -> &[Value] {
        self.json.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn plan_text(&self) -> &str {
        self.text("/fused_context/for_user/tool_plan_text")
    }

    /// The model gets no evidence.
    fn is_empty(&self) -> bool {
        self.text("/fused_context/for_model/additional_context").is_empty()
    }

    /// `[Limits] …`, one a line.
    pub(super) fn limits_text(&self) -> &str {
        self.text("/fused_context/for_user/limits_text")
    }

    /// Which tools, how many findings, how long it took, how many limits.
    pub(super) fn summary(&self) -> String {
        let names = |pointer: &str| -> Vec<&str> {
            self.array(pointer).iter().filter_map(|tool| tool["tool"].as_str()).collect()
        };
        let mut tools = names("/tool_results");
        if tools.is_empty() {
            tools = names("/tool_plan/tools");
        }
        let findings = self.array("/fused_context/for_model/structured/items").len()
            + self.array("/fused_context/for_model/structured/conflicts").len();
        let mut parts = vec![match self.failure() {
            Some(code) => format!("not briefed, code {code}"),
            None if !self.is_empty() => format!("briefed: {}", counted(findings, "finding")),
            None if tools.is_empty() => {
                let why = self.plan_text().lines().next().unwrap_or_default();
                let why = why.trim_start_matches("[Auto Tools]").trim();
                if why.is_empty() {
                    "not briefed".to_owned()
                } else {
                    format!("not briefed: {why}")
                }
            }
            None => "not briefed: nothing new".to_owned(),
        }];
        if !tools.is_empty() {
            parts.push(tools.join(", "));
        }
        parts.push(format!("{} ms", self.wall.as_millis()));
        let limits = self.limits_text().lines().count();
        if limits > 0 {
            parts.push(counted(limits, "limit"));
        }
        parts.join(" · ")
    }

    /// The second line of the summary: only what a person should not miss.
    pub(super) fn warning(&self) -> Option<&str> {
        let is_degraded = self.json.pointer("/degraded/is_degraded") == Some(&Value::Bool(true));
        let reason = self.text("/degraded/reason");
        let line =
            self.limits_text().lines().find(|line| !reason.is_empty() && line.contains(reason));
        let line = line.or_else(|| self.limits_text().lines().next());
        line.filter(|_| is_degraded || self.failure().is_some())
    }

    /// Evidence first, then the prompt, so that the question is the last thing the model reads.
    pub(super) fn before(&self, prompt: &str) -> String {
        let context = self.text("/fused_context/for_model/additional_context");
        let mut parts = Vec::new();
        if !context.is_empty() {
            parts.push(context.to_owned());
        } else if !self.limits_text().is_empty() {
            parts.push(format!("(Adjutant, run {})\n{}", self.text("/run_id"), self.limits_text()));
        }
        parts.push(prompt.to_owned());
        parts.join("\n\n")
    }
}

fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests;
