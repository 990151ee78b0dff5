//! `cargo xtask bench gate --data FILE [--sessions FILE] --clones DIR --work DIR [--learn] [--errors]`
//!
//! Measures the gate, which decides whether evidence is added to a prompt, on prompts that a person has labelled.
//! Reports how often evidence is added although it is not wanted, and how often it is missing although it is wanted.
//! `--sessions` also uses the earlier turns of each session. `--learn` instead fits the weights of the gate. The
//! weights are cross-validated by repository owner.

mod learn;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use engine::{ReadPrompt, SessionFile, known_terms};
use kernel::gate::{self, Amount, GateInput, NameShare, Touched};

use super::arguments::{self, Inputs};
use super::localise::trees::{self, Revision, StoredIndexes, WorkFolders};
use super::sessions::turns::{self, Sessions, Turn};
use crate::output::{print_message, print_result};
use learn::Sample;

#[derive(Default)]
struct Options {
    inputs: Inputs,
    sessions: Option<PathBuf>,
    is_learning: bool,
    shows_errors: bool,
}

const USAGE: &str = "cargo xtask bench gate --data FILE [--sessions FILE] --clones DIR --work DIR [--learn] [--errors]";

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    arguments::run(USAGE, parse(arguments), bench)
}

fn parse(arguments: &[&str]) -> Option<Options> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--sessions" => options.sessions = Some(rest.next()?.into()),
            "--learn" => options.is_learning = true,
            "--errors" => options.shows_errors = true,
            other => options.inputs.read(other, &mut rest)?,
        }
    }
    options.inputs.are_complete().then_some(options)
}

fn bench(options: &Options) -> Result<(), String> {
    let judged = turns::load(&options.inputs.data)?;
    let recorded = match &options.sessions {
        Some(path) => turns::load(path)?,
        None => Vec::new(),
    };
    let sessions = Sessions::new(&recorded);
    let mut samples = Vec::new();
    for turns in turns::by_tree(&judged) {
        let view = open(turns[0], &options.inputs.clones, &options.inputs.work);
        for turn in turns {
            let Some(is_wanted) = turn.should_inject.as_bool() else { continue };
            let prompt = ReadPrompt::new(turn.prompt.clone());
            let names = view.as_ref().map(|tree| {
                let terms = known_terms(&tree.view, &prompt);
                NameShare { known: terms.known.len(), asked: terms.asked }
            });
            let files = sessions.context(turn).files;
            let touched = |file: &SessionFile| match (file.prompts_ago, file.is_edit) {
                (0, true) => Touched::EditedLastTurn,
                (0, false) => Touched::LastTurn,
                _ => Touched::Earlier,
            };
            let input = GateInput {
                prompt: &turn.prompt,
                query: &prompt.query,
                previous: turn.previous_prompts.last().map(String::as_str),
                names,
                touched: files.iter().map(touched).max().unwrap_or_default(),
            };
            let decision = gate::decide(&input);
            let is_added = decision.amount != Amount::Silent;
            if options.shows_errors && is_added != is_wanted {
                let start: String = turn.prompt.chars().take(120).collect();
                print_message(&format!(
                    "{:.2} wanted: {is_wanted}, {:?}: {start:?}",
                    decision.probability, decision.reasons
                ));
            }
            samples.push(Sample {
                owner: turn.repo.split('/').next().unwrap_or_default().to_owned(),
                language: turn.prompt_lang.clone(),
                is_wanted,
                values: gate::measure(&input),
                wording: gate::measure_wording(input.prompt, input.previous),
                amount: decision.amount,
            });
        }
    }
    if options.is_learning {
        print_result(&learn::report(&samples)?);
    } else {
        print_result(&learn::table(&samples, |sample| sample.amount));
    }
    Ok(())
}

/// Opens the checked-out tree of a turn. If this fails, returns `None`, and the prompt is judged without the names in
/// the repository.
fn open(turn: &Turn, clones: &Path, work: &Path) -> Option<trees::Tree> {
    let id = turn.tree_id();
    let revision = Revision { id: &id, repo: &turn.repo, commit: &turn.base_commit };
    let folders = WorkFolders { clones, work, with_history: true, kept: StoredIndexes::Used };
    trees::prepare(&revision, &folders).ok()
}
