//! Checks the repository's configuration and hooks: what they request, and whether the user trusts them.

use std::path::Path;

use clients::Check;
use contract::{Limit, counted};
use policy::{BriefingMode, CONFIG_PATH, RepositoryConfig, SettingSource, Settings, Switch, Trust};
use serde_json::json;
use toolcall::{Found, HookKind, Scope, find_hook_files};

use crate::commands::repository::relative;
use crate::edge;

const SETTINGS_PAGE: &str = concat!("see ", page!("guide/settings.md"), " for the names");

/// Checks the settings that apply to a prompt in this repository.
pub(super) fn configuration(root: &Path) -> Vec<Check> {
    const NAME: &str = "settings";
    let environment = edge::environment();
    let config = match RepositoryConfig::read(root, &edge::trust_store(&environment)) {
        Ok(config) => config,
        Err(error) => {
            let fix = "repair it; until then no prompt is briefed";
            return vec![Check::bad(NAME, error.to_string(), fix)];
        }
    };
    let lookup = |name: &str| environment.text(name).map(str::to_owned);
    let settings = Settings::resolve(&lookup, &config.file, config.trust);
    let mut checks = vec![match &config.problem {
        Some(problem) if !settings.asks.is_empty() => {
            let fix =
                "remove the file, then run `adjutant trust` again for each file that you trust";
            Check::bad(NAME, problem.clone(), fix)
        }
        Some(_) | None => check_configuration(NAME, &config, &settings),
    }];
    let refused = |limit: &Limit| {
        matches!(limit, Limit::NotTrusted { .. } | Limit::TrustLost { .. } | Limit::LegacyPolicy)
    };
    let ignored = settings.limits.iter().filter(|limit| !refused(limit)).cloned();
    let misplaced = policy::misplaced_settings(root);
    checks.extend(
        ignored
            .chain(misplaced)
            .map(|limit| Check::lacking(NAME, limit.to_string(), SETTINGS_PAGE)),
    );
    checks.extend(switched_off(NAME, &settings));
    let unknown = environment.names().filter(|name| policy::is_misspelt(name));
    checks.extend(
        unknown
            .map(|name| Check::lacking(NAME, format!("unknown variable `{name}`"), SETTINGS_PAGE)),
    );
    checks
}

/// Reports a setting that disables all briefings, or returns `None` if there is none. Such a setting is not an error,
/// but it explains why nothing is added to prompts.
fn switched_off(name: &str, settings: &Settings) -> Option<Check> {
    let (text, source, variables, key) = match (settings.switch.value, settings.mode.value) {
        (Switch::Off, _) => (
            "switched off: no prompt is briefed",
            settings.switch.source,
            "CI_AUTO_TOOLS",
            "auto_tools",
        ),
        (_, BriefingMode::Plan) => (
            "plan mode: no tool is called, no prompt is briefed",
            settings.mode.source,
            "CI_AUTO_TOOLS_MODE CI_AUTO_TOOLS_DRY_RUN",
            "mode",
        ),
        (Switch::Auto | Switch::On, BriefingMode::Run) => return None,
    };
    let fix = match source {
        SettingSource::Config => format!("remove `{key}` from {CONFIG_PATH}"),
        SettingSource::Flag | SettingSource::Environment | SettingSource::Default => {
            format!("unset {variables}")
        }
    };
    Some(Check::lacking(name, text, fix))
}

fn check_configuration(name: &str, config: &RepositoryConfig, settings: &Settings) -> Check {
    let Some(_) = config.path() else {
        let text = format!("environment and defaults; there is no {CONFIG_PATH}");
        return Check::good(name, text).with(json!({ "trust": null, "asks": [] }));
    };
    let asks: Vec<&str> = settings.asks.iter().map(|ask| ask.text.as_str()).collect();
    let details = json!({ "trust": config.trust.word(), "asks": asks });
    let check = match (asks.first(), config.trust) {
        (None, _) => Check::good(name, format!("{CONFIG_PATH} requests nothing that needs trust")),
        (Some(_), Trust::Trusted) => {
            Check::good(name, format!("{CONFIG_PATH} is trusted: {}", asks.join("; ")))
        }
        (Some(first), Trust::Changed) => Check::lacking(
            name,
            format!(
                "{CONFIG_PATH} changed since you trusted it; not applied: {first}{}",
                more(&asks)
            ),
            format!("review it, then: adjutant trust {CONFIG_PATH}"),
        ),
        (Some(first), Trust::Never) => Check::lacking(
            name,
            format!("{CONFIG_PATH} is not trusted; not applied: {first}{}", more(&asks)),
            format!("adjutant trust {CONFIG_PATH}, if you want it"),
        ),
    };
    check.with(details)
}

fn more(asks: &[&str]) -> String {
    match asks.len() {
        0 | 1 => String::new(),
        n => format!(", and {} more", n - 1),
    }
}

/// Checks the tool-call hooks of the user and of the repository.
pub(super) fn hooks(top: &Path) -> Check {
    const NAME: &str = "hooks";
    let folders = edge::hook_folders(&edge::environment());
    let found = find_hook_files(&folders, top, &HookKind::OF_TOOLS);
    let listed: Vec<_> = found
        .iter()
        .map(|found| {
            json!({ "path": found.path, "scope": found.scope.word(), "trust": found.trust.word() })
        })
        .collect();
    let is =
        |trust: Trust| move |found: &&Found| found.scope == Scope::Project && found.trust == trust;
    let shown = |found: &Found| relative(&found.path, top);
    let check = if let Some(problem) = found.iter().find_map(|found| found.file.as_ref().err()) {
        let fix = "repair the file; until then the tool calls of Adjutant are skipped";
        Check::bad(NAME, problem.to_string(), fix)
    } else if let Some(changed) = found.iter().find(is(Trust::Changed)) {
        let text =
            format!("{} has changed since you trusted it; tool calls are skipped", shown(changed));
        Check::bad(NAME, text, "review it, then: adjutant trust")
    } else if let Some(untrusted) = found.iter().find(is(Trust::Never)) {
        let text = format!("{} is not trusted and does not run", shown(untrusted));
        Check::lacking(NAME, text, "adjutant hooks list, then adjutant trust, if you want it")
    } else if found.is_empty() {
        Check::good(NAME, "none for tool calls")
    } else {
        Check::good(NAME, format!("{}, all yours or trusted", counted(found.len(), "file")))
    };
    check.with(json!({ "files": listed }))
}
