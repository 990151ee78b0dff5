//! Selects the clients whose settings are changed: a named client, all clients on `PATH`, or the ones that the user
//! chooses.

use std::io::{BufRead, IsTerminal};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clients::{CLIENTS, Client};
use process::Environment;

use super::version;
use crate::failure::Failure;
use crate::hook::{client_values, named_client};
use crate::output;

/// The clients that the command line names.
#[derive(Clone, Copy)]
pub(crate) enum Choice {
    All,
    One(&'static dyn Client),
}

/// Returns a parser for the name of a client, or `all`.
pub(crate) fn choice_parser() -> impl TypedValueParser<Value = Choice> {
    let all = PossibleValue::new("all");
    PossibleValuesParser::new(client_values().chain([all]))
        .map(|word| named_client(&word).map_or(Choice::All, Choice::One))
}

/// Returns the clients whose settings are changed. If no client is named, or `all` is named without `--yes`, asks the
/// user on a terminal.
pub(super) fn clients(
    choice: Option<Choice>,
    is_confirmed: bool,
    environment: &Environment,
) -> Result<Vec<&'static dyn Client>, Failure> {
    if let Some(Choice::One(client)) = choice {
        return Ok(vec![client]);
    }
    let found: Vec<&'static dyn Client> =
        CLIENTS.into_iter().filter(|it| version::find(*it, environment).is_some()).collect();
    if found.is_empty() {
        return Err(none_on_path());
    }
    if is_confirmed && choice.is_some() {
        return Ok(found);
    }
    if !std::io::stdin().is_terminal() {
        return Err(list(&found, choice));
    }
    ask(&found)
}

pub(crate) fn none_on_path() -> Failure {
    let words: Vec<&str> = CLIENTS.iter().map(|client| client.names().program).collect();
    let text = format!("no client is on PATH: looked for {}", words.join(", "));
    Failure::configuration(text).hint("install a client first")
}

/// Prints the clients on `PATH` with their install commands, and returns the usage error.
fn list(found: &[&'static dyn Client], choice: Option<Choice>) -> Failure {
    for client in found {
        let names = client.names();
        output::data(&format!("{:<12} adjutant install {}", names.title, names.word));
    }
    let text = match choice {
        Some(_) => "`install all` asks before it changes anything, and stdin is not a terminal",
        None => "no client was given, and stdin is not a terminal",
    };
    Failure::usage(text).hint("run one of the commands above, or `adjutant install all --yes`")
}

fn ask(found: &[&'static dyn Client]) -> Result<Vec<&'static dyn Client>, Failure> {
    for (number, client) in (1..).zip(found) {
        output::talk(&format!("{number}  {}", client.names().title));
    }
    output::talk("Install into which clients? Numbers separated by spaces, or `all`:");
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    let nothing = || {
        Failure::usage("no client was chosen")
            .hint("nothing was changed; run `adjutant install CLIENT`")
    };
    if read.is_err() || line.trim().is_empty() {
        return Err(nothing());
    }
    chosen(found, &line).ok_or_else(nothing)
}

/// Returns the clients that an answer selects, or `None` if a part of the answer is not a number in the list.
fn chosen(found: &[&'static dyn Client], line: &str) -> Option<Vec<&'static dyn Client>> {
    if line.trim() == "all" {
        return Some(found.to_vec());
    }
    let words = line.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty());
    words.map(|word| found.get(word.parse::<usize>().ok()?.checked_sub(1)?).copied()).collect()
}
