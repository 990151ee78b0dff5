//! Checks Adjutant's programs and the repository's settings, history and index, and creates the briefing for a test
//! prompt.

use std::path::Path;
use std::time::{Duration, Instant};

use clients::Check;
use contract::{ExitCode, Request, counted};
use kernel::{IndexLocation, IndexProblem, Knowledge, brief};
use process::{Bounds, End, Environment, Git, WorkTreeProblem};
use serde_json::json;
use toolcall::HookFolders;

use super::rules;
use crate::commands::install::version;
use crate::commands::orchestrate::host;
use crate::commands::repository::At;
use crate::edge;

/// A test prompt that is about code in every repository.
const PROMPT: &str = "where is the main function, and what does it call?";
const SHOWN_PLACES: usize = 3;

pub(super) fn programs() -> Check {
    const NAME: &str = "programs";
    let Some(folder) = edge::program_directory() else {
        return Check::bad(NAME, "the folder of adjutant is not known", "install adjutant again");
    };
    if let Some(check) = other_version(&folder) {
        return check;
    }
    let version = env!("CARGO_PKG_VERSION");
    let missing: Vec<&str> = ["adjutant", "adjutant-hook", "adjutant-parser", "codex-auto"]
        .into_iter()
        .filter(|name| !folder.join(name).is_file())
        .collect();
    if missing.is_empty() {
        let details = json!({ "version": version, "folder": folder });
        return Check::good(NAME, format!("{version} in {}", folder.display())).with(details);
    }
    let text = format!("not in {}: {}", folder.display(), missing.join(", "));
    Check::bad(NAME, text, "install adjutant again: all its programs belong in one folder")
}

/// Returns a failed check if one of Adjutant's programs in `folder` has another version than this program, for example
/// after an interrupted upgrade.
fn other_version(folder: &Path) -> Option<Check> {
    let environment = edge::environment();
    ["adjutant-hook", "adjutant-parser", "codex-auto"].into_iter().find_map(|name| {
        let found = version::printed(&folder.join(name), &environment)?;
        let text = format!("{} contains {found}; this is {}", folder.display(), crate::VERSION);
        let is_same = found == format!("{name} {}", crate::VERSION);
        (!is_same).then(|| Check::bad("programs", text, "install adjutant again"))
    })
}

pub(super) fn repository(at: &At) -> Vec<Check> {
    let (place, top) = match (at.place(), at.top()) {
        (Ok(place), Ok(top)) => (place, top),
        (Err(failure), _) | (_, Err(failure)) => {
            let fix = "change to a folder that exists";
            return vec![Check::bad("repository", failure.message, fix)];
        }
    };
    let root = place.root.display().to_string();
    let mut checks = vec![Check::good("repository", root.clone()).with(json!({ "root": root }))];
    checks.extend(rules::configuration(&place.root));
    checks.push(rules::hooks(&top));
    checks.push(git(&place.root, &place.environment));
    checks.push(index(&place));
    checks.push(briefing(at));
    checks
}

/// Checks that git can read the history. Git refuses to read another user's repository.
fn git(root: &Path, environment: &Environment) -> Check {
    const NAME: &str = "git";
    let git = Git::new(environment, root);
    if let Err(problem) = git.check_git_directory() {
        let advice = match problem {
            WorkTreeProblem::BlockingFile(_) => "delete or repair the file",
            WorkTreeProblem::UnknownFilters
            | WorkTreeProblem::UnknownIncludes(_)
            | WorkTreeProblem::OtherWorkTree { .. } => {
                "run `git config --list` in the repository to see the error"
            }
        };
        return Check::lacking(NAME, problem.to_string(), advice);
    }
    let command = git.command(["rev-parse", "--verify", "--quiet", "HEAD"]);
    let bounds = Bounds {
        deadline: Instant::now() + Duration::from_secs(10),
        stdout_bytes: 4096,
        stderr_bytes: 4096,
    };
    let Ok(finished) = process::run(&command, &bounds) else {
        let text = "`git` is not on PATH: files are not ranked by their history";
        return Check::lacking(NAME, text, "install git");
    };
    let said = finished.stderr.text();
    match finished.end {
        End::Exited(0) => Check::good(NAME, "the history can be read"),
        _ if said.contains("dubious ownership") => Check::lacking(
            NAME,
            "the repository belongs to another user, so git does not show its history",
            format!("if you trust it: git config --global --add safe.directory {}", root.display()),
        ),
        _ if said.contains("not a git repository") => Check::lacking(
            NAME,
            "not inside a git work tree: files are not ranked by their history",
            "git init, or change to the repository",
        ),
        End::Exited(_) if said.trim().is_empty() => Check::good(NAME, "there are no commits"),
        End::Exited(_) | End::Signalled(_) | End::TimedOut => {
            let line = said.lines().next().unwrap_or("no answer").chars().take(200);
            Check::lacking(NAME, line.collect::<String>(), "try `git status` in the repository")
        }
    }
}

