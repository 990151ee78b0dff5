//! Codex: there, what it accepts, whether its sandbox works here, told about us and trusting us.

use std::fs;
use std::path::Path;

use codex::{Abilities, Dialect, Tried, find_codex, probe_sandbox};
use install::{
    PluginState, Problem, TrustState, codex_hooks_are_off, codex_loads, codex_plugin, codex_server,
    codex_trusts, trust_state,
};
use process::Environment;
use serde_json::json;

use super::{Finding, settings_text};
use crate::commands::install::{Client, Place, obstacle};
use crate::edge;

/// What an unattended run says to codex, if codex understands it.
const FLAGS: [&str; 9] = [
    "--json",
    "--sandbox",
    "--config",
    "--disable",
    "--model",
    "--profile",
    "--color",
    "--output-last-message",
    "--dangerously-bypass-approvals-and-sandbox",
];
const NAME: &str = "Codex";
const HOOK: &str = "Codex hook";
const NEEDS: &str =
    "codex needs user namespaces (or bubblewrap with rights) here; see docs/guide/unattended.md";

/// `top` is the repository, which may have a hook of its own.
pub(super) fn look(environment: &Environment, top: Option<&Path>) -> Vec<Finding> {
    let program = match find_codex(environment) {
        Ok(program) => program,
        Err(missing) => {
            let way_out = "npm install -g @openai/codex, if you want it";
            return vec![Finding::lacking(NAME, missing.to_string(), way_out)];
        }
    };
    let cache = edge::cache_directory(environment);
    let abilities = Abilities::of(&program, environment, cache.as_deref());
    let Some(version) = abilities.version.clone() else {
        return vec![Finding::bad(
            NAME,
            format!("`{}` does not say that it is codex", program.display()),
            "is it the real one? try `codex --version`",
        )];
    };
    let details = json!({ "version": version, "program": program });
    let mut findings = vec![Finding::good(NAME, version).with(details), flags(&abilities)];
    findings.push(sandbox(&program, environment, cache.as_deref()));
    let place = match Place::of_user(Client::Codex, environment) {
        Ok(place) => place,
        Err(failure) => {
            findings.push(super::homeless(HOOK, failure));
            return findings;
        }
    };
    findings.push(hook(&place, top));
    let registered = codex_server(&settings_text(&place.servers));
    let way = "adjutant install codex --mcp";
    findings.push(server_finding("Codex MCP", &place.servers, registered, way));
    findings
}

fn flags(abilities: &Abilities) -> Finding {
    const NAME: &str = "Codex flags";
    const UPGRADE: &str = "npm install -g @openai/codex";
    let lacks = abilities.lacks(&FLAGS);
    let features = ["hooks", "unbounded_connection_retries"];
    let known: Vec<&str> =
        features.into_iter().filter(|feature| abilities.has_feature(feature)).collect();
    let details = json!({
        "accepted": FLAGS.iter().filter(|flag| abilities.accepts(flag)).collect::<Vec<_>>(),
        "unknown": lacks, "features": known, "resume": abilities.can_resume(),
    });
    let finding = if abilities.dialect() == Dialect::Plain {
        let text = "`exec` does not know --json: unattended runs know less of what happens";
        Finding::lacking(NAME, text, UPGRADE)
    } else if !lacks.is_empty() {
        Finding::lacking(NAME, format!("`exec` does not know {}", lacks.join(", ")), UPGRADE)
    } else if !abilities.can_resume() {
        Finding::lacking(
            NAME,
            "`exec resume` is not there: threads cannot be gone on with",
            UPGRADE,
        )
    } else if known.contains(&"hooks") {
        Finding::good(NAME, format!("`exec` knows all {} we use, `resume` and hooks", FLAGS.len()))
    } else {
        let text = "this version has no hooks: prompts in it are not briefed";
        Finding::lacking(NAME, text, "use `codex-auto`, or npm install -g @openai/codex")
    };
    finding.with(details)
}

fn sandbox(program: &Path, environment: &Environment, cache: Option<&Path>) -> Finding {
    const NAME: &str = "Codex sandbox";
    let folder = cache.map(|cache| cache.join(format!("probe-{}", std::process::id())));
    let Some(folder) = folder.filter(|folder| disk::create_private_folder(folder).is_ok()) else {
        let way_out = "set ADJUTANT_CACHE_DIR to a folder that can be written to";
        return Finding::lacking(NAME, "not tried: there is no folder to try it in", way_out);
    };
    let probe = probe_sandbox(program, environment, &folder);
    let _left_behind = fs::remove_dir_all(&folder);
    let word = |tried: &Tried| match tried {
        Tried::Works => "works",
        Tried::Leaks => "leaks",
        Tried::Fails(_) => "fails",
    };
    let details = json!({
        "read_only": word(&probe.read_only), "workspace_write": word(&probe.workspace_write),
    });
    let finding = match (&probe.read_only, &probe.workspace_write) {
        (Tried::Leaks, _) | (_, Tried::Leaks) => Finding::bad(
            NAME,
            "read-only lets a command write",
            "do not run codex unattended on this machine; npm install -g @openai/codex",
        ),
        (Tried::Works, Tried::Works) => {
            Finding::good(NAME, "read-only and workspace-write work here")
        }
        (Tried::Works, Tried::Fails(reason)) => Finding::lacking(
            NAME,
            format!("read-only works, workspace-write does not: {reason}"),
            "adjutant run --sandbox read-only",
        ),
        (Tried::Fails(reason), Tried::Works) => Finding::lacking(
            NAME,
            format!("workspace-write works, read-only does not: {reason}"),
            NEEDS,
        ),
        (Tried::Fails(reason), Tried::Fails(_)) => {
            Finding::lacking(NAME, format!("does not work here: {reason}"), NEEDS)
        }
    };
    finding.with(details)
}

