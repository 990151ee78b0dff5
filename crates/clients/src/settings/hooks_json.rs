//! Edits the `hooks` object in the settings of a client. Claude Code, Codex, Gemini CLI, Qwen Code and Copilot CLI use the
//! same format: the object maps each event to a list of groups, and a group has an optional matcher and a list of handlers.

use std::path::PathBuf;

use jsonc_parser::cst::{CstInputValue, CstNode, CstObject};

use super::json::{array_in, drop_if_empty, edit, object_in, parse, text_of, value};
use super::launcher::{hook_command, is_ours};
use super::{Locations, SettingsProblem, Setup, Target, servers};
use crate::Names;

/// The name of the event that Claude Code and most other clients send for a prompt.
pub(crate) const PROMPT_EVENT: &str = "UserPromptSubmit";

/// The events of a client, and the unit of timeouts in the client's settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Events {
    pub(crate) prompt: &'static str,
    /// The events of tool calls. The first one is the event before a call.
    pub(crate) tools: &'static [&'static str],
    /// The names of the tools that start a sub-agent, separated by `|`, if the client does not call the prompt hook for the
    /// prompts of sub-agents.
    pub(crate) sub_agents: Option<&'static str>,
    pub(crate) timeout_units_per_second: u32,
}

impl Events {
    /// The events of most clients.
    pub(crate) const COMMON: Self = Self {
        prompt: PROMPT_EVENT,
        tools: &["PreToolUse", "PostToolUse", "PostToolUseFailure"],
        sub_agents: None,
        timeout_units_per_second: 1,
    };
}

/// A command that the client runs for one event.
#[derive(Clone, Debug)]
pub(crate) struct Hook {
    pub(crate) event: &'static str,
    /// The names of the tools for whose calls the client runs the command, separated by `|`. `None` for all tools, and for an
    /// event that is not about a tool.
    pub(crate) matcher: Option<&'static str>,
    pub(crate) command: String,
    /// The timeout, in the unit that the client uses.
    pub(crate) timeout: u32,
}

/// Timeout of the prompt hook. It exceeds the time that `adjutant-hook` waits with the default budget. The default hook
/// timeout is 30 seconds in Claude Code and 10 minutes in Codex.
pub(crate) const PROMPT_TIMEOUT_SECONDS: u32 = 15;
/// Timeout of the tool hooks, which includes the time for the user's hooks. `adjutant-hook` prints its output within 55
/// seconds.
pub(crate) const TOOL_TIMEOUT_SECONDS: u32 = 60;

/// The flag of `adjutant-hook` for a hook that only briefs the tasks of sub-agents and does not run the user's hooks.
pub(crate) const SUB_AGENTS_FLAG: &str = "--sub-agents";

/// Returns hooks that run `command` for every prompt and, if `with_tools` is set, for every tool event. Without the tool
/// events, a hook of its own briefs the tasks of sub-agents.
pub(crate) fn hooks(command: &str, events: Events, with_tools: bool) -> Vec<Hook> {
    let hook = |event, seconds| Hook {
        event,
        matcher: None,
        command: command.to_owned(),
        timeout: seconds * events.timeout_units_per_second,
    };
    let mut hooks = vec![hook(events.prompt, PROMPT_TIMEOUT_SECONDS)];
    if with_tools {
        hooks.extend(events.tools.iter().map(|event| hook(event, TOOL_TIMEOUT_SECONDS)));
    } else if events.sub_agents.is_some() {
        let command = format!("{command} {SUB_AGENTS_FLAG}");
        let briefs = hook(events.tools[0], PROMPT_TIMEOUT_SECONDS);
        hooks.push(Hook { matcher: events.sub_agents, command, ..briefs });
    }
    hooks
}

/// Returns the installation target for a file with a `hooks` object.
pub(crate) fn target(path: PathBuf, hooks: Vec<Hook>) -> Target {
    Target::entries(path, move |text| put(text, &hooks), take)
}

