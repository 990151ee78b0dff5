//! `cargo xtask bench localise --data FILE --clones DIR --work DIR [--sample N] [--lang L] [--no-history] [--kept]
//! [--briefings] [--learn [--functions]] [--misses]`
//!
//! Measures the ranking on prompts with known answers. Checks out and indexes each tree, searches for each prompt,
//! and scores the ranks of the correct files. `--learn` instead fits the weights of the signals, cross-validated by
//! repository. With `--functions`, it fits only the weights of definitions. `--briefings` runs `adjutant` and
//! measures its briefings.

pub(in crate::bench) mod briefings;
pub(in crate::bench) mod cases;
pub(in crate::bench) mod learn;
mod misses;
pub(in crate::bench) mod score;
pub(in crate::bench) mod trees;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use engine::{Query, SearchMode, SearchOptions, SessionContext, measure, measure_symbols, search};

use super::arguments::{self, Inputs};
use crate::output::{print_message, print_result};
use cases::Case;
use score::{Group, Outcome};
use trees::{StoredIndexes, WorkFolders};

#[derive(Default)]
struct Options {
    inputs: Inputs,
    sample: Option<usize>,
    language: Option<String>,
    switches: Vec<String>,
}

impl Options {
    fn has(&self, switch: &str) -> bool {
        self.switches.iter().any(|known| known == switch)
    }
}

/// The timeout of a query. It is long enough for every prompt, because the benchmark measures the ranking. The time
/// is reported separately.
const QUERY_TIMEOUT: Duration = Duration::from_secs(20);
const ASKED_FILES: usize = 50;
/// The number of times that a query is run. The fastest run is reported, because the machine may be busy.
const ROUNDS: usize = 3;

const USAGE: &str = "cargo xtask bench localise --data FILE --clones DIR --work DIR [--sample N] [--lang L] [--no-history] [--kept] [--briefings] [--learn [--functions]] [--misses]";

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    arguments::run(USAGE, parse(arguments), bench)
}

fn parse(arguments: &[&str]) -> Option<Options> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--sample" => options.sample = Some(rest.next()?.parse().ok()?),
            "--lang" => options.language = Some((*rest.next()?).to_owned()),
            "--no-history" | "--briefings" | "--learn" | "--functions" | "--misses"
            | "--index-only" | "--kept" => {
                options.switches.push((*argument).to_owned());
            }
            other => options.inputs.read(other, &mut rest)?,
        }
    }
    options.inputs.are_complete().then_some(options)
}

fn bench(options: &Options) -> Result<(), String> {
    let cases = cases::load(&options.inputs.data, options.sample, options.language.as_deref())?;
    let folders = WorkFolders {
        clones: &options.inputs.clones,
        work: &options.inputs.work,
        with_history: !options.has("--no-history"),
        kept: match (options.has("--briefings"), options.has("--kept")) {
            (true, _) => StoredIndexes::Renewed,
            (false, true) => StoredIndexes::Only,
            (false, false) => StoredIndexes::Used,
        },
    };
    let mut outcomes = Vec::new();
    let mut asked = Vec::new();
    let mut lessons = Vec::new();
    let mut functions = Vec::new();
    let mut injected = Vec::new();
    let mut index_times = Vec::new();
    for case in &cases {
        let tree = match trees::prepare(&case.revision(), &folders) {
            Ok(tree) => tree,
            Err(error) => {
                print_message(&format!("{}: {error}", case.id));
                continue;
            }
        };
        if let Some(time) = tree.indexed_in {
            index_times.push(time);
            print_message(&format!("{}: indexed in {:.2} s", case.id, time.as_secs_f64()));
        }
        if options.has("--index-only") {
            continue;
        }
        if options.has("--briefings") {
            injected.push(briefings::ask(
                case,
                &tree.view,
                &folders.tree(&case.revision()),
                &folders.cache(),
            )?);
        } else if options.has("--learn") {
            let (query, late) = (Query::read(&case.prompt), Instant::now() + QUERY_TIMEOUT);
            if !options.has("--functions") {
                let measured = measure(&tree.view, &query, &SessionContext::default(), late);
                lessons.push(learn::lesson(case, &tree.view, measured));
            }
            let measured = measure_symbols(&tree.view, &query, ASKED_FILES, late);
            functions.extend(learn::lesson_of_functions(case, &tree.view, measured));
        } else {
            outcomes.push(ask(case, &tree));
            asked.push(case);
        }
    }
    if options.has("--briefings") {
        print_result(&briefings::table(&injected));
    } else if options.has("--learn") {
        print_result(&learn::learn(lessons, &functions));
    } else {
        if options.has("--misses") {
            let judged: Vec<_> = asked.into_iter().zip(&outcomes).collect();
            print_result(&misses::report(&judged));
        }
        print_result(&score::table(&outcomes, &index_times));
    }
    Ok(())
}

fn ask(case: &Case, tree: &trees::Tree) -> Outcome {
    let mut took = Duration::MAX;
    let mut hits = Vec::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let options = SearchOptions {
            limit: ASKED_FILES,
            mode: SearchMode::Hybrid,
            session: None,
            deadline: started + QUERY_TIMEOUT,
        };
        hits = search(&tree.view, &Query::read(&case.prompt), &options);
        took = took.min(started.elapsed());
    }
    let paths: Vec<String> = hits.iter().map(|hit| hit.path.clone()).collect();
    let rank =
        |gold: &String| paths.iter().position(|path| path == gold).map_or(usize::MAX, |at| at + 1);
    let ranks: Vec<usize> = case.gold.iter().map(rank).collect();
    Outcome {
        group: Group::of(case),
        language: case.lang.clone().unwrap_or_default(),
        named: case.names_gold,
        n_gold: case.gold.len(),
        worst_rank: ranks.iter().copied().max().unwrap_or(usize::MAX),
        best_rank: ranks.iter().copied().min().unwrap_or(usize::MAX),
        function_rank: score::worst_function_rank(case, &hits),
        listed: score::listed_characters(&hits),
        took,
        top: paths.into_iter().take(5).collect(),
    }
}
