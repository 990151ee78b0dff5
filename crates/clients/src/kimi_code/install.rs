//! Adds the hooks to Kimi Code's `config.toml` and checks them. If `[[hooks]]` contains an unknown key, Kimi Code does not
//! load the file.

use std::path::Path;

use toml_edit::{ArrayOfTables, Item, Table, value};

use super::NAMES;
use crate::settings::hooks_json::{self, Events, Hook, PROMPT_EVENT};
use crate::settings::launcher::{hook_command, is_ours};
use crate::settings::{Problem, Setup, Target, text_or_empty, toml};
use crate::{Check, health};

const KEY: &str = "hooks";

pub(super) fn target(setup: &Setup) -> Target {
    let command = hook_command(&setup.programs, &NAMES);
    let hooks = hooks_json::hooks(&command, Events::COMMON, setup.with_tool_hooks);
    let path = setup.folder.join("config.toml");
    Target::entries(path, move |text| put(text.unwrap_or_default(), &hooks), take)
}

fn put(text: &str, hooks: &[Hook]) -> Result<String, Problem> {
    let mut document = toml::parse(&take(text)?)?;
    let list = document.entry(KEY).or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let list = list
        .as_array_of_tables_mut()
        .ok_or_else(|| Problem::shape(KEY, "a list of `[[hooks]]` tables"))?;
    for hook in hooks {
        let mut table = Table::new();
        table["event"] = value(hook.event);
        table["command"] = value(&hook.command);
        table["timeout"] = value(i64::from(hook.timeout));
        list.push(table);
    }
    Ok(document.to_string())
}

fn take(text: &str) -> Result<String, Problem> {
    let mut document = toml::parse(text)?;
    let Some(list) = document.get_mut(KEY) else { return Ok(text.to_owned()) };
    let list = list
        .as_array_of_tables_mut()
        .ok_or_else(|| Problem::shape(KEY, "a list of `[[hooks]]` tables"))?;
    list.retain(|table| !command(table).is_some_and(is_ours));
    if list.is_empty() {
        document.remove(KEY);
    }
    Ok(document.to_string())
}

fn command(table: &Table) -> Option<&str> {
    table.get("command").and_then(Item::as_str)
}

pub(super) fn check_hook(file: &Path) -> Check {
    let name = &format!("{} hook", NAMES.title);
    let install = format!("adjutant install {}", NAMES.word);
    let document = match toml::parse(&text_or_empty(file)) {
        Ok(document) => document,
        Err(problem) => {
            return Check::bad(name, format!("{}: {problem}", file.display()), "repair the file");
        }
    };
    let list = document.get(KEY).and_then(Item::as_array_of_tables);
    let is_prompt =
        |table: &&Table| table.get("event").and_then(Item::as_str) == Some(PROMPT_EVENT);
    let mut commands =
        list.into_iter().flatten().filter(is_prompt).filter_map(command).filter(|it| is_ours(it));
    match commands.next() {
        None => Check::lacking(name, format!("not in {}", file.display()), install),
        Some(command) => health::program(name, command, &install)
            .unwrap_or_else(|| Check::good(name, format!("in {}", file.display()))),
    }
}
