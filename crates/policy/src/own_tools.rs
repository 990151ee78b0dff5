//! Reads the tools that a repository defines in its configuration: programs with a tier and a timeout (requirement
//! A7).

use crate::asks::Asks;
use crate::catalogue::MAX_MS;
use crate::file::{ConfigFile, ToolSection};
use crate::settings::Range;

const MAX_TOOLS: usize = 8;
const MAX_NAME_BYTES: usize = 48;
const DEFAULT_TIMEOUT_MS: u64 = 2000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnTool {
    pub name: String,
    pub tier: u8,
    pub timeout_ms: u64,
    /// The purpose of the tool, as stated in the repository's configuration. Shown in the plan.
    pub reason: Option<String>,
    /// The program and its arguments.
    pub command: Vec<String>,
}

/// Returns the enabled tools that the configuration defines and that the user has trusted, sorted by name.
pub(crate) fn defined_in(file: &ConfigFile, asks: &mut Asks) -> Vec<OwnTool> {
    let sections = file.tools.iter().filter(|(name, _)| crate::tool(name).is_none());
    let mut tools = Vec::new();
    for (name, section) in sections.filter(|(_, section)| section.enabled != Some(false)) {
        if tools.len() == MAX_TOOLS {
            asks.refuse(
                &format!("tools.{name}"),
                &format!("is ignored: at most {MAX_TOOLS} tools can be defined"),
            );
            break;
        }
        tools.extend(defined(name, section, asks));
    }
    tools
}

fn defined(name: &str, section: &ToolSection, asks: &mut Asks) -> Option<OwnTool> {
    let key = format!("tools.{name}");
    let Some(command) = &section.command else {
        asks.refuse(&key, "is not on the allow-list and has no command");
        return None;
    };
    if !is_name(name) {
        asks.refuse(
            &key,
            "is not a tool name: use lower-case letters, digits and _, and do not begin with ci_",
        );
        return None;
    }
    let tier = match section.tier {
        None => 1,
        Some(tier @ 0..=2) => tier as u8,
        Some(_) => {
            asks.refuse(&key, "has a tier that is never called automatically");
            return None;
        }
    };
    if !asks.program(&format!("{key}.command"), &command.0) {
        return None;
    }
    let range = Range { default: DEFAULT_TIMEOUT_MS, max: MAX_MS };
    let timeout_ms = section.timeout_ms.map_or(DEFAULT_TIMEOUT_MS, |wanted| {
        asks.number(&format!("{key}.timeout_ms"), wanted.max(1), range)
    });
    let reason = section.reason.clone();
    Some(OwnTool { name: name.to_owned(), tier, timeout_ms, reason, command: command.0.clone() })
}

/// Returns true if `name` is a valid tool name. The prefix `ci_` is reserved for built-in tools.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.len() <= MAX_NAME_BYTES
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(is_plain)
        && !name.starts_with("ci_")
}
