//! Claude Code: a launcher in its `hooks` folder, a hook in `settings.json`, our server where it keeps servers.

use crate::command::{LAUNCHER, launcher, quoted};
use crate::hooks_json::{self, Hook};
use crate::{Setup, Target, servers};

/// Our own deadline is far below; without a number Claude Code waits half a minute.
const TIMEOUT_SECONDS: u32 = 15;
/// A user's hooks may take their time; each has a limit of its own.
const TOOL_TIMEOUT_SECONDS: u32 = 60;

/// What is changed for Claude Code.
#[must_use]
pub fn claude_code(setup: &Setup) -> Vec<Target> {
    let launcher_path = setup.folder.join("hooks").join(LAUNCHER);
    let hooks = hooks(setup, &quoted(&launcher_path));
    let script = launcher(&setup.programs);
    let mut targets = vec![
        Target {
            path: launcher_path,
            put: Box::new(move |_| Ok(Some(script.clone()))),
            take: Box::new(|_| Ok(None)),
            is_whole: true,
        },
        Target {
            path: setup.folder.join("settings.json"),
            put: Box::new(move |text| hooks_json::put(text, &hooks).map(Some)),
            take: Box::new(|text| text.map(hooks_json::take).transpose()),
            is_whole: false,
        },
    ];
    if let Some(path) = &setup.servers {
        let programs = setup.programs.clone();
        targets.push(Target {
            path: path.clone(),
            put: Box::new(move |text| servers::put_json(text, &programs).map(Some)),
            take: Box::new(|text| text.map(servers::take_json).transpose()),
            is_whole: false,
        });
    }
    targets
}

fn hooks(setup: &Setup, command: &str) -> Vec<Hook> {
    let hook =
        |event, timeout_seconds| Hook { event, command: command.to_owned(), timeout_seconds };
    let mut hooks = vec![hook("UserPromptSubmit", TIMEOUT_SECONDS)];
    if setup.with_tool_hooks {
        let events = ["PreToolUse", "PostToolUse", "PostToolUseFailure"];
        hooks.extend(events.map(|event| hook(event, TOOL_TIMEOUT_SECONDS)));
    }
    hooks
}
