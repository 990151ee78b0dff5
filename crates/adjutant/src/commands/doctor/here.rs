//! Our own programs, and the repository: its settings, hooks and index, and what a prompt would bring.

use std::time::Instant;

use contract::Request;
use kernel::{Knowledge, brief};
use policy::RepositoryConfig;

use super::Finding;
use crate::commands::orchestrate::world;
use crate::commands::repository::At;
use crate::edge;

/// About code in any repository.
const PROMPT: &str = "where is the main function, and what does it call?";

pub(super) fn programs() -> Vec<Finding> {
    let Some(folder) = edge::program_directory() else {
        return vec![Finding::bad("programs", "cannot tell where adjutant is", "install it anew")];
    };
    let missing: Vec<&str> = ["adjutant", "adjutant-hook", "codex-auto"]
        .into_iter()
        .filter(|name| !folder.join(name).is_file())
        .collect();
    let version = env!("CARGO_PKG_VERSION");
    vec![if missing.is_empty() {
        Finding::good("programs", format!("{version} in {}", folder.display()))
    } else {
        Finding::bad(
            "programs",
            format!("not in {}: {}", folder.display(), missing.join(", ")),
            "all three belong into one folder: cargo build --release",
        )
    }]
}

pub(super) fn repository(at: &At) -> Vec<Finding> {
    let place = match at.place() {
        Ok(place) => place,
        Err(failure) => {
            return vec![Finding::bad(
                "repository",
                failure.message,
                "stand in a folder that exists",
            )];
        }
    };
    let mut findings = vec![Finding::good("repository", place.root.display().to_string())];
    let store = edge::trust_store(&place.environment);
    findings.push(match RepositoryConfig::read(&place.root, &store) {
        Ok(_) => Finding::good("settings", "environment and config/auto-tools.yaml can be read"),
        Err(error) => Finding::bad(
            "settings",
            error.to_string(),
            "repair it; until then no prompt is briefed",
        ),
    });
    findings.extend(hooks(at));
    let deadline = Instant::now() + std::time::Duration::from_secs(5);
    findings.push(match place.open(deadline) {
        Knowledge::Indexed { view, is_behind } => {
            let files = view.meta().files;
            let text =
                format!("{files} files{}", if is_behind { ", some changed since" } else { "" });
            Finding::good("index", text)
        }
        Knowledge::Files => Finding::lacking(
            "index",
            "none yet: prompts are answered by live search",
            "adjutant index, or just go on: the next prompt builds it in the background",
        ),
    });
    findings.push(briefing(at));
    findings
}

fn hooks(at: &At) -> Option<Finding> {
    let top = at.top().ok()?;
    let hooks = toolcall::Hooks::read(&edge::hook_folders(&edge::environment()), &top);
    if let Some(problem) = hooks.problems().first() {
        return Some(Finding::bad(
            "hooks",
            problem.to_string(),
            "repair the file; until then our tool calls are skipped",
        ));
    }
    let limit = hooks.limit()?;
    Some(Finding::lacking("hooks", limit.to_string(), "adjutant hooks list, then adjutant trust"))
}

/// A prompt, to the end of the kernel.
fn briefing(at: &At) -> Finding {
    let world = world(at.directory());
    let request = Request { prompt: PROMPT.to_owned(), ..Request::default() };
    let started = Instant::now();
    let briefed = brief(&request, &world);
    let took = started.elapsed().as_millis();
    let context = &briefed.briefing.fused_context;
    let n_items = context.for_model.structured.items.len();
    let n_characters = context.for_model.additional_context.chars().count();
    let text = format!("{n_items} findings, {n_characters} characters in {took} ms");
    if briefed.exit.number() == 0 {
        Finding::good("a prompt", text)
    } else {
        let limits = context.for_user.limits_text.replace('\n', " · ");
        Finding::bad("a prompt", format!("{text}; {limits}"), "adjutant brief \"…\" shows it whole")
    }
}
