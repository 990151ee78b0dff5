//! `adjutant search`: ranks files in the same way as a briefing and prints them, for one repository or several.

mod roots;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use engine::{FileHit, Mode, Query, SearchOptions};
use serde::Serialize;

use super::prompt::prompt;
use super::repository::{At, deadline};
use super::table::Table;
use crate::failure::Failure;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  adjutant search \"where are retries limited?\"
  adjutant search --mode symbol retry_budget
  git log -1 --format=%B | adjutant search -
  adjutant search --repos ../api ../web -- \"where are retries limited?\"
  adjutant search --workspace adjutant.workspace.toml \"where are retries limited?\"

In several repositories, each is ranked separately, and the results are ordered by their confidence.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The prompt; `-` or no argument reads it from stdin
    prompt: Vec<String>,
    #[command(flatten)]
    at: At,
    /// Show at most N files
    #[arg(short = 'n', long, default_value_t = 10, value_name = "N")]
    limit: usize,
    /// Match words, symbol names, or both
    #[arg(long, value_enum, default_value_t = ModeArgument::Hybrid)]
    mode: ModeArgument,
    /// Print only the paths, without symbols and reasons
    #[arg(long)]
    files: bool,
    /// Also print why each file was found
    #[arg(long)]
    why: bool,
    /// Search these repositories; the last argument is the prompt if it is not a folder
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["directory", "workspace"])]
    repos: Vec<PathBuf>,
    /// Search the repositories listed in a file: roots = ["../a", "../b"]
    #[arg(long, value_name = "FILE", conflicts_with = "directory")]
    workspace: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ModeArgument {
    Keyword,
    Symbol,
    Hybrid,
}

/// A search result, with the label of its repository if several repositories are searched.
struct RepositoryHit {
    label: Option<String>,
    hit: FileHit,
}

