//! `adjutant callers`: shows the callers or callees of a function, or the calls that lead from one function to another.

use std::collections::BTreeSet;
use std::io;
use std::process::ExitCode;

use clap::Args;
use engine::{
    CallChain, Callers, ChainOptions, ChainStep, Direction, Source, ToQuote, call_chain, call_path,
    find_nodes,
};
use index::{Node, SymbolId, View};
use serde::Serialize;

use super::repository::{At, deadline};
use super::table::Table;
use crate::failure::Failure;
use crate::output;
use crate::usage_error::distance;

const EXAMPLES: &str = "\
Examples:
  adjutant callers charge
  adjutant callers Account::charge --callees
  adjutant callers src/api.rs:40 --to charge";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The function, as `name`, `Type::name` or `path:line`
    name: String,
    #[command(flatten)]
    at: At,
    /// Show the functions that the function calls instead of its callers
    #[arg(long, conflicts_with = "to")]
    callees: bool,
    /// Show the calls that lead from the function to another function
    #[arg(long, value_name = "NAME")]
    to: Option<String>,
    /// Follow at most N calls
    #[arg(long, default_value_t = 3, value_name = "N")]
    depth: u32,
    /// Show at most N calls
    #[arg(short = 'n', long, default_value_t = 50, value_name = "N")]
    limit: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let options = ChainOptions {
        depth: arguments.depth,
        limit: arguments.limit,
        min_confidence: 0.0,
        deadline: deadline(),
    };
    let root = guard::Root::open(&arguments.at.place()?.root)
        .map_err(|error| Failure::new(error.to_string(), contract::ExitCode::Configuration))?;
    let source = Source {
        root: root.path(),
        admits: &|path| !guard::is_sensitive(path),
        open: &|path| root.open_file(path).map_err(io::Error::other),
        // Only the locations are printed.
        to_quote: &|_| ToQuote::Nothing,
    };
    let (chain, callers) = arguments.at.ask(|view| {
        let starts = named(view, &arguments.name)?;
        Ok(match &arguments.to {
            Some(to) => (call_path(view, &starts, &named(view, to)?, options), None),
            None if arguments.callees => {
                (call_chain(view, &starts, Direction::Callees, options), None)
            }
            None => {
                let callers =
                    engine::callers(view, &source, &same_named(view, &starts), deadline());
                (call_chain(view, &starts, Direction::Callers, options), callers)
            }
        })
    })?;
    let is_complete = chain.complete && callers.as_ref().is_none_or(Callers::is_complete);
    if arguments.at.json {
        let steps = chain.steps.iter().map(Step::new).collect();
        let about = callers.as_ref().map(Callers::about);
        let possible = callers.iter().flat_map(possible_places).collect();
        return output::json(&Chain { about, complete: is_complete, possible, steps });
    }
    let nothing = match (&arguments.to, arguments.callees) {
        (Some(to), _) => format!("no calls lead from `{}` to `{to}`", arguments.name),
        (None, true) => format!("`{}` calls no function in the repository", arguments.name),
        (None, false) => format!("nothing in the repository calls `{}`", arguments.name),
    };
    as_table(&chain).print(&nothing);
    if let Some(callers) = callers.filter(|callers| !callers.is_complete()) {
        let (certain, about) = (callers.certain.len(), callers.about());
        output::talk(&format!("{certain} of about {about} direct calls are certain"));
        let places: Vec<String> = possible_places(&callers).take(MAX_POSSIBLE).collect();
        if !places.is_empty() {
            output::talk(&format!("possible calls: {}", places.join(", ")));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The maximum number of possible calls that are listed after the table.
const MAX_POSSIBLE: usize = 10;

/// Returns the symbols among `nodes` that have the name of the first one.
fn same_named(view: &View, nodes: &[Node]) -> Vec<SymbolId> {
    let symbols = nodes.iter().filter_map(|node| match node {
        Node::Symbol(id) => Some(*id),
        Node::File(_) => None,
    });
    let mut symbols: Vec<SymbolId> = symbols.collect();
    if let Some(first) = symbols.first().copied() {
        symbols.retain(|id| view.symbol(*id).name == view.symbol(first).name);
    }
    symbols
}

fn possible_places(callers: &Callers) -> impl Iterator<Item = String> {
    callers.possible.iter().map(|call| format!("{}:{}", call.caller.path, call.line))
}

/// Returns the definitions or files with this name. If there are none, the error suggests a search.
pub(super) fn named(view: &View, name: &str) -> Result<Vec<Node>, Failure> {
    let nodes = find_nodes(view, name);
    if nodes.is_empty() {
        let text = format!("no definition or file is named `{name}`");
        let hint = match nearest_names(view, name).as_slice() {
            [] => format!("`adjutant search --mode symbol {name}` lists similar names"),
            near => format!("did you mean {}?", near.join(", ")),
        };
        return Err(Failure::not_found(text).hint(hint));
    }
    Ok(nodes)
}

/// Returns the names of definitions that differ from `name` by a few letters, nearest first.
fn nearest_names(view: &View, name: &str) -> Vec<String> {
    const MAX_NAMES: usize = 3;
    let wanted = name.rsplit(['.', ':']).next().unwrap_or(name).to_lowercase();
    let max_distance = (wanted.chars().count() / 4).max(1);
    let mut near = BTreeSet::new();
    for symbol in view.files().flat_map(|file| view.symbols_in(file)) {
        if symbol.name.len().abs_diff(wanted.len()) <= max_distance {
            let apart = distance(&wanted, &symbol.name.to_lowercase());
            if apart <= max_distance {
                near.insert((apart, symbol.name.to_owned()));
            }
        }
    }
    near.into_iter().take(MAX_NAMES).map(|(_, name)| format!("`{name}`")).collect()
}

#[derive(Serialize)]
struct Chain<'a> {
    /// The number of lines that call the function or may call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<usize>,
    complete: bool,
    /// The lines that may call the function, as `path:line`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    possible: Vec<String>,
    steps: Vec<Step<'a>>,
}

#[derive(Serialize)]
struct Step<'a> {
    /// The location of the call, as `path:line`.
    call: &'a str,
    confidence: f64,
    depth: u32,
    from: Option<usize>,
    line: u32,
    path: &'a str,
    symbol: Option<&'a str>,
}

impl<'a> Step<'a> {
    fn new(step: &'a ChainStep) -> Self {
        let ChainStep { location, from, depth, line, call, confidence } = step;
        let (path, symbol) = (location.path.as_str(), location.symbol.as_deref());
        let confidence = f64::from(*confidence);
        Self { call, confidence, depth: *depth, from: *from, line: *line, path, symbol }
    }
}

fn as_table(chain: &CallChain) -> Table {
    let mut table = Table::new(["away", "place", "symbol", "confidence"]).optional(["confidence"]);
    for step in &chain.steps {
        table.row([
            step.depth.to_string(),
            format!("{}:{}", step.location.path, step.line),
            step.location.symbol.clone().unwrap_or_default(),
            format!("{:.2}", step.confidence),
        ]);
    }
    table
}
