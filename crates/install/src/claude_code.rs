//! Claude Code: a launcher in its `hooks` folder, a hook in `settings.json`, our server where it keeps servers.

use crate::command::{LAUNCHER, launcher, quoted};
use crate::hooks_json;
use crate::{Setup, Target, servers};

/// A call that failed is told at an event of its own.
pub(crate) const TOOL_EVENTS: &[&str] = &["PreToolUse", "PostToolUse", "PostToolUseFailure"];

/// What is changed for Claude Code.
#[must_use]
pub fn claude_code(setup: &Setup) -> Vec<Target> {
    let launcher_path = setup.folder.join("hooks").join(LAUNCHER);
    let tool_events = if setup.with_tool_hooks { TOOL_EVENTS } else { &[] };
    let hooks = hooks_json::hooks(&quoted(&launcher_path), tool_events);
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
