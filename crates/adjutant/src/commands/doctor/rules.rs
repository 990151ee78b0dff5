//! What this repository's own files ask for, and whether the user trusts them: its configuration, its hooks.

use std::path::Path;

use contract::Limit;
use policy::{CONFIG_PATH, Mode, RepositoryConfig, Settings, Source, Switch, Trust};
use serde_json::json;
use toolcall::{Found, HookKind, Scope, find_hook_files};

use super::Finding;
use crate::edge;

const WHAT_THERE_IS: &str = "see docs/guide/settings.md for what there is";

/// The settings as a prompt here would get them.
pub(super) fn configuration(root: &Path) -> Vec<Finding> {
    const NAME: &str = "settings";
    let environment = edge::environment();
    let config = match RepositoryConfig::read(root, &edge::trust_store(&environment)) {
        Ok(config) => config,
        Err(error) => {
            let way_out = "repair it; until then no prompt is briefed";
            return vec![Finding::bad(NAME, error.to_string(), way_out)];
        }
    };
    let lookup = |name: &str| environment.text(name).map(str::to_owned);
    let settings = Settings::resolve(&lookup, &config.file, config.trust);
    let mut findings = vec![match &config.problem {
        Some(problem) if !settings.asks.is_empty() => {
            let way_out = "move the file away; then trust again what you want";
            Finding::bad(NAME, problem.clone(), way_out)
        }
        Some(_) | None => judged(NAME, &config, &settings),
    }];
    let refused = |limit: &Limit| {
        matches!(limit, Limit::NotTrusted { .. } | Limit::TrustLost { .. } | Limit::LegacyPolicy)
    };
    let odd = settings.limits.iter().filter(|limit| !refused(limit)).cloned();
    let misplaced = policy::misplaced_settings(root);
    findings.extend(
        odd.chain(misplaced).map(|limit| Finding::lacking(NAME, limit.to_string(), WHAT_THERE_IS)),
    );
    findings.extend(switched_off(NAME, &settings));
    let slips = environment.names().filter(|name| policy::is_misspelt(name));
    findings.extend(slips.map(|name| {
        Finding::lacking(NAME, format!("`{name}` is no variable of ours"), WHAT_THERE_IS)
    }));
    findings
}

/// Nothing is wrong with it, but whoever wonders why nothing is injected has to hear of it.
fn switched_off(name: &'static str, settings: &Settings) -> Option<Finding> {
    let (text, source, variables, key) = match (settings.switch.value, settings.mode.value) {
        (Switch::Off, _) => (
            "switched off: no prompt is briefed",
            settings.switch.source,
            "CI_AUTO_TOOLS",
            "auto_tools",
        ),
        (_, Mode::Plan) => (
            "plans only: no tool is called, no prompt is briefed",
            settings.mode.source,
            "CI_AUTO_TOOLS_MODE CI_AUTO_TOOLS_DRY_RUN",
            "mode",
        ),
        (Switch::Auto | Switch::On, Mode::Run) => return None,
    };
    let way_out = match source {
        Source::Config => format!("take `{key}` out of {CONFIG_PATH}"),
        Source::Environment | Source::Default => format!("unset {variables}"),
    };
    Some(Finding::lacking(name, text, way_out))
}

fn judged(name: &'static str, config: &RepositoryConfig, settings: &Settings) -> Finding {
    let Some(_) = config.path() else {
        let text = format!("environment and defaults; there is no {CONFIG_PATH}");
        return Finding::good(name, text).with(json!({ "trust": null, "asks": [] }));
    };
    let asks: Vec<&str> = settings.asks.iter().map(|ask| ask.text.as_str()).collect();
    let details = json!({ "trust": config.trust.word(), "asks": asks });
    let finding = match (asks.first(), config.trust) {
        (None, _) => Finding::good(name, format!("{CONFIG_PATH} asks for nothing special")),
        (Some(_), Trust::Trusted) => {
            Finding::good(name, format!("{CONFIG_PATH} is trusted: {}", asks.join("; ")))
        }
        (Some(first), Trust::Changed) => Finding::lacking(
            name,
            format!(
                "{CONFIG_PATH} changed since you trusted it; not applied: {first}{}",
                more(&asks)
            ),
            format!("look at it, then: adjutant trust {CONFIG_PATH}"),
        ),
        (Some(first), Trust::Never) => Finding::lacking(
            name,
            format!("{CONFIG_PATH} is not trusted; not applied: {first}{}", more(&asks)),
            format!("adjutant trust {CONFIG_PATH}, if you want it"),
        ),
    };
    finding.with(details)
}

fn more(asks: &[&str]) -> String {
    match asks.len() {
        0 | 1 => String::new(),
        n => format!(", and {} more", n - 1),
    }
}

/// The hooks around tool calls, the user's and the repository's.
pub(super) fn hooks(top: &Path) -> Finding {
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
    let shown =
        |found: &Found| found.path.strip_prefix(top).unwrap_or(&found.path).display().to_string();
    let finding = if let Some(problem) = found.iter().find_map(|found| found.file.as_ref().err()) {
        let way_out = "repair the file; until then our tool calls are skipped";
        Finding::bad(NAME, problem.to_string(), way_out)
    } else if let Some(changed) = found.iter().find(is(Trust::Changed)) {
        let text =
            format!("{} changed since you trusted it; tool calls are skipped", shown(changed));
        Finding::bad(NAME, text, "look at it, then: adjutant trust")
    } else if let Some(untrusted) = found.iter().find(is(Trust::Never)) {
        let text = format!("{} is not trusted and does not run", shown(untrusted));
        Finding::lacking(NAME, text, "adjutant hooks list, then adjutant trust, if you want it")
    } else if found.is_empty() {
        Finding::good(NAME, "none around tool calls")
    } else {
        Finding::good(NAME, format!("{} files, all yours or trusted", found.len()))
    };
    finding.with(json!({ "files": listed }))
}