impl RepositoryHit {
    fn path(&self) -> String {
        match &self.label {
            Some(label) => format!("{label}:{}", self.hit.path),
            None => self.hit.path.clone(),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let (words, folders) = split(arguments)?;
    let prompt = prompt(&words)?;
    let mode = match arguments.mode {
        ModeArgument::Keyword => Mode::Keyword,
        ModeArgument::Symbol => Mode::Symbol,
        ModeArgument::Hybrid => Mode::Hybrid,
    };
    let query = Query::read(&prompt);
    let search = |at: &At| {
        let options =
            SearchOptions { limit: arguments.limit, mode, session: None, deadline: deadline() };
        at.ask(|view| Ok(engine::search(view, &query, &options)))
    };
    let hits = match folders {
        None => {
            let of_one = |hit| RepositoryHit { label: None, hit };
            search(&arguments.at)?.into_iter().map(of_one).collect()
        }
        Some(folders) => search_all(&folders, arguments, search)?,
    };
    print(arguments, &hits)?;
    Ok(output::found(!hits.is_empty() || arguments.limit == 0))
}

/// Returns the words of the prompt and the folders of the repositories. The folders are `None` if only the repository
/// of the working directory is searched.
fn split(arguments: &Arguments) -> Result<(Vec<String>, Option<Vec<PathBuf>>), Failure> {
    let words = arguments.prompt.clone();
    if let Some(file) = &arguments.workspace {
        return Ok((words, Some(roots::read_workspace(file)?)));
    }
    if arguments.repos.is_empty() {
        return Ok((words, None));
    }
    let mut folders = arguments.repos.clone();
    // In `--repos A B "prompt"`, the flag takes all words after it.
    let last =
        folders.last().filter(|last| words.is_empty() && !last.is_dir() && folders.len() > 1);
    match last.and_then(|last| last.to_str()).map(str::to_owned) {
        Some(prompt) => {
            folders.pop();
            Ok((vec![prompt], Some(folders)))
        }
        None => Ok((words, Some(folders))),
    }
}

/// Searches each repository separately and orders the results by confidence. Scores are not compared, because they
/// depend on the other files of a repository. Results with the same confidence are ordered by their rank, then by the
/// order of the repositories on the command line.
fn search_all(
    folders: &[PathBuf],
    arguments: &Arguments,
    search: impl Fn(&At) -> Result<Vec<FileHit>, Failure>,
) -> Result<Vec<RepositoryHit>, Failure> {
    let mut ranked = Vec::new();
    for (number, found) in roots::find(folders)?.into_iter().enumerate() {
        let hits = search(&arguments.at.in_repository(&found.root))?;
        ranked.extend(hits.into_iter().enumerate().map(|(rank, hit)| {
            (rank, number, RepositoryHit { label: Some(found.label.clone()), hit })
        }));
    }
    ranked.sort_by(|(rank, number, a), (other_rank, other_number, b)| {
        let by_confidence = b.hit.confidence.total_cmp(&a.hit.confidence);
        by_confidence.then((rank, number).cmp(&(other_rank, other_number)))
    });
    ranked.truncate(arguments.limit);
    Ok(ranked.into_iter().map(|(_, _, hit)| hit).collect())
}

fn print(arguments: &Arguments, hits: &[RepositoryHit]) -> Result<(), Failure> {
    if arguments.at.json {
        let rows: Vec<_> = hits.iter().map(|hit| Row::new(hit, arguments.files)).collect();
        output::json(&rows)?;
    } else if arguments.files {
        output::data(&hits.iter().map(RepositoryHit::path).collect::<Vec<_>>().join("\n"));
    } else {
        table(hits, arguments.why).print("nothing found");
    }
    Ok(())
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    /// The range of lines to show. The outer option is `None` if only paths are printed, and the inner option is `None`
    /// if the search result has no lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Option<[u32; 2]>>,
    path: &'a str,
    /// The label of the repository, if several repositories are searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<&'a str>,
    score: f64,
    symbols: Vec<SymbolRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a [&'static str]>,
}

#[derive(Serialize)]
struct SymbolRow<'a> {
    line: u32,
    name: &'a str,
    score: f64,
}

impl<'a> Row<'a> {
    fn new(found: &'a RepositoryHit, files_only: bool) -> Self {
        let hit = &found.hit;
        let symbols = hit.symbols.iter().map(|symbol| SymbolRow {
            line: symbol.line,
            name: &symbol.name,
            score: symbol.score.into(),
        });
        let lines = || hit.lines.as_ref().map(|lines| [*lines.start(), *lines.end()]);
        Self {
            confidence: (!files_only).then(|| hit.confidence.into()),
            lines: (!files_only).then(lines),
            path: &hit.path,
            repository: found.label.as_deref(),
            score: hit.score.into(),
            symbols: symbols.collect(),
            why: (!files_only).then_some(&hit.why),
        }
    }
}

fn table(hits: &[RepositoryHit], shows_why: bool) -> Table {
    let headings = ["confidence", "place", "symbol"].into_iter().chain(shows_why.then_some("why"));
    let mut table = Table::new(headings).optional(["why"]);
    for found in hits {
        let hit = &found.hit;
        let symbol = hit.symbols.first();
        let line = symbol
            .map(|symbol| symbol.line)
            .or(hit.lines.as_ref().map(|lines| *lines.start()))
            .unwrap_or(1);
        let cells = [
            format!("{:.2}", hit.confidence),
            format!("{}:{line}", found.path()),
            symbol.map(|symbol| symbol.name.clone()).unwrap_or_default(),
        ];
        table.row(cells.into_iter().chain(shows_why.then(|| hit.why.join(", "))));
    }
    table
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::{RepositoryHit, table};

    #[test]
    fn the_reasons_are_shown_only_on_request_and_rows_fit_60_columns() {
        let hit = engine::FileHit {
            path: "django/db/models/fields/related_descriptors.py".to_owned(),
            score: 1.0,
            confidence: 0.36,
            symbols: Vec::new(),
            lines: Some(350..=360),
            why: vec!["one passage contains most of the words"],
        };
        let hits = [RepositoryHit { label: None, hit }];
        let text = |shows_why: bool, width: Option<usize>| table(&hits, shows_why).text(width);
        assert!(!text(false, None).contains("why") && text(true, None).contains("one passage"));
        let narrow = anstream::adapter::strip_str(&text(true, Some(60))).to_string();
        assert!(narrow.lines().all(|line| line.width() <= 60), "{narrow}");
        assert!(narrow.contains("related_descriptors.py:350"), "{narrow}");
    }
}
