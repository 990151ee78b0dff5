//! `adjutant ui`: serves a page about unattended runs on the loopback interface.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode as Exit;
use std::sync::{Mutex, PoisonError};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use process::{Environment, Program};
use serde_json::{Value, json};
use ui::{Options, PageLanguage};

use super::log;
use super::queue::StoreArguments;
use super::run::{run_host_at, sessions_root};
use crate::benefit::Benefit;
use crate::failure::Failure;
use crate::run_log::{self, LoggedDecision, LoggedFinding, LoggedRun};
use crate::{edge, output};

const AFTER_HELP: &str = concat!(
    "\
The link works once, in one browser; `--link` prints another one. Ctrl-C stops the server.

Examples:
  adjutant ui
  adjutant ui --open
  adjutant ui --port 7450 --lang zh
  adjutant ui --link

What the page shows: ",
    page!("guide/ui.md")
);

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Serve on this port [default: a free port]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Print a new link of the running server, for another browser, and exit
    #[arg(long, conflicts_with_all = ["open", "lang", "log_dir"])]
    link: bool,
    /// Show the page in English or Chinese [default: the browser's language]
    #[arg(long, value_name = "LANG", value_parser = language())]
    lang: Option<PageLanguage>,
    /// Read jobs from this folder
    #[arg(long, value_name = "DIR")]
    log_dir: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArguments,
}

fn language() -> impl TypedValueParser<Value = PageLanguage> {
    let language =
        |word: String| if word == "zh" { PageLanguage::Chinese } else { PageLanguage::English };
    PossibleValuesParser::new(["en", "zh"]).map(language)
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let environment = edge::environment();
    if arguments.link {
        return link(arguments.port, &environment);
    }
    let sessions = sessions_root(&environment, arguments.log_dir.as_deref())?;
    runs::Sessions::at(&sessions).check_folder().map_err(Failure::configuration)?;
    let log = run_log::file(&environment);
    let options = Options {
        port: arguments.port.unwrap_or(0),
        language: arguments.lang,
        secret: edge::secret,
        folder: folder(&environment),
        codex: run_host_at(&environment, sessions),
        queue: arguments.store.location()?,
        benefit: Box::new(benefit(log.clone())),
        briefings: Box::new(move |limit| {
            let runs = log.as_deref().map(run_log::read).unwrap_or_default();
            runs.iter().take(limit).map(briefing).collect()
        }),
    };
    let mut file = None;
    let served = ui::serve(options, |link| {
        output::data(link);
        output::talk("the link works once; Ctrl-C stops the server");
        if arguments.open {
            match open(link, &environment) {
                Ok(written) => file = Some(written),
                Err(error) => output::talk(&format!("warning: cannot open the browser: {error}")),
            }
        }
    });
    if let Some(file) = file {
        // The token in the file has been used, or is no longer valid.
        drop(std::fs::remove_file(file));
    }
    served.map_err(|error| {
        Failure::configuration(error).hint("without `--port`, a free port is used")
    })?;
    Ok(Exit::SUCCESS)
}

/// Prints a new link of a running server.
fn link(port: Option<u16>, environment: &Environment) -> Result<Exit, Failure> {
    let folder = folder(environment).unwrap_or_default();
    let link = ui::new_link(&folder, port).map_err(|error| {
        Failure::configuration(error).hint("`adjutant ui` starts a server and prints its link")
    })?;
    output::data(&link);
    Ok(Exit::SUCCESS)
}

/// Returns the private folder of the servers.
fn folder(environment: &Environment) -> Option<PathBuf> {
    edge::state_directory(environment).map(|state| state.join("ui"))
}

/// Returns a function that counts the benefit of the last seven days. It reads the transcripts again only if the log has
/// changed.
fn benefit(log: Option<PathBuf>) -> impl Fn() -> Value {
    const SEVEN_DAYS: u64 = 7 * 24 * 60 * 60;
    let last = Mutex::new((0, Benefit::default()));
    move || {
        let runs = log.as_deref().map(run_log::read).unwrap_or_default();
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 != runs.len() {
            *last = (runs.len(), log::measure(runs, Some(SEVEN_DAYS)));
        }
        let Benefit { sessions, briefings, characters, places, used_places, .. } = last.1;
        json!({
            "sessions": sessions, "briefings": briefings, "characters": characters,
            "places": places, "usedPlaces": used_places,
        })
    }
}

/// Describes a run for the page. `probability` is the gate's estimate of the probability that evidence is wanted.
fn briefing(run: &LoggedRun) -> Value {
    let decision = run.decision.as_ref();
    let finding = |finding: &LoggedFinding| {
        json!({
            "place": finding.place(), "symbol": finding.symbol, "tool": finding.tool,
            "confidence": finding.confidence,
        })
    };
    json!({
        "id": run.run_id,
        "createdAt": run.created_at,
        "client": run.client,
        "repository": run.repo_root,
        "prompt": run.prompt,
        "amount": run.amount(),
        "reasons": decision.map(LoggedDecision::reasons).unwrap_or_default(),
        "probability": decision.map(|decision| decision.probability),
        "characters": run.characters,
        "tools": run.tools,
        "findings": run.best_findings().into_iter().map(finding).collect::<Vec<_>>(),
        "limits": run.limits,
    })
}

/// Opens the link in the browser and returns the path of a private file that contains the link. The browser gets the
/// path of this file, because other users can read the arguments of a process.
fn open(link: &str, environment: &Environment) -> io::Result<PathBuf> {
    let folder = folder(environment);
    let folder = folder.ok_or_else(|| io::Error::other("the state folder is not known"))?;
    disk::create_private_folder(&folder)?;
    let file = folder.join(format!("open-{}.html", std::process::id()));
    let html = format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Adjutant</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url={link}\">\n<a href=\"{link}\">Adjutant</a>\n"
    );
    disk::replace_file(&file, html.as_bytes(), None)?;
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let program = Program::new(opener, environment.clone()).argument(&file);
    if let Err(error) = process::start_detached(&program) {
        drop(std::fs::remove_file(&file));
        return Err(io::Error::other(error.to_string()));
    }
    Ok(file)
}
