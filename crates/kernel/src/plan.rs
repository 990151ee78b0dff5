//! Chooses the tools for a prompt, with their reasons and arguments. All functions are pure: the same prompt and settings
//! give the same plan.

use contract::{Arguments, EnforcementSource, Limit, PlannedTool, ToolPlan};
use policy::{Argument, OwnTool, Settings, Switch, TOOLS, Tool, ToolId};

use crate::intent::{Intent, Need};
use crate::model_text::safe;

/// The reason that is used if the repository's configuration adds a tool without a reason.
const OWN_REASON: &str = "config/auto-tools.yaml adds it";
const MAX_REASON_CHARS: usize = 120;

/// A plan with its `[Limits]` messages and hints.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Planned {
    pub(crate) plan: ToolPlan,
    pub(crate) limits: Vec<Limit>,
    /// Tools that the user may run by hand.
    pub(crate) hints: Vec<String>,
}

/// The properties of a prompt that determine the plan.
pub(crate) struct Subject<'a> {
    pub(crate) intent: &'a Intent,
    /// Whether the prompt contains a word to search for.
    pub(crate) has_terms: bool,
    /// Whether the prompt is a command for the client or a notice from the client.
    pub(crate) is_for_the_client: bool,
}

pub(crate) fn plan(settings: &Settings, subject: &Subject<'_>) -> Planned {
    let mut limits = Vec::new();
    let mut hints = Vec::new();
    let mut tools = Vec::new();
    if wants_tools(settings, subject) {
        for tool in TOOLS.iter().filter(|tool| !settings.disabled.contains(&tool.name)) {
            if is_wanted(settings, subject, tool) {
                tools.push(planned(settings, tool, &mut limits));
            }
        }
        // The legacy policy has a fixed set of tools.
        if settings.enforcement != EnforcementSource::Legacy && subject.has_terms {
            let allowed =
                settings.own_tools.iter().filter(|own| own.tier <= settings.tier_max.value);
            tools.extend(allowed.map(own_tool));
        }
        let wants_tier_2 = subject.intent.needs.iter().any(|need| need.tool().is_some());
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

/// Returns whether a tool belongs to the plan for this prompt.
fn is_wanted(settings: &Settings, subject: &Subject<'_>, tool: &Tool) -> bool {
    let needs = &subject.intent.needs;
    if tool.tier > settings.tier_max.value {
        return false;
    }
    // The legacy policy has neither the graph nor tools of tier 2.
    let is_legacy = settings.enforcement == EnforcementSource::Legacy;
    let is_code = || subject.intent.is_code || needs.iter().any(|need| *need != Need::Scan);
    tool.id == ToolId::IndexStatus
        || tool.id == ToolId::Search && subject.has_terms
        || tool.id == ToolId::GraphRag && !is_legacy && subject.has_terms && is_code()
        || !is_legacy && needs.contains(&Need::Question(tool.id))
}

/// Plans a tool that the repository's configuration adds. The tool gets the prompt and no arguments.
fn own_tool(own: &OwnTool) -> PlannedTool {
    let reason = own.reason.as_deref().map(safe).filter(|reason| !reason.is_empty());
    let shortened = |reason: String| reason.chars().take(MAX_REASON_CHARS).collect();
    PlannedTool {
        tool: own.name.clone(),
        tier: own.tier,
        reason: reason.map_or_else(|| OWN_REASON.to_owned(), shortened),
        args: Arguments::default(),
        timeout_ms: own.timeout_ms,
    }
}

fn planned(settings: &Settings, tool: &Tool, limits: &mut Vec<Limit>) -> PlannedTool {
    let mut wanted = Arguments::default();
    for argument in tool.arguments {
        if let Argument::Number { key, default, .. } = *argument {
            let value = settings.arguments.get(&(tool.name, key)).copied().unwrap_or(default);
            wanted.insert(key, value);
        }
    }
    // All values are positive numbers, so `clamp` cannot fail.
    let (args, clamped) = policy::clamp(tool, &wanted).unwrap_or_default();
    limits.extend(clamped);
    PlannedTool {
        tool: tool.name.to_owned(),
        tier: tool.tier,
        reason: tool.reason.to_owned(),
        args,
        timeout_ms: settings.timeouts.get(tool.name).copied().unwrap_or(tool.timeout_ms),
    }
}

#[cfg(test)]
mod tests;