/// Returns the installation target of a client that keeps its hooks and its MCP servers in one `settings.json` (Gemini CLI,
/// Qwen Code).
pub(crate) fn settings_target(setup: &Setup, names: &Names, events: Events) -> Target {
    let command = hook_command(&setup.programs, names);
    let hooks = hooks(&command, events, setup.with_tool_hooks);
    let target = target(setup.folder.join("settings.json"), hooks);
    match servers::target(setup) {
        Some(server) => target.with_entries_of(server),
        None => target,
    }
}

/// Returns the user's settings file and, if `project` is given, the settings file in that folder of the repository.
pub(crate) fn settings_files(locations: &Locations, project: Option<PathBuf>) -> Vec<PathBuf> {
    let folders = std::iter::once(locations.folder.clone()).chain(project);
    folders.map(|folder| folder.join("settings.json")).collect()
}

/// Adds `hooks` to the content of a settings file and removes the hooks of an earlier installation. Returns the new
/// content.
pub(crate) fn put(text: Option<&str>, hooks: &[Hook]) -> Result<String, SettingsProblem> {
    edit(text, |object| {
        let events = object_in(object, "hooks")?;
        remove_ours(&events)?;
        for hook in hooks {
            let groups = array_in(&events, hook.event)?;
            groups.append(group(hook));
            groups.ensure_multiline();
        }
        Ok(())
    })
}

/// Builds a group with one handler. If the group has no matcher, the client runs it for every tool.
fn group(hook: &Hook) -> CstInputValue {
    let text = |text: &str| CstInputValue::String(text.to_owned());
    let handler = CstInputValue::Object(vec![
        ("type".to_owned(), text("command")),
        ("command".to_owned(), text(&hook.command)),
        ("timeout".to_owned(), CstInputValue::Number(hook.timeout.to_string())),
    ]);
    let matcher = hook.matcher.map(|tools| ("matcher".to_owned(), text(tools)));
    let handlers = ("hooks".to_owned(), CstInputValue::Array(vec![handler]));
    CstInputValue::Object(matcher.into_iter().chain([handlers]).collect())
}

/// Removes Adjutant's hooks from the content of a settings file, and also the objects and arrays that are empty
/// afterwards. Returns the new content.
pub(crate) fn take(text: &str) -> Result<String, SettingsProblem> {
    edit(Some(text), |object| {
        if let Some(events) = object.object_value("hooks") {
            remove_ours(&events)?;
            drop_if_empty(object, "hooks");
        }
        Ok(())
    })
}

/// Returns the position of Adjutant's handler for an event: the index of its group, and its index in the group. Returns
/// `None` if there is no such handler.
pub(crate) fn position(text: &str, event: &str) -> Option<(usize, usize)> {
    let (_, object) = parse(Some(text)).ok()?;
    let groups = object.object_value("hooks")?.array_value(event)?;
    groups.elements().iter().enumerate().find_map(|(group, node)| {
        let handlers = node.as_object()?.array_value("hooks")?;
        handlers.elements().iter().position(is_our_handler).map(|handler| (group, handler))
    })
}

/// Returns the command that Adjutant installed for an event.
pub(crate) fn command(text: &str, event: &str) -> Option<String> {
    let (group, handler) = position(text, event)?;
    let settings = value(text).ok()?;
    settings["hooks"][event][group]["hooks"][handler]["command"].as_str().map(str::to_owned)
}

fn is_our_handler(node: &CstNode) -> bool {
    let command = node.as_object().and_then(|handler| text_of(&handler, "command"));
    command.is_some_and(|command| is_ours(&command))
}

fn remove_ours(events: &CstObject) -> Result<(), SettingsProblem> {
    for event in events.properties() {
        let name = event.decoded_name().unwrap_or_default();
        let groups =
            event.array_value().ok_or_else(|| SettingsProblem::shape(&name, "an array"))?;
        let mut has_changed = false;
        for group in groups.elements() {
            let Some(handlers) = group.as_object().and_then(|group| group.array_value("hooks"))
            else {
                continue;
            };
            let ours: Vec<_> = handlers.elements().into_iter().filter(is_our_handler).collect();
            has_changed |= !ours.is_empty();
            let is_all_ours = !ours.is_empty() && ours.len() == handlers.elements().len();
            if is_all_ours {
                group.remove();
            } else {
                ours.into_iter().for_each(CstNode::remove);
            }
        }
        if has_changed {
            drop_if_empty(events, &name);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
