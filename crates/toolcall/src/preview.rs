//! Lists the hooks that a call would run, without running them.

use std::path::{Path, PathBuf};

use contract::ToolMoment;
use policy::Trust;

use crate::arguments::within_limits;
use crate::call::{Caller, ToolCall};
use crate::hooks::{Found, HookDialect, HookEvent, HookKind, Scope};

/// An action of a rule that matches a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookPreview {
    pub kind: HookKind,
    pub path: PathBuf,
    /// The rule's number in its file, starting at 1.
    pub rule: usize,
    pub scope: Scope,
    pub dialect: HookDialect,
    pub matcher: String,
    pub command: String,
    pub fires: Fires,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fires {
    Yes,
    /// The action's `enabled` field is not `true`.
    Off,
    Untrusted,
    /// The file changed after the user trusted it.
    Changed,
}

impl Fires {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "fires",
            Self::Off => "off",
            Self::Untrusted => "untrusted",
            Self::Changed => "changed",
        }
    }
}

/// Lists the actions that match a call, in the order in which they would run. An unreadable file contributes no
/// actions; its [`Found`] value contains the reason.
#[must_use]
pub fn preview(found: &[Found], repository: &Path, call: &ToolCall) -> Vec<HookPreview> {
    let arguments = match within_limits(&call.tool, call.arguments.clone()) {
        Ok((arguments, _)) if policy::tool(&call.tool).is_some() => arguments,
        Ok(_) | Err(_) => call.arguments.clone(),
    };
    let event = HookEvent {
        tool: &call.tool,
        identity: &call.identity,
        caller: &Caller::Command,
        cwd: repository.to_string_lossy().into_owned(),
        arguments,
        result: None,
    };
    let mut previews = Vec::new();
    for moment in [ToolMoment::Before, ToolMoment::After] {
        let input = event.input(moment);
        for found in found.iter().filter(|found| found.kind == HookKind::of(moment)) {
            let Ok(file) = &found.file else { continue };
            for (index, rule) in file.rules.iter().enumerate() {
                if !rule.matcher.matches(&event.names(), &input) {
                    continue;
                }
                previews.extend(rule.actions.iter().map(|action| HookPreview {
                    kind: found.kind,
                    path: found.path.clone(),
                    rule: index + 1,
                    scope: found.scope,
                    dialect: file.dialect,
                    matcher: rule.matcher.text().to_owned(),
                    command: action.run.text(),
                    fires: fires(action.enabled, found.trust),
                }));
            }
        }
    }
    previews
}

fn fires(enabled: bool, trust: Trust) -> Fires {
    match (enabled, trust) {
        (false, _) => Fires::Off,
        (true, Trust::Trusted) => Fires::Yes,
        (true, Trust::Changed) => Fires::Changed,
        (true, Trust::Never) => Fires::Untrusted,
    }
}
