//! Which tools, why, and with which arguments. Pure: the same prompt and settings give the same plan.

use contract::{EnforcementSource, Limit, PlannedTool, ToolPlan};
use policy::{Argument, OwnTool, Settings, Switch, TOOLS, Tool};
use serde_json::{Map, Value};

use crate::intent::{Intent, Need};
use crate::model_text::safe;

/// Why a tool of the repository's own is called, if its configuration does not say.
const OWN_REASON: &str = "config/auto-tools.yaml adds it";
const REASON_CHARS: usize = 120;

/// The plan and what had to be said while making it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Planned {
    pub(crate) plan: ToolPlan,
    pub(crate) limits: Vec<Limit>,
    /// Tools for a person to run.
    pub(crate) hints: Vec<String>,
}

/// What the planner knows about the prompt.
pub(crate) struct Subject<'a> {
    pub(crate) intent: &'a Intent,
    /// Whether there is any word to search for.
    pub(crate) has_terms: bool,
    /// A command of the client or a notice of it, not a question.
    pub(crate) is_for_the_client: bool,
}

pub(crate) fn plan(settings: &Settings, subject: &Subject<'_>) -> Planned {
    let mut limits = Vec::new();
    let mut hints = Vec::new();
    let mut tools = Vec::new();
    if wants_tools(settings, subject) {
        for tool in TOOLS.iter().filter(|tool| !settings.disabled.contains(&tool.name)) {
            if let Some(reason) = reason(settings, subject, tool) {
                tools.push(planned(settings, tool, reason, &mut limits));
            }
        }
        // The old policy had a fixed set.
        if settings.enforcement != EnforcementSource::Legacy && subject.has_terms {
            let allowed =
                settings.own_tools.iter().filter(|own| own.tier <= settings.tier_max.value);
            tools.extend(allowed.map(own_tool));
        }
        let wants_tier_2 = subject.intent.needs.iter().any(|need| need.tier_2_tool().is_some());
        if wants_tier_2 && settings.tier_max.value < 2 {
            limits.push(Limit::Tier2Disabled);
        }
        if subject.intent.needs.contains(&Need::Scan) {
            hints.push("tier 3, by hand only: a dependency and vulnerability scan".to_owned());
        }
    }
    let plan = ToolPlan {
        tier_max: settings.tier_max.value,
        planned_codex_command: Some(settings.session_mode.value.command().to_owned()),
        budget: settings.budget(),
        tools,
    };
    Planned { plan, limits, hints }
}

fn wants_tools(settings: &Settings, subject: &Subject<'_>) -> bool {
    match settings.switch.value {
        Switch::Off => false,
        Switch::On => !subject.is_for_the_client,
        Switch::Auto => subject.intent.is_code && !subject.is_for_the_client,
    }
}

/// Why a tool belongs to this prompt; nothing if it does not.
fn reason(settings: &Settings, subject: &Subject<'_>, tool: &Tool) -> Option<&'static str> {
    if tool.tier > settings.tier_max.value {
        return None;
    }
    let needs = &subject.intent.needs;
    match tool.name {
        "ci_index_status" => Some("what the answers are drawn from"),
        "ci_search" => subject.has_terms.then_some("where the words of the prompt are in the code"),
        // The old policy had no graph and nothing above tier 1.
        _ if settings.enforcement == EnforcementSource::Legacy => None,
        "ci_graph_rag" => {
            let structural = needs.iter().any(|need| *need != Need::Scan);
            (subject.has_terms && structural)
                .then_some("how the code around the matches hangs together")
        }
        name => needs.iter().find(|need| need.tier_2_tool() == Some(name)).map(|need| match need {
            Need::Locate => "the prompt describes a failure",
            Need::CallChain => "the prompt asks who calls what",
            Need::Impact => "the prompt asks what a change touches",
            Need::Complexity => "the prompt asks how complex the code is",
            Need::Hotspot | Need::Structure | Need::Scan => {
                "the prompt asks where the code changes most"
            }
        }),
    }
}

/// A tool of the repository's own: it gets the prompt, and no arguments.
fn own_tool(own: &OwnTool) -> PlannedTool {
    let reason = own.reason.as_deref().map(safe).filter(|reason| !reason.is_empty());
    let shortened = |reason: String| reason.chars().take(REASON_CHARS).collect();
    PlannedTool {
        tool: own.name.clone(),
        tier: own.tier,
        reason: reason.map_or_else(|| OWN_REASON.to_owned(), shortened),
        args: Map::new(),
        timeout_ms: own.timeout_ms,
    }
}

fn planned(settings: &Settings, tool: &Tool, reason: &str, limits: &mut Vec<Limit>) -> PlannedTool {
    let mut wanted = Map::new();
    for argument in tool.arguments {
        if let Argument::Number { key, default, .. } = *argument {
            let value = settings.arguments.get(&(tool.name, key)).copied().unwrap_or(default);
            wanted.insert(key.to_owned(), Value::from(value));
        }
    }
    // Every value is a number above zero here, so that only clamping can happen.
    let (args, clamped) = policy::clamp(tool, &wanted).unwrap_or_default();
    limits.extend(clamped);
    PlannedTool {
        tool: tool.name.to_owned(),
        tier: tool.tier,
        reason: reason.to_owned(),
        args,
        timeout_ms: settings.timeouts.get(tool.name).copied().unwrap_or(tool.timeout_ms),
    }
}

#[cfg(test)]
mod tests;
