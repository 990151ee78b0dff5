//! Codex: a hook in `hooks.json`; in `config.toml` our server, and in the user's own the trust, if the user gives it.

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
    let own = setup.folder.join("config.toml");
    let (is_trusted_here, has_server) =
        (setup.trust.as_ref() == Some(&own), setup.servers.is_some());
    if is_trusted_here || has_server {
        let programs = has_server.then(|| setup.programs.clone());
        let trusted = is_trusted_here.then(|| (file.clone(), hooks.clone()));
        targets.push(configuration(own, programs, trusted));
    }
    if let Some(path) = setup.trust.as_ref().filter(|_| !is_trusted_here) {
        targets.push(configuration(path.clone(), None, Some((file, hooks))));
    }
    targets
}

/// Our server, if its programs are given, and the trust of the hooks in a file.
fn configuration(
    path: PathBuf,
    programs: Option<PathBuf>,
    trusted: Option<(PathBuf, Vec<Hook>)>,
) -> Target {
    let (has_server, taken_file) =
        (programs.is_some(), trusted.as_ref().map(|(file, _)| file.clone()));
    Target {
        path,
        put: Box::new(move |text| {
            let mut text = text.unwrap_or_default().to_owned();
            if let Some((file, hooks)) = &trusted {
                // The trust names the place of the hook, so it is computed from the hooks as they are going to be.
                let installed = hooks_json::put(read(file)?.as_deref(), hooks)?;
                text = trust::put(&text, file, &installed, hooks)?;
            }
            if let Some(programs) = &programs {
                text = servers::put_toml(&text, programs)?;
            }
            Ok(Some(text))
        }),
        take: Box::new(move |text| {
            let Some(text) = text else { return Ok(None) };
            let mut text = text.to_owned();
            if let Some(file) = &taken_file {
                let installed = read(file)?.unwrap_or_default();
                text = trust::take(&text, file, &installed)?;
            }
            if has_server {
                text = servers::take_toml(&text)?;
            }
            Ok(Some(text))
        }),
        is_whole: false,
    }
}
