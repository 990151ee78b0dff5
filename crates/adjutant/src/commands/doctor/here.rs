//! Our own programs, and the repository: its rules, its history, its index, and what a prompt would bring.

use std::path::Path;
use std::time::{Duration, Instant};

use contract::{ExitCode, Request};
use kernel::{IndexLocation, Knowledge, brief};
use process::{Bounds, End, Environment, Git};
use serde_json::json;
use toolcall::HookFolders;

use super::{Finding, rules};
use crate::commands::orchestrate::host;
use crate::commands::repository::At;
use crate::edge;

/// About code in any repository.
const PROMPT: &str = "where is the main function, and what does it call?";
const SHOWN_PLACES: usize = 3;

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
            .with(json!({ "version": version, "folder": folder }))
    } else {
        Finding::bad(
            "programs",
            format!("not in {}: {}", folder.display(), missing.join(", ")),
            "in the checkout: cargo install --locked --path crates/adjutant",
        )
    }]
}

pub(super) fn repository(at: &At) -> Vec<Finding> {
    let (place, top) = match (at.place(), at.top()) {
        (Ok(place), Ok(top)) => (place, top),
        (Err(failure), _) | (_, Err(failure)) => {
            let way_out = "stand in a folder that exists";
            return vec![Finding::bad("repository", failure.message, way_out)];
        }
    };
    let root = place.root.display().to_string();
    let mut findings =
        vec![Finding::good("repository", root.clone()).with(json!({ "root": root }))];
    findings.extend(rules::configuration(&place.root));
    findings.push(rules::hooks(&top));
    findings.push(git(&place.root, &place.environment));
    findings.push(index(&place));
    findings.push(briefing(at));
    findings
}

/// Whether git tells us the history. It refuses the repository of another user, and rightly.
fn git(root: &Path, environment: &Environment) -> Finding {
    const NAME: &str = "git";
    let asked = Git::new(environment, root).command(["rev-parse", "--verify", "--quiet", "HEAD"]);
    let bounds = Bounds {
        deadline: Instant::now() + Duration::from_secs(10),
        stdout_bytes: 4096,
        stderr_bytes: 4096,
    };
    let Ok(finished) = process::run(&asked, &bounds) else {
        let text = "`git` is not on PATH: files are not ranked by their history";
        return Finding::lacking(NAME, text, "install git");
    };
    let said = finished.stderr.text();
    match finished.end {
        End::Exited(0) => Finding::good(NAME, "the history can be asked"),
        _ if said.contains("dubious ownership") => Finding::lacking(
            NAME,
            "the repository belongs to another user: git does not tell its history",
            format!("if you trust it: git config --global --add safe.directory {}", root.display()),
        ),
        _ if said.contains("not a git repository") => Finding::lacking(
            NAME,
            "not inside a git work tree: files are not ranked by their history",
            "git init, or stand in the repository",
        ),
        End::Exited(_) if said.trim().is_empty() => Finding::good(NAME, "there is no commit yet"),
        End::Exited(_) | End::Signalled(_) | End::TimedOut => {
            let line = said.lines().next().unwrap_or("no answer").chars().take(200);
            Finding::lacking(NAME, line.collect::<String>(), "try `git status` in the repository")
        }
    }
}

fn index(place: &IndexLocation) -> Finding {
    const NAME: &str = "index";
    match place.open(Instant::now() + Duration::from_secs(5)) {
        Knowledge::Indexed { replaces_damaged: true, .. } => {
            Finding::good(NAME, "was damaged and has been rebuilt")
        }
        Knowledge::Indexed { view, .. } if !view.verify() => damaged_index(NAME),
        Knowledge::Files { is_damaged: true } => damaged_index(NAME),
        Knowledge::Indexed { view, is_behind, .. } => {
            let files = view.meta().files;
            let behind = if is_behind { ", some changed since" } else { "" };
            Finding::good(NAME, format!("{files} files{behind}"))
                .with(json!({ "files": files, "behind": is_behind }))
        }
        Knowledge::Files { .. } if place.store().is_some_and(|store| store.is_being_written()) => {
            Finding::good(NAME, "being built; prompts are answered by live search meanwhile")
        }
        Knowledge::Files { .. } if place.is_indexed_automatically() => Finding::lacking(
            NAME,
            "none yet: prompts are answered by live search",
            "adjutant index, or just go on: the next prompt builds it in the background",
        ),
        Knowledge::Files { .. } => Finding::lacking(
            NAME,
            "none, and prompts build none outside a git work tree: they are answered by live search",
            "adjutant index",
        ),
    }
}

fn damaged_index(name: &'static str) -> Finding {
    let text = "damaged: it is not used, and prompts are answered by live search";
    Finding::lacking(
        name,
        text,
        "adjutant index, or just go on: the next prompt rebuilds it in the background",
    )
}

/// A prompt, to the end of the kernel. Nothing is trusted for it: no program of the repository starts, and no hook.
fn briefing(at: &At) -> Finding {
    const NAME: &str = "test prompt";
    let mut host = host(at.directory());
    host.hooks = HookFolders::default();
    host.program = None;
    let request = Request { prompt: PROMPT.to_owned(), ..Request::default() };
    let started = Instant::now();
    let briefed = brief(&request, &host);
    let took = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let context = &briefed.briefing.fused_context;
    let items = &context.for_model.structured.items;
    let n_characters = context.for_model.additional_context.chars().count();
    let mut places: Vec<String> = items.iter().filter_map(|item| item.citation()).collect();
    places.truncate(SHOWN_PLACES);
    let details = json!({
        "prompt": PROMPT, "ms": took, "findings": items.len(), "characters": n_characters, "places": places,
        "exit": briefed.exit.number(),
    });
    let shown = if places.is_empty() {
        format!(" for \"{PROMPT}\"")
    } else {
        format!(": {}", places.join(", "))
    };
    let text = format!("{} findings, {n_characters} characters in {took} ms{shown}", items.len());
    let limits = || context.for_user.limits_text.replace('\n', " · ");
    let finding = match briefed.exit {
        ExitCode::Success => Finding::good(NAME, text),
        // A busy machine is not a broken one.
        ExitCode::BudgetExceeded => Finding::lacking(
            NAME,
            format!("{text}; {}", limits()),
            "try again; if it stays, more time: CI_AUTO_TOOLS_BUDGET_WALL_MS",
        ),
        ExitCode::Usage
        | ExitCode::KernelUnavailable
        | ExitCode::Configuration
        | ExitCode::KernelOutputInvalid
        | ExitCode::ToolFailed => {
            let way_out = "adjutant brief \"…\" shows it whole";
            Finding::bad(NAME, format!("{text}; {}", limits()), way_out)
        }
    };
    finding.with(details)
}
