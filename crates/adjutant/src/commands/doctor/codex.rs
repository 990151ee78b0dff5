//! Checks what unattended runs need from codex: its flags and its sandbox.

use std::fs;
use std::path::Path;

use clients::{Check, Client};
use process::Environment;
use runs::{Abilities, Dialect, Tried, find_codex, probe_sandbox};
use serde_json::json;

use crate::edge;

/// The flags that an unattended run uses if codex supports them.
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
const NEEDS: &str = concat!(
    "codex needs user namespaces here, or bubblewrap with the required permissions; see ",
    page!("guide/unattended.md")
);

/// Checks the version, the flags and the sandbox of codex. Returns an error if codex is not installed, or if the
/// program with that name is not codex.
pub(super) fn check(client: &dyn Client, environment: &Environment) -> Result<Vec<Check>, Check> {
    let name = client.names().title;
    let program = find_codex(environment).map_err(|missing| {
        Check::lacking(name, missing.to_string(), super::client::installation(client))
    })?;
    let cache = edge::cache_directory(environment);
    let abilities = Abilities::of(&program, environment, cache.as_deref());
    let Some(version) = abilities.version.clone() else {
        return Err(Check::bad(
            name,
            format!("`{}` does not identify itself as codex", program.display()),
            "check that it is the real one with `codex --version`",
        ));
    };
    let details = json!({ "version": version, "program": program });
    Ok(vec![
        Check::good(name, version).with(details),
        check_flags(&abilities),
        check_sandbox(&program, environment, cache.as_deref()),
    ])
}

fn check_flags(abilities: &Abilities) -> Check {
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
    let check = if abilities.dialect() == Dialect::Plain {
        let text = "`exec` does not support --json: unattended runs report less";
        Check::lacking(NAME, text, UPGRADE)
    } else if !lacks.is_empty() {
        Check::lacking(NAME, format!("`exec` does not support {}", lacks.join(", ")), UPGRADE)
    } else if !abilities.can_resume() {
        Check::lacking(
            NAME,
            "`exec resume` is missing: this version of codex cannot resume threads",
            UPGRADE,
        )
    } else if known.contains(&"hooks") {
        Check::good(
            NAME,
            format!("`exec` supports all {} flags in use, `resume` and hooks", FLAGS.len()),
        )
    } else {
        let text = "this version has no hooks: prompts in it are not briefed";
        Check::lacking(NAME, text, "use `codex-auto`, or npm install -g @openai/codex")
    };
    check.with(details)
}

fn check_sandbox(program: &Path, environment: &Environment, cache: Option<&Path>) -> Check {
    const NAME: &str = "Codex sandbox";
    let folder = cache.map(|cache| cache.join(format!("probe-{}", std::process::id())));
    let Some(folder) = folder.filter(|folder| disk::create_private_folder(folder).is_ok()) else {
        let fix = "set ADJUTANT_CACHE_DIR to a writable folder";
        return Check::lacking(NAME, "not tested: there is no folder to test it in", fix);
    };
    let probe = probe_sandbox(program, environment, &folder);
    let _removed = fs::remove_dir_all(&folder);
    let word = |tried: &Tried| match tried {
        Tried::Works => "works",
        Tried::Leaks => "leaks",
        Tried::Fails(_) => "fails",
    };
    let details = json!({
        "read_only": word(&probe.read_only), "workspace_write": word(&probe.workspace_write),
    });
    let check = match (&probe.read_only, &probe.workspace_write) {
        (Tried::Leaks, _) | (_, Tried::Leaks) => Check::bad(
            NAME,
            "read-only allows a command to write",
            "do not run codex unattended on this machine; npm install -g @openai/codex",
        ),
        (Tried::Works, Tried::Works) => {
            Check::good(NAME, "read-only and workspace-write work here")
        }
        (Tried::Works, Tried::Fails(reason)) => Check::lacking(
            NAME,
            format!("read-only works, workspace-write does not: {reason}"),
            "adjutant run --sandbox read-only",
        ),
        (Tried::Fails(reason), Tried::Works) => Check::lacking(
            NAME,
            format!("workspace-write works, read-only does not: {reason}"),
            NEEDS,
        ),
        (Tried::Fails(reason), Tried::Fails(_)) => {
            Check::lacking(NAME, format!("does not work here: {reason}"), NEEDS)
        }
    };
    check.with(details)
}
