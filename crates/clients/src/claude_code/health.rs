//! Checks whether Claude Code runs the prompt hook.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{ClaudeCode, EVENTS};
use crate::plugin::{self, PluginState};
use crate::settings::launcher::LAUNCHER;
use crate::settings::{Locations, SettingsProblem, hooks_json, json, text_or_empty};
use crate::{Check, Client};

const NAME: &str = "Claude Code hook";

/// Checks the user's settings, the settings of the repository `top`, and the plugin. Each settings file can contain the hook
/// and can disable all hooks.
pub(super) fn check_hook(locations: &Locations, top: Option<&Path>) -> Check {
    let own = locations.folder.join("settings.json");
    let names = ["settings.json", "settings.local.json"];
    let of_repository = top.map(|top| names.map(|name| top.join(".claude").join(name)));
    let files: Vec<PathBuf> =
        std::iter::once(own.clone()).chain(of_repository.into_iter().flatten()).collect();
    let find = |test: fn(&str) -> bool| files.iter().find(|file| test(&text_or_empty(file)));
    let plugin = plugin_state(&text_or_empty(&own)).unwrap_or(PluginState::Absent);
    match (find(has_prompt_hook), plugin, find(are_hooks_disabled)) {
        (Some(_), _, Some(file)) | (_, PluginState::Active, Some(file)) => Check::bad(
            NAME,
            format!("`disableAllHooks` is true in {}", file.display()),
            "remove `disableAllHooks` from the file",
        ),
        (Some(file), _, None) => {
            check_file(file, if *file == own { "" } else { " --scope project" })
        }
        (None, PluginState::Active, None) => Check::good(NAME, "in the plugin `adjutant`"),
        (None, PluginState::Disabled, _) => Check::lacking(
            NAME,
            "the plugin `adjutant` is switched off",
            "`/plugin` in Claude Code, or adjutant install claude-code",
        ),
        (None, PluginState::Absent | PluginState::Untrusted, _) => Check::lacking(
            NAME,
            format!("not in {}", own.display()),
            "adjutant install claude-code",
        ),
    }
}

/// Checks a settings file that contains the hook. The client must be able to load the file, and the launcher must be
/// executable.
fn check_file(file: &Path, scope: &str) -> Check {
    let text = text_or_empty(file);
    if let Err(problem) = ClaudeCode.check_loads(&text) {
        let text = format!("Claude Code ignores `{}`: {problem}", file.display());
        return Check::bad(NAME, text, "remove it from the file");
    }
    let launcher = file.with_file_name("hooks").join(LAUNCHER);
    if text.contains(LAUNCHER) && !is_executable(&launcher) {
        let text =
            format!("{} is missing or not executable; the hook does nothing", launcher.display());
        return Check::bad(NAME, text, format!("adjutant install claude-code{scope}"));
    }
    Check::good(NAME, format!("in {}", file.display()))
}

fn has_prompt_hook(settings: &str) -> bool {
    hooks_json::position(settings, EVENTS.prompt).is_some()
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o100 != 0)
}

fn are_hooks_disabled(settings: &str) -> bool {
    json::value(settings).is_ok_and(|settings| settings["disableAllHooks"] == true)
}

/// Returns the state of the plugin according to `settings`, the content of `settings.json`.
pub fn plugin_state(settings: &str) -> Result<PluginState, SettingsProblem> {
    let settings = json::value(settings)?;
    let plugins = settings["enabledPlugins"].as_object().into_iter().flatten();
    let states = plugins.filter(|(id, _)| plugin::is_ours(id)).map(|(_, switch)| {
        if *switch == true { PluginState::Active } else { PluginState::Disabled }
    });
    Ok(states.max().unwrap_or(PluginState::Absent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a60_the_settings_show_whether_the_plugin_is_on() {
        let check = |settings: &str, state| assert_eq!(plugin_state(settings).unwrap(), state);
        check("", PluginState::Absent);
        check(r#"{"enabledPlugins": {"other@adjutant": true}}"#, PluginState::Absent);
        check(r#"{"enabledPlugins": {"adjutant@adjutant": true}}"#, PluginState::Active);
        check(r#"{"enabledPlugins": {"adjutant@adjutant": false}}"#, PluginState::Disabled);
        check(
            r#"{"enabledPlugins": {"adjutant@a": false, "adjutant@b": true}} // two"#,
            PluginState::Active,
        );
        plugin_state("{").unwrap_err();
    }
}
