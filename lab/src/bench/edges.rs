//! `cargo xtask bench edges --repositories DIR [--misses]`
//!
//! Compares the call edges in the index with the direct callers that a language server finds. For each repository, `DIR`
//! contains a folder `NAME` with a checkout and a file `NAME.json` with the callers. The file is written by
//! `edges/truth_lsp.py` with gopls, pyright or rust-analyzer, by `edges/truth.py` with jedi, or by `edges/truth.js` with
//! the TypeScript compiler.

mod score;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use index::{BuildOptions, EdgeKind, LookOptions, Node, Parser, Store, View};
use serde::Deserialize;

use super::arguments;
use crate::output::print_result;
use score::{FunctionScore, table};

/// The callers of a sample of functions in one repository.
#[derive(Deserialize)]
struct Truth {
    repository: String,
    functions: Vec<KnownFunction>,
}

/// A function and the lines that refer to it, each as `path:line`.
#[derive(Deserialize)]
struct KnownFunction {
    path: String,
    line: u32,
    name: String,
    /// The lines that call the function.
    callers: Vec<String>,
    /// The lines that refer to the function without calling it. An edge from such a line is neither required nor wrong.
    uses: Vec<String>,
    /// The lines that may call the function: a call through an interface that it implements, or code that the language
    /// server leaves out. An edge from such a line is not counted.
    #[serde(default)]
    undecided: Vec<String>,
}

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    let options = match arguments {
        ["--repositories", folder] => Some((*folder, false)),
        ["--repositories", folder, "--misses"] => Some((*folder, true)),
        _ => None,
    };
    let usage = "cargo xtask bench edges --repositories DIR [--misses]";
    arguments::run(usage, options, |(folder, shows_misses)| bench(Path::new(folder), *shows_misses))
}

fn bench(folder: &Path, shows_misses: bool) -> Result<(), String> {
    let mut repositories = Vec::new();
    for file in truth_files(folder)? {
        let text = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let truth: Truth = serde_json::from_slice(&text)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        let view = index_of(&file.with_extension(""))?;
        let scores: Vec<FunctionScore> =
            truth.functions.iter().map(|function| score_of(&view, function)).collect();
        if shows_misses {
            print_result(&score::misses(&scores));
        }
        repositories.push((truth.repository, scores));
    }
    print_result(&table(&repositories));
    Ok(())
}

fn truth_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(format!(
            "no file with callers in {}; write one with lab/src/bench/edges/truth_lsp.py",
            folder.display()
        ));
    }
    Ok(files)
}

#[expect(clippy::disallowed_methods, reason = "a bench is the edge: it reads the clock")]
fn index_of(checkout: &Path) -> Result<View, String> {
    let cache = tempfile::tempdir().map_err(|error| error.to_string())?;
    let store = Store::new(cache.path(), checkout);
    store
        .refresh(&BuildOptions::new(SystemTime::now(), Parser::linked()), &|_| {})
        .map_err(|error| format!("{}: {error}", checkout.display()))?;
    let options = LookOptions::until(Instant::now() + Duration::from_secs(60), Parser::linked());
    store.view(&options).map_err(|error| format!("{}: {error}", checkout.display()))
}

/// Compares the incoming edges of a function with its known callers.
fn score_of(view: &View, function: &KnownFunction) -> FunctionScore {
    let file = view.file_by_path(&function.path);
    let symbols = file.into_iter().flat_map(|file| view.symbols_in(file));
    let symbol = symbols
        .filter(|symbol| symbol.name == function.name && symbol.lines.contains(&function.line))
        .max_by_key(|symbol| *symbol.lines.start());
    let mut found: Vec<(String, f32)> = Vec::new();
    if let Some(symbol) = symbol {
        for edge in view.references_into(Node::Symbol(symbol.id)) {
            let caller = match edge.from {
                Node::File(file) => file,
                Node::Symbol(symbol) => view.symbol(symbol).file,
            };
            if edge.kind == EdgeKind::Calls {
                let place = format!("{}:{}", view.file(caller).path, edge.line);
                found.push((place, edge.confidence));
            }
        }
    }
    FunctionScore::new(function, found)
}
