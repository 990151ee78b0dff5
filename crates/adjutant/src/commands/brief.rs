//! `adjutant brief`: creates the briefing for one prompt and prints it.

mod silence;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::Args;
use contract::{Briefing, ForUser, Request, counted};
use indicatif::ProgressBar;
use kernel::{Briefed, brief};

use super::orchestrate::host;
use super::prompt::prompt;
use crate::failure::Failure;
use crate::{edge, output, style};
use silence::Silence;

/// The delay before a spinner is shown. A spinner for a shorter time would only flicker.
const SPINNER_DELAY: Duration = Duration::from_millis(300);

/// The environment variable that selects which prompts get a briefing.
const SWITCH: &str = "CI_AUTO_TOOLS";

const EXAMPLES: &str = "\
Examples:
  adjutant brief \"who enforces the retry budget?\"
  adjutant brief --model \"why does test_retry fail?\"
  adjutant brief --force \"continue\"";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "flags are the vocabulary of a command line")]
pub(crate) struct Arguments {
    /// The prompt; `-` or no argument reads it from stdin
    prompt: Vec<String>,
    /// Use the repository in another directory
    #[arg(short = 'C', long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Show the plan without calling a tool
    #[arg(long)]
    plan: bool,
    /// Create a briefing even if the hook would add nothing to the prompt
    #[arg(long)]
    force: bool,
    /// Print JSON 1.0
    #[arg(long)]
    json: bool,
    /// Print the text that the model would get
    #[arg(long, conflicts_with = "json")]
    model: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let prompt = prompt(&arguments.prompt)?;
    let run = |is_forced: bool| {
        let mut host = host(arguments.directory.clone());
        if arguments.plan {
            host.environment = host.environment.with("CI_AUTO_TOOLS_MODE", "plan");
        }
        if is_forced {
            host.environment = host.environment.with(SWITCH, "on");
        }
        let request = Request { prompt: prompt.clone(), ..Request::default() };
        with_spinner(|| brief(&request, &host))
    };
    let mut briefed = run(arguments.force);
    if arguments.json {
        output::data(&serde_json::to_string_pretty(&briefed.briefing).unwrap_or_default());
        return Ok(ExitCode::from(briefed.exit.number()));
    }
    if briefed.exit == contract::ExitCode::Configuration {
        return Err(failure(&briefed.briefing));
    }
    let environment = edge::environment();
    let Briefed { briefing, is_undecided, .. } = &briefed;
    let silence = Silence::of(briefing, *is_undecided, &environment).filter(|_| !arguments.plan);
    if silence.as_ref().is_some_and(|silence| silence.is_answered() && !arguments.model) {
        briefed = run(true);
    }
    if let Some(silence) = &silence {
        silence.report(arguments.model);
    }
    if arguments.model {
        output::data(&briefed.briefing.fused_context.for_model.additional_context);
    } else {
        let injected = injected(&briefed.briefing, silence.is_some());
        output::data(&user_text(&briefed.briefing, &injected));
    }
    Ok(ExitCode::from(briefed.exit.number()))
}

/// Returns the failure for a briefing that ended with a configuration error, such as a missing repository. The
/// briefing's last `[Limits]` message gives the reason.
fn failure(briefing: &Briefing) -> Failure {
    const ROOT: &str = "E_REPO_ROOT: ";
    let limits = &briefing.fused_context.for_user.limits_text;
    let problem = limits.lines().last().unwrap_or_default();
    let problem = problem.strip_prefix("[Limits] ").unwrap_or(problem);
    let hint = if problem.starts_with(ROOT) {
        "change to a directory in the repository, or select a repository with `-C DIR`"
    } else {
        "repair the file; until then no prompt in this repository is briefed"
    };
    let message = problem.strip_prefix(ROOT).unwrap_or(problem);
    Failure::new(message, contract::ExitCode::Configuration).hint(hint)
}

/// Runs `work` on another thread and shows a spinner meanwhile. If no thread can be started, runs `work` on this thread
/// without a spinner.
fn with_spinner<T: Send>(work: impl Fn() -> T + Sync) -> T {
    let (sender, receiver) = mpsc::channel();
    let on_thread = || {
        let result = work();
        let _ignored = sender.send(());
        result
    };
    thread::scope(|scope| {
        let Ok(worker) = thread::Builder::new().spawn_scoped(scope, on_thread) else {
            return work();
        };
        show_spinner(&receiver);
        match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Shows a spinner until `ended` receives a message. Shows nothing if the message arrives soon or stderr is not a
/// terminal.
fn show_spinner(ended: &mpsc::Receiver<()>) {
    if ended.recv_timeout(SPINNER_DELAY) == Err(mpsc::RecvTimeoutError::Timeout)
        && std::io::stderr().is_terminal()
    {
        let spinner = ProgressBar::new_spinner().with_message("running the tools");
        spinner.enable_steady_tick(Duration::from_millis(100));
        let _ended = ended.recv();
        spinner.finish_and_clear();
    }
}

fn user_text(briefing: &Briefing, injected: &str) -> String {
    let ForUser { tool_plan_text, results_text, limits_text } = &briefing.fused_context.for_user;
    let sections = [
        (tool_plan_text, AnsiColor::Cyan),
        (results_text, AnsiColor::Green),
        (limits_text, AnsiColor::Yellow),
    ];
    let shown = sections.iter().filter(|(text, _)| !text.is_empty());
    let mut parts: Vec<String> = shown.map(|(text, color)| coloured(text, *color)).collect();
    let (id, root) = (&briefing.run_id, &briefing.inputs.repo_root);
    parts.push(style::paint(style::DIM, format!("run {id} · {root} · {injected}")));
    parts.join("\n\n")
}

/// Highlights locations, and headings in brackets.
fn coloured(text: &str, color: AnsiColor) -> String {
    let heading = Style::new().bold().fg_color(Some(color.into()));
    let lines = text.lines().map(|line| {
        if let Some(end) = line.starts_with('[').then(|| line.find(']')).flatten() {
            format!("{heading}{}{heading:#}{}", &line[..=end], &line[end + 1..])
        } else if let Some((start, rest)) =
            line.strip_prefix("- ").and_then(|line| line.split_once(": "))
        {
            format!("- {}: {rest}", style::paint(style::PLACE, start))
        } else {
            line.to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Says how much would be injected. `is_silent` is true if the hook adds nothing to the prompt.
fn injected(briefing: &Briefing, is_silent: bool) -> String {
    let context = &briefing.fused_context.for_model.additional_context;
    match context.chars().count() {
        0 => "nothing would be injected".to_owned(),
        n if is_silent => format!("{} with {SWITCH}=on", counted(n, "character")),
        n => format!("{} would be injected (--model shows them)", counted(n, "character")),
    }
}
