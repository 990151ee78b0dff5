//! `adjutant verify`: runs the installed clients with a test model on the loopback interface and checks the briefing.

use std::path::PathBuf;
use std::process::ExitCode as Exit;

use clap::Args;
use clients::{CLIENTS, Client};
use process::{Environment, StopSwitch};
use serde::Serialize;
use verify::{CheckedClient, ClientCheck};

use super::install::{Choice, choice_parser, none_on_path, version};
use super::table::Table;
use crate::failure::Failure;
use crate::{edge, output, signals, style};

/// The exit code after a signal, as in a shell.
const INTERRUPTED: u8 = 130;

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Name the clients; the default is every client on PATH
    #[arg(value_name = "CLIENT", value_parser = choice_parser())]
    clients: Vec<Choice>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Do not install the hook, to confirm that the checks fail without the hook
    #[arg(long, hide = true)]
    without_hook: bool,
}

const AFTER_HELP: &str = "\
evidence: the first request to the model contains the readable signature of a planted function
broken-kernel: if Adjutant fails, the prompt is answered without a briefing
once: the request contains one briefing, even if the hook is in the user's settings, in the repository's settings and in the plugin

Each check starts the client once, in a private temporary home, with a model on the loopback interface. The checks need no account and no network, and change none of your files.
Exit codes: 0 every check passed · 1 a check failed, or a named client is not on PATH · 20 no client is on PATH · 130 interrupted.";

/// A client and the results of its checks. It is serialized as is for the JSON output.
#[derive(Serialize)]
struct Row {
    client: &'static str,
    #[serde(skip)]
    title: &'static str,
    /// `None` if the client is not on `PATH`.
    program: Option<PathBuf>,
    version: Option<String>,
    checks: Vec<CheckRow>,
    /// The command that installs a client that is not on `PATH`.
    #[serde(skip_serializing_if = "Option::is_none")]
    install: Option<String>,
}

#[derive(Serialize)]
struct CheckRow {
    check: &'static str,
    ok: bool,
    problem: Option<String>,
}

#[derive(Serialize)]
struct Report<'a> {
    version: &'static str,
    ok: bool,
    clients: &'a [Row],
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let environment = edge::environment();
    let named = named(&arguments.clients);
    let chosen = if named.is_empty() { CLIENTS.to_vec() } else { named.clone() };
    // Without this handler, a signal would terminate only this process. The client would continue to run, and its home
    // would not be deleted.
    let stop = signals::stop_on_signals();
    let mut rows = Vec::new();
    for client in chosen {
        rows.push(row(client, &environment, !arguments.without_hook, &stop)?);
        if stop.is_on() {
            output::talk("interrupted: the remaining checks were not run");
            return Ok(Exit::from(INTERRUPTED));
        }
    }
    if named.is_empty() && rows.iter().all(|row| row.program.is_none()) {
        return Err(none_on_path());
    }
    let is_good = |row: &Row| match row.program {
        Some(_) => row.checks.iter().all(|check| check.ok),
        None => named.is_empty(),
    };
    let ok = rows.iter().all(is_good);
    if arguments.json {
        output::json(&Report { version: crate::VERSION, ok, clients: &rows })?;
    } else {
        print(&rows);
    }
    Ok(output::found(ok))
}

/// Returns the clients named on the command line. Returns an empty list if no client is named, or if `all` is named.
fn named(choices: &[Choice]) -> Vec<&'static dyn Client> {
    let clients = choices.iter().map(|choice| match choice {
        Choice::One(client) => Some(*client),
        Choice::All => None,
    });
    clients.collect::<Option<_>>().unwrap_or_default()
}

fn row(
    client: &'static dyn Client,
    environment: &Environment,
    has_hook: bool,
    stop: &StopSwitch,
) -> Result<Row, Failure> {
    let names = client.names();
    let mut row = Row {
        client: names.word,
        title: names.title,
        program: version::find(client, environment),
        version: None,
        checks: Vec::new(),
        install: None,
    };
    let Some(program) = row.program.clone() else {
        row.install = Some(format!("npm install -g {}", names.package));
        return Ok(row);
    };
    row.version = version::read(client, &program, environment);
    let unknown = || Failure::configuration("the folder of adjutant is not known");
    let programs = edge::program_directory().ok_or_else(unknown)?;
    let environment = environment.clone();
    let stop = stop.clone();
    let subject = CheckedClient { client, program, programs, environment, has_hook, stop };
    for check in ClientCheck::ALL {
        if subject.stop.is_on() {
            break;
        }
        output::talk(&format!("{}: {}", names.title, check.name()));
        let problem = verify::run(check, &subject).map_err(|error| {
            let text = format!("cannot create a private home for {}: {error}", names.title);
            Failure::configuration(text)
                .hint("make sure that the folder for temporary files is writable")
        })?;
        row.checks.push(CheckRow { check: check.name(), ok: problem.is_none(), problem });
    }
    Ok(row)
}

fn print(rows: &[Row]) {
    let checks = ClientCheck::ALL.map(ClientCheck::name);
    let mut table = Table::new(["client", "version"].into_iter().chain(checks));
    for row in rows.iter().filter(|row| row.program.is_some()) {
        let version = row.version.clone().unwrap_or_else(|| "unknown".to_owned());
        let cells =
            row.checks.iter().map(|check| if check.ok { "ok" } else { "FAILED" }.to_owned());
        table.row([row.title.to_owned(), version].into_iter().chain(cells));
    }
    table.print_rows();
    for row in rows {
        for check in &row.checks {
            if let Some(problem) = &check.problem {
                let mark = style::paint(style::BAD, "FAILED");
                let problem = guard::neutralise(problem);
                output::data(&format!("{mark} {}, {}: {problem}", row.title, check.check));
            }
        }
        if let Some(install) = &row.install {
            output::data(&format!("{} is not on PATH; to install it: {install}", row.title));
        }
    }
}
