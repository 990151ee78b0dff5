//! `cargo xtask bench lines --data FILE --clones DIR --work DIR [--sample N] [--program FILE] [--cases]`
//!
//! Measures briefings on prompts with known answers: the precision and the recall of the cited files and of the quoted
//! lines. The correct lines are those of the functions that the data set lists as the answer. `--cases` prints one line
//! per prompt.

mod quoted;
mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use index::View;

use super::arguments::{self, Inputs};
use super::localise::briefings::orchestrate;
use super::localise::cases::{self, Case};
use super::localise::score::Group;
use super::localise::trees::{self, StoredIndexes, WorkFolders};
use crate::output::{print_message, print_result};
use crate::root;
use quoted::{Line, Quoted};

#[derive(Default)]
struct Options {
    inputs: Inputs,
    sample: Option<usize>,
    program: Option<PathBuf>,
    prints_cases: bool,
}

/// The measured briefing of one prompt.
struct Measured {
    group: Group,
    characters: usize,
    files: Counts,
    /// `None` if the case lists no functions.
    lines: Option<Counts>,
    n_regions: usize,
}

/// The numbers of shown items, of correct items, and of shown items that are correct.
#[derive(Clone, Copy, Default)]
struct Counts {
    shown: usize,
    right: usize,
    both: usize,
}

const USAGE: &str = "cargo xtask bench lines --data FILE --clones DIR --work DIR [--sample N] [--program FILE] [--cases]";

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    arguments::run(USAGE, parse(arguments), bench)
}

fn parse(arguments: &[&str]) -> Option<Options> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--sample" => options.sample = Some(rest.next()?.parse().ok()?),
            "--program" => options.program = Some(rest.next()?.into()),
            "--cases" => options.prints_cases = true,
            other => options.inputs.read(other, &mut rest)?,
        }
    }
    options.inputs.are_complete().then_some(options)
}

fn bench(options: &Options) -> Result<(), String> {
    let cases = cases::load(&options.inputs.data, options.sample, None)?;
    let program = options.program.clone().unwrap_or_else(|| root().join("target/release/adjutant"));
    let folders = WorkFolders {
        clones: &options.inputs.clones,
        work: &options.inputs.work,
        with_history: true,
        kept: StoredIndexes::OnePerCase,
    };
    let mut measured = Vec::new();
    for case in &cases {
        let view = match trees::prepare(&case.revision(), &folders) {
            Ok(tree) => tree.view,
            Err(error) => {
                print_message(&format!("{}: {error}", case.id));
                continue;
            }
        };
        let one = measure(case, &view, &program, &folders)?;
        if options.prints_cases {
            print_result(&table::case(&case.id, &one));
        }
        measured.push(one);
    }
    print_result(&table::table(&measured));
    Ok(())
}

fn measure(
    case: &Case,
    view: &View,
    program: &Path,
    folders: &WorkFolders<'_>,
) -> Result<Measured, String> {
    let briefing =
        orchestrate(program, &case.prompt, &folders.tree(&case.revision()), &folders.cache())?;
    let model = &briefing["fused_context"]["for_model"];
    let text = model["additional_context"].as_str().unwrap_or_default();
    let items = model["structured"]["items"].as_array();
    let paths: BTreeSet<&str> =
        items.into_iter().flatten().filter_map(|item| item["path"].as_str()).collect();
    let quoted = Quoted::read(text, &paths);
    let right_files: BTreeSet<&str> = case.gold.iter().map(String::as_str).collect();
    let right_lines = changed_functions(case, view);
    Ok(Measured {
        group: Group::of(case),
        characters: text.chars().count(),
        files: Counts::of(&quoted.files, &right_files),
        lines: (!right_lines.is_empty()).then(|| Counts::of(&quoted.lines, &right_lines)),
        n_regions: quoted.n_regions,
    })
}

impl Counts {
    fn of<T: Ord>(shown: &BTreeSet<T>, right: &BTreeSet<T>) -> Self {
        let both = shown.intersection(right).count();
        Self { shown: shown.len(), right: right.len(), both }
    }
}

/// Returns the lines of the functions that the data set lists as the answer to the prompt. Functions that are not in
/// the index are skipped.
fn changed_functions<'a>(case: &'a Case, view: &View) -> BTreeSet<Line<'a>> {
    let mut lines = BTreeSet::new();
    for function in case.gold_functions.iter().flatten() {
        let Some((path, name)) = function.split_once("::") else { continue };
        let Some(file) = view.file_by_path(path) else { continue };
        for symbol in view.symbols_in(file).filter(|symbol| symbol.qualified == name) {
            lines.extend(symbol.lines.map(|number| (path, number)));
        }
    }
    lines
}
