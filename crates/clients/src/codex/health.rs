//! Checks whether Codex runs the prompt hook.

use std::path::Path;

use super::Codex;
use super::trust::{self, TrustState, trust_state};
use crate::plugin::{self, PluginState};
use crate::settings::{Locations, SettingsProblem, text_or_empty, toml};
use crate::{Check, Client};

const NAME: &str = "Codex hook";

/// Checks the user's `hooks.json`, then the `hooks.json` of the repository `top`, then the plugin.
pub(super) fn check_hook(locations: &Locations, top: Option<&Path>) -> Check {
    let own = locations.folder.join("hooks.json");
    let configuration_file = locations.folder.join("config.toml");
    let configuration = text_or_empty(&configuration_file);
    let are_off = are_hooks_off(&configuration);
    let off = || {
        let text = format!("hooks are switched off in {}", configuration_file.display());
        Check::bad(NAME, text, "codex features enable hooks")
    };
    let of_repository = top.map(|top| top.join(".codex/hooks.json"));
    let files = std::iter::once(own.clone()).chain(of_repository);
    for file in files.filter(|file| file.is_file()) {
        let repository = top.filter(|_| file != own);
        if let Some(check) = check_file(&file, &configuration, repository) {
            return if are_off { off() } else { check };
        }
    }
    match plugin_state(&configuration) {
        Ok(PluginState::Active) if are_off => off(),
        Ok(PluginState::Active) => Check::good(NAME, "in the plugin `adjutant`, trusted"),
        Ok(PluginState::Untrusted) => Check::bad(
            NAME,
            "the hook of the plugin `adjutant` is not trusted: Codex skips it without a message",
            "start `codex` and review the hook of the plugin `adjutant`",
        ),
        Ok(PluginState::Disabled) => Check::lacking(
            NAME,
            "the plugin `adjutant` is switched off",
            "`/plugins` in Codex, or adjutant install codex --trust",
        ),
        Ok(PluginState::Absent) | Err(_) => Check::lacking(
            NAME,
            format!("not in {}", own.display()),
            "adjutant install codex --trust",
        ),
    }
}

/// Checks a `hooks.json` file. Returns `None` if the file does not contain the prompt hook. `repository` is the repository
/// that contains the file, or `None` for the user's own file.
fn check_file(file: &Path, configuration: &str, repository: Option<&Path>) -> Option<Check> {
    let hooks = text_or_empty(file);
    let state = match trust_state(file, &hooks, configuration) {
        Ok(TrustState::Absent) => return None,
        Ok(state) => state,
        Err(problem) => {
            let text = format!("{}: {problem}", file.display());
            return Some(Check::bad(NAME, text, "repair the file"));
        }
    };
    if let Err(problem) = Codex.check_loads(&hooks) {
        let text = format!("Codex ignores `{}`: {problem}", file.display());
        return Some(Check::bad(NAME, text, "remove it from the file"));
    }
    Some(match (state, repository) {
        (TrustState::Trusted, Some(top)) if !is_folder_trusted(configuration, top) => {
            Check::lacking(
                NAME,
                format!("in {}, which Codex loads only if it trusts the folder", file.display()),
                "start `codex` here once and answer that you trust the folder",
            )
        }
        (TrustState::Trusted, _) => Check::good(NAME, format!("in {}, trusted", file.display())),
        (TrustState::Untrusted | TrustState::Absent, _) => {
            let scope = repository.map_or("", |_| " --scope project");
            Check::bad(
                NAME,
                "installed but not trusted: Codex skips it without a message",
                format!("adjutant install codex --trust{scope}, or start `codex` and review it"),
            )
        }
    })
}

/// Returns whether the configuration disables hooks. The feature `hooks` replaced `codex_hooks` and takes precedence.
fn are_hooks_off(configuration: &str) -> bool {
    let Ok(document) = toml::parse(configuration) else { return false };
    let feature = |name| document.get("features")?.get(name)?.as_bool();
    feature("hooks").or_else(|| feature("codex_hooks")) == Some(false)
}

/// Returns whether Codex trusts a folder. Codex loads a repository's hooks only if it trusts the folder.
fn is_folder_trusted(configuration: &str, folder: &Path) -> bool {
    let Ok(document) = toml::parse(configuration) else { return false };
    let level = || document.get("projects")?.get(folder.to_str()?)?.get("trust_level")?.as_str();
    level() == Some("trusted")
}

/// Returns the state of the plugin according to `configuration`, the content of `config.toml`.
pub fn plugin_state(configuration: &str) -> Result<PluginState, SettingsProblem> {
    let document = toml::parse(configuration)?;
    let plugins = document.get("plugins").and_then(toml_edit::Item::as_table_like);
    let plugins = plugins.into_iter().flat_map(toml_edit::TableLike::iter);
    let states = plugins.filter(|(id, _)| plugin::is_ours(id)).map(|(id, plugin)| {
        let is_enabled = plugin.get("enabled").and_then(toml_edit::Item::as_bool).unwrap_or(true);
        match (is_enabled, trust::is_plugin_trusted(&document, id)) {
            (true, true) => PluginState::Active,
            (true, false) => PluginState::Untrusted,
            (false, _) => PluginState::Disabled,
        }
    });
    Ok(states.max().unwrap_or(PluginState::Absent))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses the key and the hash that the app server of Codex reports for this plugin.
    #[test]
    fn a60_the_configuration_shows_whether_the_plugin_is_on_and_trusted() {
        let check =
            |configuration: &str, state| assert_eq!(plugin_state(configuration).unwrap(), state);
        let on = "[plugins.\"adjutant@adjutant\"]\nenabled = true\n";
        let trusted = |hash: &str| {
            let key = "adjutant@adjutant:hooks/hooks.json:user_prompt_submit:0:0";
            format!(
                "{on}\n[hooks.state.\"{key}\"]\ntrusted_hash = \"{hash}\"\ntrusted_content_hash = \"sha256:0\"\n"
            )
        };
        check("", PluginState::Absent);
        check(on, PluginState::Untrusted);
        check(&on.replace("true", "false"), PluginState::Disabled);
        check(&trusted(&trust::hash(&plugin::hooks()[0])), PluginState::Active);
        check(&trusted("sha256:0"), PluginState::Untrusted);
        plugin_state("[").unwrap_err();
    }
}
