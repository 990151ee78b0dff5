//! `adjutant callers`: shows the callers or callees of a function, or the calls that lead from one function to another.

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::Args;
use engine::{CallChain, ChainOptions, ChainStep, Direction, call_chain, call_path, find_nodes};
use index::{Node, View};
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
    let chain = arguments.at.ask(|view| {
        let starts = named(view, &arguments.name)?;
        Ok(match &arguments.to {
            Some(to) => call_path(view, &starts, &named(view, to)?, options),
            None if arguments.callees => call_chain(view, &starts, Direction::Callees, options),
            None => call_chain(view, &starts, Direction::Callers, options),
        })
    })?;
    if arguments.at.json {
        let steps = chain.steps.iter().map(Step::new).collect();
        return output::json(&Chain { complete: chain.complete, steps });
    }
    let nothing = match (&arguments.to, arguments.callees) {
        (Some(to), _) => format!("no calls lead from `{}` to `{to}`", arguments.name),
        (None, true) => format!("`{}` calls no function in the repository", arguments.name),
        (None, false) => format!("nothing in the repository calls `{}`", arguments.name),
    };
    as_table(&chain).print(&nothing);
    Ok(ExitCode::SUCCESS)
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
    complete: bool,
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
