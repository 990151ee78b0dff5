//! Codex: a hook in `hooks.json`; in `config.toml` its trust, if the user gives it, and our server.

use std::path::PathBuf;

use crate::command::quoted;
use crate::hooks_json::{self, Hook};
use crate::write::read;
use crate::{Setup, Target, servers, trust};

pub(crate) const TOOL_EVENTS: &[&str] = &["PreToolUse", "PostToolUse"];

/// What is changed for Codex.
#[must_use]
pub fn codex(setup: &Setup) -> Vec<Target> {
    let file = setup.folder.join("hooks.json");
    let command = format!("{} --client codex", quoted(&setup.programs.join("adjutant-hook")));
    let tool_events = if setup.with_tool_hooks { TOOL_EVENTS } else { &[] };
    let hooks = hooks_json::hooks(&command, tool_events);
    let put_hooks = hooks.clone();
    let mut targets = vec![Target {
        path: file.clone(),
        put: Box::new(move |text| hooks_json::put(text, &put_hooks).map(Some)),
        take: Box::new(|text| text.map(hooks_json::take).transpose()),
        is_whole: false,
    }];
    if setup.with_trust || setup.servers.is_some() {
        targets.push(configuration(setup, file, hooks));
    }
    targets
}

fn configuration(setup: &Setup, file: PathBuf, hooks: Vec<Hook>) -> Target {
    let programs = setup.programs.clone();
    let (with_trust, with_server) = (setup.with_trust, setup.servers.is_some());
    let taken_file = file.clone();
    Target {
        path: setup.folder.join("config.toml"),
        put: Box::new(move |text| {
            let mut text = text.unwrap_or_default().to_owned();
            if with_trust {
                // The trust names the place of the hook, so it is computed from the hooks as they are going to be.
                let installed = hooks_json::put(read(&file)?.as_deref(), &hooks)?;
                text = trust::put(&text, &file, &installed, &hooks)?;
            }
            if with_server {
                text = servers::put_toml(&text, &programs)?;
            }
            Ok(Some(text))
        }),
        take: Box::new(move |text| {
            let Some(text) = text else { return Ok(None) };
            let installed = read(&taken_file)?.unwrap_or_default();
            let text = trust::take(text, &taken_file, &installed)?;
            servers::take_toml(&text).map(Some)
        }),
        is_whole: false,
    }
}