fn hook(place: &Place, top: Option<&Path>) -> Finding {
    if let Some(problem) = obstacle(Client::Codex, place) {
        return Finding::bad(HOOK, problem.to_string(), "repair the file, or move it away");
    }
    let own = place.folder.join("hooks.json");
    let configuration_file = place.folder.join("config.toml");
    let configuration = settings_text(&configuration_file);
    let is_off = codex_hooks_are_off(&configuration);
    let off = || {
        let text = format!("hooks are switched off in {}", configuration_file.display());
        Finding::bad(HOOK, text, "codex features enable hooks")
    };
    let of_top = top.map(|top| top.join(".codex/hooks.json"));
    for file in [own.clone()].into_iter().chain(of_top).filter(|file| file.is_file()) {
        let in_top = top.filter(|_| file != own);
        match installed(&file, &configuration, in_top) {
            Some(_) if is_off => return off(),
            Some(finding) => return finding,
            None => {}
        }
    }
    match codex_plugin(&configuration) {
        Ok(PluginState::Active) if is_off => off(),
        Ok(PluginState::Active) => Finding::good(HOOK, "in the plugin `adjutant`, trusted"),
        Ok(PluginState::Untrusted) => Finding::bad(
            HOOK,
            "the hook of the plugin `adjutant` is not trusted: Codex skips it without a word",
            "start `codex` and review the hook of the plugin `adjutant`",
        ),
        Ok(PluginState::Disabled) => Finding::lacking(
            HOOK,
            "the plugin `adjutant` is switched off",
            "`/plugins` in Codex, or adjutant install codex --trust",
        ),
        Ok(PluginState::Absent) | Err(_) => Finding::lacking(
            HOOK,
            format!("not in {}", own.display()),
            "adjutant install codex --trust",
        ),
    }
}

/// How our hook in this file stands, if it is there. `top` is the repository that has the file, if one has.
fn installed(file: &Path, configuration: &str, top: Option<&Path>) -> Option<Finding> {
    let hooks = settings_text(file);
    let state = match trust_state(file, &hooks, configuration) {
        Ok(TrustState::Absent) => return None,
        Ok(state) => state,
        Err(problem) => {
            let text = format!("{}: {problem}", file.display());
            return Some(Finding::bad(HOOK, text, "repair the file"));
        }
    };
    if let Err(problem) = codex_loads(&hooks) {
        let text = format!("Codex loads nothing of `{}`: {problem}", file.display());
        return Some(Finding::bad(HOOK, text, "take that out of the file"));
    }
    Some(match (state, top) {
        (TrustState::Trusted, Some(top)) if !codex_trusts(configuration, top) => Finding::lacking(
            HOOK,
            format!("in {}, which Codex loads only if it trusts the folder", file.display()),
            "start `codex` here once and say that you trust the folder",
        ),
        (TrustState::Trusted, _) => Finding::good(HOOK, format!("in {}, trusted", file.display())),
        (TrustState::Untrusted | TrustState::Absent, _) => {
            let scope = top.map_or("", |_| " --scope project");
            Finding::bad(
                HOOK,
                "installed but not trusted: Codex skips it without a word",
                format!("adjutant install codex --trust{scope}, or start `codex` and review it"),
            )
        }
    })
}

/// Our MCP server in a client's list. Nobody needs it for a briefing, so that none is fine too.
pub(super) fn server_finding(
    name: &'static str,
    file: &Path,
    registered: Result<Option<String>, Problem>,
    way: &str,
) -> Finding {
    match registered {
        Err(problem) => {
            Finding::bad(name, format!("`{}`: {problem}", file.display()), "repair the file")
        }
        Ok(None) => Finding::good(name, format!("not registered (`{way}`, if you want it)")),
        Ok(Some(program))
            if Path::new(&program).is_absolute() && !Path::new(&program).is_file() =>
        {
            Finding::bad(name, format!("`{program}` is gone"), way)
        }
        Ok(Some(program)) => {
            let text = format!("in {}", file.display());
            Finding::good(name, text).with(json!({ "program": program }))
        }
    }
}
