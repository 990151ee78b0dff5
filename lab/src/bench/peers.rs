//! `cargo xtask bench peers --tree CLONE --scratch DIR [--programs DIR] [--prompts FILE] [--only NAME]`
//!
//! Compares Adjutant with other programs that find code for a prompt. Each program indexes a copy of the same clone,
//! indexes it again after one file has changed, and answers the same prompts, each in a new process. A prompt is a
//! hit if a correct file is among the first five files in the output. The programs are installed into the scratch
//! folder.

mod cost;
mod install;
mod output_files;
mod programs;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Deserialize;

use super::arguments;
use crate::output::{print_message, print_result};
use crate::root;
use cost::Cost;
use programs::{PEERS, Peer, Stage};

const USAGE: &str = "cargo xtask bench peers --tree CLONE --scratch DIR [--programs DIR] [--prompts FILE] [--only NAME]
  --tree CLONE    a clone of the repository that the prompts are about; it is copied
  --scratch DIR   where the peers, the copy and the indexes are put
  --programs DIR  the release programs of Adjutant (default: target/release)
  --prompts FILE  lines of {\"prompt\": …, \"gold\": [paths]} (default: twelve prompts about django)
  --only NAME     measure only the programs whose name begins with NAME";
const DJANGO: &str = include_str!("peers/django.jsonl");
/// Only this number of files at the start of an output is evaluated.
const COUNTED_FILES: usize = 5;

#[derive(Deserialize)]
struct Task {
    prompt: String,
    /// The correct files. It is enough to find one of them.
    gold: Vec<String>,
}

struct Options {
    tree: PathBuf,
    scratch: PathBuf,
    programs: PathBuf,
    prompts: Option<PathBuf>,
    only: String,
}

/// The results of one program. A field is `None` if the program does not have that step.
struct Row {
    name: &'static str,
    cold: Option<Cost>,
    changed: Option<Cost>,
    /// The mean cost of a prompt.
    prompt: Option<Cost>,
    hits: Option<usize>,
}

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    arguments::run(USAGE, parse(arguments), bench)
}

fn parse(arguments: &[&str]) -> Option<Options> {
    let (mut tree, mut scratch, mut prompts) = (None, None, None);
    let mut programs = root().join("target/release");
    let mut only = String::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let value = *rest.next()?;
        match *argument {
            "--tree" => tree = Some(PathBuf::from(value)),
            "--scratch" => scratch = Some(PathBuf::from(value)),
            "--programs" => programs = value.into(),
            "--only" => only = value.to_owned(),
            "--prompts" => prompts = Some(PathBuf::from(value)),
            _ => return None,
        }
    }
    Some(Options { tree: tree?, scratch: scratch?, programs, prompts, only })
}

fn bench(options: &Options) -> Result<(), String> {
    let tasks = read_tasks(options.prompts.as_deref())?;
    let real = |path: &Path| {
        path.canonicalize().map_err(|error| format!("cannot find `{}`: {error}", path.display()))
    };
    fs::create_dir_all(&options.scratch).map_err(|error| error.to_string())?;
    let stage = Stage { scratch: real(&options.scratch)?, programs: real(&options.programs)? };
    install::install(&stage.scratch)?;
    let mut rows = Vec::new();
    for peer in PEERS.iter().filter(|peer| peer.name.starts_with(&options.only)) {
        print_message(&format!("== {}", peer.name));
        // Each program gets its own copy of the tree, because it must not search the indexes of other programs.
        let files = install::copy_tree(&real(&options.tree)?, &stage.tree())?;
        match measure(peer, &stage, &tasks, &files) {
            Ok(row) => rows.push(row),
            Err(error) => print_message(&format!("left out: {}: {error}", peer.name)),
        }
    }
    print_result(&table(&rows, tasks.len()));
    Ok(())
}

fn read_tasks(path: Option<&Path>) -> Result<Vec<Task>, String> {
    let text = match path {
        Some(path) => fs::read_to_string(path)
            .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?,
        None => DJANGO.to_owned(),
    };
    let task = |line: &str| serde_json::from_str(line).map_err(|error| format!("{error}: {line}"));
    text.lines().filter(|line| !line.trim().is_empty()).map(task).collect()
}

fn measure(
    peer: &Peer,
    stage: &Stage,
    tasks: &[Task],
    files: &HashSet<String>,
) -> Result<Row, String> {
    let cold = peer.index.map(|step| stage.run(step, "")).transpose()?;
    let changed = peer.update.map(|step| {
        let path = stage.tree().join("changed_by_the_bench.py");
        fs::write(path, "def changed_by_the_bench():\n    pass\n").map_err(|e| e.to_string())?;
        stage.run(step, "")
    });
    let changed = changed.transpose()?;
    let mut row = Row {
        name: peer.name,
        cold: cold.map(|cold| cold.0),
        changed: changed.map(|changed| changed.0),
        prompt: None,
        hits: None,
    };
    let Some(step) = peer.ask else { return Ok(row) };
    // The first run only loads the program from disk and is not measured.
    stage.run(step, &tasks[0].prompt)?;
    let (mut sum, mut hits) = (Cost::default(), 0);
    for task in tasks {
        let (cost, output) = stage.run(step, &task.prompt)?;
        sum = sum + cost;
        let ranked = (peer.rank)(&output, &stage.tree(), files);
        let is_hit = ranked.iter().take(COUNTED_FILES).any(|file| task.gold.contains(file));
        hits += usize::from(is_hit);
        print_message(&format!("{} {}", if is_hit { "hit " } else { "miss" }, task.prompt));
    }
    row.prompt = Some(sum.mean(tasks.len()));
    row.hits = Some(hits);
    Ok(row)
}

/// Formats a table with the wall time and the processor time of each step. The ratio compares the processor time with that of
/// Adjutant, which is in the first row.
fn table(rows: &[Row], n_tasks: usize) -> String {
    let mut text = format!(
        "| program | cold index | one changed file | a prompt, cold process | hit@{COUNTED_FILES} |\n|---|---|---|---|---|\n"
    );
    for row in rows {
        let cell = |cost: fn(&Row) -> Option<Cost>| {
            let ours = rows.first().and_then(cost);
            cost(row).map_or("–".to_owned(), |cost| cost.text(ours))
        };
        let hits = row.hits.map_or("–".to_owned(), |hits| format!("{hits} of {n_tasks}"));
        let (cold, changed) = (cell(|row| row.cold), cell(|row| row.changed));
        let prompt = cell(|row| row.prompt);
        text += &format!("| {} | {cold} | {changed} | {prompt} | {hits} |\n", row.name);
    }
    text.trim_end().to_owned()
}
