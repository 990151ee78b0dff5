//! Tools that a repository adds by configuration: a program, a tier, a time-out (A7). Never more than the user trusted.

use crate::asks::Asks;
use crate::catalogue::MAX_MS;
use crate::file::{ConfigFile, ToolSection};
use crate::settings::Range;

/// A plan with more would be nobody's plan.
const MAX_TOOLS: usize = 8;
const MAX_NAME: usize = 48;
const USUAL_MS: u64 = 2000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnTool {
    pub name: String,
    pub tier: u8,
    pub timeout_ms: u64,
    /// What it answers; the repository's words.
    pub reason: Option<String>,
    /// The program and its arguments.
    pub command: Vec<String>,
}

/// The tools that may be called, in the order of their names.
pub(crate) fn defined_in(file: &ConfigFile, asks: &mut Asks) -> Vec<OwnTool> {
    let sections = file.tools.iter().filter(|(name, _)| crate::tool(name).is_none());
    let mut tools = Vec::new();
    for (name, section) in sections.filter(|(_, section)| section.enabled != Some(false)) {
        if tools.len() == MAX_TOOLS {
            asks.never(&format!("tools.{name}"), &format!("is one tool more than {MAX_TOOLS}"));
            break;
        }
        tools.extend(defined(name, section, asks));
    }
    tools
}

fn defined(name: &str, section: &ToolSection, asks: &mut Asks) -> Option<OwnTool> {
    let key = format!("tools.{name}");
    let Some(command) = &section.command else {
        asks.never(&key, "is not a tool of the allow-list and has no command");
        return None;
    };
    if !is_name(name) {
        asks.never(&key, "is not a name for a tool: small letters, digits and _, not ci_…");
        return None;
    }
    let tier = match section.tier {
        None => 1,
        Some(tier @ 0..=2) => tier as u8,
        Some(_) => {
            asks.never(&key, "is of a tier that is never called automatically");
            return None;
        }
    };
    if !asks.program(&format!("{key}.command"), &command.0) {
        return None;
    }
    let range = Range { usual: USUAL_MS, most: MAX_MS };
    let timeout_ms = section
        .timeout_ms
        .map_or(USUAL_MS, |wanted| asks.number(&format!("{key}.timeout_ms"), wanted.max(1), range));
    let reason = section.reason.clone();
    Some(OwnTool { name: name.to_owned(), tier, timeout_ms, reason, command: command.0.clone() })
}

/// A name like ours would be taken for one of ours.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.len() <= MAX_NAME
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(is_plain)
        && !name.starts_with("ci_")
}
