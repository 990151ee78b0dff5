//! `adjutant complexity`: shows the complexity of functions and files.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use engine::{ComplexityOptions, FileComplexity, FunctionComplexity};
use serde::Serialize;

use super::repository::{At, deadline};
use super::table::Table;
use crate::failure::Failure;
use crate::{edge, output};

const EXAMPLES: &str = "\
Examples:
  adjutant complexity
  adjutant complexity src/billing -n 5";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The file or folder to analyse [default: the whole repository]
    #[arg(default_value = "", hide_default_value = true)]
    path: String,
    #[command(flatten)]
    at: At,
    /// Show at most N functions
    #[arg(short = 'n', long, default_value_t = 20, value_name = "N")]
    limit: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let options = ComplexityOptions {
        path: from_top(&arguments.at, &arguments.path)?,
        top_k: arguments.limit,
        deadline: deadline(),
    };
    let report = arguments.at.ask(|view| Ok(engine::complexity(view, &options)))?;
    if arguments.at.json {
        return output::json(&Report {
            complete: report.complete,
            files: report.files.iter().map(FileRow::new).collect(),
            functions: report.functions.iter().map(FunctionRow::new).collect(),
        });
    }
    let mut table = Table::new(["cognitive", "cyclomatic", "nesting", "lines", "place", "symbol"])
        .optional(["nesting", "lines"]);
    for function in &report.functions {
        table.row([
            function.figures.cognitive.to_string(),
            function.figures.cyclomatic.to_string(),
            function.figures.nesting.to_string(),
            function.lines.to_string(),
            format!("{}:{}", function.location.path, function.location.lines.start()),
            function.location.symbol.clone().unwrap_or_default(),
        ]);
    }
    table.print("no functions found");
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Report<'a> {
    complete: bool,
    files: Vec<FileRow<'a>>,
    functions: Vec<FunctionRow<'a>>,
}

#[derive(Serialize)]
struct FileRow<'a> {
    cognitive: u32,
    cyclomatic: u32,
    functions: u32,
    lines: u32,
    path: &'a str,
}

#[derive(Serialize)]
struct FunctionRow<'a> {
    cognitive: u16,
    cyclomatic: u16,
    line: u32,
    lines: u32,
    nesting: u16,
    path: &'a str,
    symbol: Option<&'a str>,
}

impl<'a> FileRow<'a> {
    fn new(file: &'a FileComplexity) -> Self {
        let &FileComplexity { ref path, functions, lines, cyclomatic, cognitive, .. } = file;
        Self { cognitive, cyclomatic, functions, lines, path }
    }
}

impl<'a> FunctionRow<'a> {
    fn new(function: &'a FunctionComplexity) -> Self {
        let FunctionComplexity { location, figures, lines } = function;
        Self {
            cognitive: figures.cognitive,
            cyclomatic: figures.cyclomatic,
            line: *location.lines.start(),
            lines: *lines,
            nesting: figures.nesting,
            path: &location.path,
            symbol: location.symbol.as_deref(),
        }
    }
}

/// Converts `path` to the form used in the index. `path` is relative to the working directory or to the repository
/// root.
fn from_top(at: &At, path: &str) -> Result<String, Failure> {
    if path.is_empty() {
        return Ok(String::new());
    }
    let root = at.place()?.root;
    let here = at.directory().or_else(edge::working_directory).unwrap_or_else(|| root.clone());
    let found = [here, root.clone()].iter().find_map(|base| base.join(path).canonicalize().ok());
    let inside = found.and_then(|found| found.strip_prefix(&root).map(Path::to_owned).ok());
    inside.map(|inside| inside.to_string_lossy().into_owned()).ok_or_else(|| {
        let text = format!("`{path}` is not in {}", root.display());
        Failure::not_found(text)
            .hint("use a path relative to the working directory or to the top of the repository")
    })
}
