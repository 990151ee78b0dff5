//! The `hooks` object that both clients have: events, groups with a matcher, handlers.

use jsonc_parser::cst::{CstInputValue, CstObject};

use crate::command::is_ours;
use crate::json::{array_in, drop_if_empty, edit, object_in, parse, text_of};
use crate::problem::Problem;

/// One command at one event.
#[derive(Clone, Debug)]
pub(crate) struct Hook {
    pub(crate) event: &'static str,
    pub(crate) command: String,
    pub(crate) timeout_seconds: u32,
}

/// Our own deadline is far below; without a number Claude Code waits half a minute and Codex ten.
const TIMEOUT_SECONDS: u32 = 15;
/// A user's hooks may take their time; `adjutant-hook` answers a few seconds before this.
const TOOL_TIMEOUT_SECONDS: u32 = 60;

/// The command on every prompt, and at these events of tool calls.
pub(crate) fn hooks(command: &str, tool_events: &[&'static str]) -> Vec<Hook> {
    let hook =
        |event, timeout_seconds| Hook { event, command: command.to_owned(), timeout_seconds };
    let of_tools = tool_events.iter().map(|event| hook(event, TOOL_TIMEOUT_SECONDS));
    [hook("UserPromptSubmit", TIMEOUT_SECONDS)].into_iter().chain(of_tools).collect()
}

/// Our hooks in, whatever else is there; those of an earlier install are replaced.
pub(crate) fn put(text: Option<&str>, hooks: &[Hook]) -> Result<String, Problem> {
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

/// A group without a matcher is asked about everything.
fn group(hook: &Hook) -> CstInputValue {
    let text = |text: &str| CstInputValue::String(text.to_owned());
    let handler = CstInputValue::Object(vec![
        ("type".to_owned(), text("command")),
        ("command".to_owned(), text(&hook.command)),
        ("timeout".to_owned(), CstInputValue::Number(hook.timeout_seconds.to_string())),
    ]);
    CstInputValue::Object(vec![("hooks".to_owned(), CstInputValue::Array(vec![handler]))])
}

/// Our hooks out, and what was only there for them.
pub(crate) fn take(text: &str) -> Result<String, Problem> {
    edit(Some(text), |object| {
        if let Some(events) = object.object_value("hooks") {
            remove_ours(&events)?;
            drop_if_empty(object, "hooks");
        }
        Ok(())
    })
}

/// Where our handler stands: group and handler, counted from 0.
pub(crate) fn place(text: &str, event: &str) -> Option<(usize, usize)> {
    let (_, object) = parse(Some(text)).ok()?;
    let groups = object.object_value("hooks")?.array_value(event)?;
    groups.elements().iter().enumerate().find_map(|(group, node)| {
        let handlers = node.as_object()?.array_value("hooks")?;
        let is_ours_at = |node: &jsonc_parser::cst::CstNode| {
            node.as_object()
                .and_then(|handler| text_of(&handler, "command"))
                .is_some_and(|it| is_ours(&it))
        };
        handlers.elements().iter().position(is_ours_at).map(|handler| (group, handler))
    })
}

fn remove_ours(events: &CstObject) -> Result<(), Problem> {
    for event in events.properties() {
        let name = event.decoded_name().unwrap_or_default();
        let groups = event.array_value().ok_or_else(|| Problem::shape(&name, "an array"))?;
        let mut has_changed = false;
        for group in groups.elements() {
            let Some(handlers) = group.as_object().and_then(|group| group.array_value("hooks"))
            else {
                continue;
            };
            let ours: Vec<_> = handlers
                .elements()
                .into_iter()
                .filter(|handler| {
                    let command = handler.as_object().and_then(|it| text_of(&it, "command"));
                    command.is_some_and(|command| is_ours(&command))
                })
                .collect();
            has_changed |= !ours.is_empty();
            let is_all_ours = !ours.is_empty() && ours.len() == handlers.elements().len();
            if is_all_ours {
                group.remove();
            } else {
                ours.into_iter().for_each(jsonc_parser::cst::CstNode::remove);
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