fn index(place: &IndexLocation) -> Check {
    const NAME: &str = "index";
    match place.open(Instant::now() + Duration::from_secs(5)) {
        Knowledge::Indexed { replaced: Some(IndexProblem::Refused(reason)), .. }
        | Knowledge::Files { problem: Some(IndexProblem::Refused(reason)) } => Check::lacking(
            NAME,
            format!("the folder {reason}"),
            "make the folder your own, delete it, or set ADJUTANT_CACHE_DIR",
        ),
        Knowledge::Indexed { replaced: Some(IndexProblem::Damaged), .. } => {
            Check::good(NAME, "was damaged and has been rebuilt")
        }
        Knowledge::Indexed { view, .. } if !view.verify() => damaged_index(NAME),
        Knowledge::Files { problem: Some(IndexProblem::Damaged) } => damaged_index(NAME),
        Knowledge::Indexed { view, refresh, .. } => {
            let (files, is_behind) = (view.meta().files, refresh.is_some());
            let behind = if is_behind { ", some of them changed since" } else { "" };
            Check::good(NAME, format!("{}{behind}", counted(files as usize, "file")))
                .with(json!({ "files": files, "behind": is_behind }))
        }
        Knowledge::Files { .. } if place.store().is_some_and(|store| store.is_being_written()) => {
            Check::good(NAME, "being built; until then, Adjutant searches the files directly")
        }
        Knowledge::Files { .. } if place.is_indexed_automatically() => Check::lacking(
            NAME,
            "none yet: Adjutant searches the files directly",
            "adjutant index, or continue: the next prompt builds it in the background",
        ),
        Knowledge::Files { .. } => Check::lacking(
            NAME,
            "none, and none is built automatically outside a git work tree: Adjutant searches the files directly",
            "adjutant index",
        ),
    }
}

fn damaged_index(name: &str) -> Check {
    let text = "damaged and ignored: Adjutant searches the files directly";
    Check::lacking(
        name,
        text,
        "adjutant index, or continue: the next prompt rebuilds it in the background",
    )
}

/// Creates the briefing for a test prompt. The repository is treated as untrusted, so none of its programs and hooks
/// are started.
fn briefing(at: &At) -> Check {
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
    let text = format!(
        "{}, {} in {took} ms{shown}",
        counted(items.len(), "finding"),
        counted(n_characters, "character")
    );
    let limits = || context.for_user.limits_text.replace('\n', " · ");
    let check = match briefed.exit {
        ExitCode::Success => Check::good(NAME, text),
        // The machine may just be busy.
        ExitCode::BudgetExceeded => Check::lacking(
            NAME,
            format!("{text}; {}", limits()),
            "try again; if it happens again, increase CI_AUTO_TOOLS_BUDGET_WALL_MS",
        ),
        ExitCode::Usage
        | ExitCode::KernelUnavailable
        | ExitCode::Configuration
        | ExitCode::KernelOutputInvalid
        | ExitCode::ToolFailed => {
            let fix = "adjutant brief \"…\" shows the whole briefing";
            Check::bad(NAME, format!("{text}; {}", limits()), fix)
        }
    };
    check.with(details)
}
