//! `cargo xtask bench sessions --data FILE --clones DIR --work DIR [--learn] [--briefings N] [--program DIR]`
//!
//! Measures the ranking on the turns of recorded sessions: how often an edited file is among the first five files.
//! Compares three rankings: by the prompt alone, by the files that the session touched last, and by both.
//! `--briefings` runs `adjutant-hook` for about N turns, with the earlier turns in a transcript, and measures the
//! text that it adds. `--learn` instead fits the weights of the signals for the later turns of a session,
//! cross-validated by repository owner.

mod briefings;
mod calibration;
mod ranks;
pub(in crate::bench) mod turns;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use engine::{Query, SearchMode, SearchOptions, SessionContext, measure, search};
use index::View;

use super::arguments::{self, Inputs};
use super::localise::learn::{self, Lesson};
use super::localise::trees::{self, Revision, StoredIndexes, WorkFolders};
use crate::output::{print_message, print_result};
use calibration::Prediction;
use ranks::Ranks;
use turns::{Sessions, Turn};

/// The timeout of a query. It is long enough for every prompt.
const QUERY_TIMEOUT: Duration = Duration::from_secs(20);
const ASKED_FILES: usize = 10;

#[derive(Default)]
struct Options {
    inputs: Inputs,
    is_learning: bool,
    /// The number of turns for which the hook is run.
    n_briefings: Option<usize>,
    /// The folder that contains the programs.
    program: Option<PathBuf>,
}

const USAGE: &str = "cargo xtask bench sessions --data FILE --clones DIR --work DIR [--learn] [--briefings N] [--program DIR]";

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    arguments::run(USAGE, parse(arguments), bench)
}

fn parse(arguments: &[&str]) -> Option<Options> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--learn" => options.is_learning = true,
            "--briefings" => options.n_briefings = Some(rest.next()?.parse().ok()?),
            "--program" => options.program = Some(rest.next()?.into()),
            other => options.inputs.read(other, &mut rest)?,
        }
    }
    options.inputs.are_complete().then_some(options)
}

fn bench(options: &Options) -> Result<(), String> {
    let all = turns::load(&options.inputs.data)?;
    let sessions = Sessions::new(&all);
    let is_code = |turn: &&Turn| !turn.gold_edited.is_empty() || turn.label == "code";
    let code: Vec<Turn> = all.iter().filter(is_code).cloned().collect();
    if let Some(n) = options.n_briefings {
        let program =
            options.program.clone().unwrap_or_else(|| crate::root().join("target/release"));
        let (clones, work) = (&options.inputs.clones, &options.inputs.work);
        let folders =
            WorkFolders { clones, work, with_history: true, kept: StoredIndexes::Renewed };
        print_result(&briefings::measure(&code, &sessions, n, &program, &folders)?);
        return Ok(());
    }
    let folders = WorkFolders {
        clones: &options.inputs.clones,
        work: &options.inputs.work,
        with_history: true,
        kept: StoredIndexes::Used,
    };
    let (mut ranks, mut lessons, mut predictions) = (Vec::new(), Vec::new(), Vec::new());
    for turns in turns::by_tree(&code) {
        let id = turns[0].tree_id();
        let revision = Revision { id: &id, repo: &turns[0].repo, commit: &turns[0].base_commit };
        let tree = match trees::prepare(&revision, &folders) {
            Ok(tree) => tree,
            Err(error) => {
                print_message(&format!("{id}: {error}"));
                continue;
            }
        };
        for turn in turns {
            let context = sessions.context(turn);
            if options.is_learning {
                lessons.extend(lesson(turn, &tree.view, &context));
            } else {
                let found = found_paths(&tree.view, turn, &context);
                predictions.extend(found.predictions);
                if !turn.gold_edited.is_empty() {
                    ranks.push(Ranks::new(turn, &context, &found.by_prompt, &found.with_session));
                }
            }
        }
    }
    if options.is_learning {
        print_result(&learn::learn_session(&lessons));
    } else {
        print_result(&ranks::table(&ranks));
        print_result(&calibration::table(&predictions));
    }
    Ok(())
}

/// The files that the search finds for a turn, best first.
struct FoundPaths {
    by_prompt: Vec<String>,
    with_session: Vec<String>,
    predictions: Vec<Prediction>,
}

fn found_paths(view: &View, turn: &Turn, context: &SessionContext) -> FoundPaths {
    let query = Query::read(&turn.prompt);
    let ask = |session: Option<&SessionContext>| {
        let deadline = Instant::now() + QUERY_TIMEOUT;
        let options =
            SearchOptions { limit: ASKED_FILES, mode: SearchMode::Hybrid, session, deadline };
        search(view, &query, &options)
    };
    let needed = |path: &String| turn.gold_edited.contains(path) || turn.gold_read.contains(path);
    let with_session = ask(Some(context));
    FoundPaths {
        by_prompt: ask(None).into_iter().map(|hit| hit.path).collect(),
        predictions: with_session
            .iter()
            .map(|hit| Prediction { confidence: hit.confidence, is_right: needed(&hit.path) })
            .collect(),
        with_session: with_session.into_iter().map(|hit| hit.path).collect(),
    }
}

/// Returns the candidates for a later turn with their signals. Returns `None` if no file was edited, and for a first
/// turn, because `bench localise` fits the weights for first turns.
fn lesson(turn: &Turn, view: &View, context: &SessionContext) -> Option<Lesson> {
    if context.is_first_turn() || turn.gold_edited.is_empty() {
        return None;
    }
    let deadline = Instant::now() + QUERY_TIMEOUT;
    let measured = measure(view, &Query::read(&turn.prompt), context, deadline);
    let owner = turn.repo.split('/').next().unwrap_or_default();
    Some(learn::lesson_of_turn(owner, &turn.gold_edited, view, measured))
}
