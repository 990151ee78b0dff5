//! `adjutant brief`: creates the briefing for one prompt and prints it.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::Args;
use contract::{Briefing, Request, counted};
use indicatif::ProgressBar;
use kernel::{Briefed, Host, RepoProblem, UserLine, UserText, brief};
use policy::{BriefingMode, Overrides, Switch};
use process::Environment;

use super::orchestrate::host;
use crate::failure::Failure;
use crate::prompt_briefing::read_prompt;
use crate::{edge, output, style};

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
    let prompt = read_prompt(&arguments.prompt)?;
    let run = |is_forced: bool| {
        let overrides = Overrides {
            switch: is_forced.then_some(Switch::On),
            mode: arguments.plan.then_some(BriefingMode::Plan),
        };
        let host = Host { overrides, ..host(arguments.directory.clone()) };
        let request = Request { prompt: prompt.clone(), ..Request::default() };
        with_spinner(|| brief(&request, &host))
    };
    let mut briefed = run(arguments.force);
    if arguments.json {
        output::data(&serde_json::to_string_pretty(&briefed.briefing).unwrap_or_default());
        return Ok(ExitCode::from(briefed.exit.number()));
    }
    if let Some(problem) = briefed.problem {
        return Err(failure(problem));
    }
    let silence = silence(&briefed, &edge::environment()).filter(|_| !arguments.plan);
    // A briefing is shown anyway if the prompt names code in the repository, or if this cannot be determined because
    // there is no index.
    let is_about_code = briefed.n_names > 0 || briefed.is_undecided;
    let is_answered = silence.is_some() && is_about_code && !arguments.model;
    if is_answered {
        briefed = run(true);
    }
    if let Some(reason) = &silence {
        report_silence(reason, arguments.model);
        let hint = if is_answered {
            "CI_AUTO_TOOLS=on lets the hook add this briefing"
        } else {
            "`adjutant brief --force` briefs it anyway"
        };
        output::talk(&format!("{} {hint}\n", style::paint(style::HINT, "hint:")));
    }
    if arguments.model {
        let context = &briefed.briefing.fused_context.for_model.additional_context;
        if context.is_empty() && silence.is_none() && !arguments.plan {
            output::talk(
                "nothing would be injected: the tools found no code that this prompt is likely about",
            );
        }
        output::data(context);
    } else {
        let injected = injected(&briefed.briefing, silence.is_some());
        output::data(&user_text(&briefed, &injected));
    }
    Ok(ExitCode::from(briefed.exit.number()))
}

fn failure(problem: RepoProblem) -> Failure {
    let (message, hint) = match problem {
        RepoProblem::Root(message) => (
            message,
            "change to a directory in the repository, or select a repository with `-C DIR`",
        ),
        RepoProblem::Configuration(message) => {
            (message, "repair the file; until then no prompt in this repository is briefed")
        }
    };
    Failure::configuration(message).hint(hint)
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

fn user_text(briefed: &Briefed, injected: &str) -> String {
    let UserText { plan, results, limits } = &briefed.user_text;
    let sections =
        [(plan, AnsiColor::Cyan), (results, AnsiColor::Green), (limits, AnsiColor::Yellow)];
    let shown = sections.iter().filter(|(lines, _)| !lines.is_empty());
    let mut parts: Vec<String> = shown.map(|(lines, color)| coloured(lines, *color)).collect();
    let Briefing { run_id, inputs, .. } = &briefed.briefing;
    let foot = format!("run {run_id} · {} · {injected}", inputs.repo_root);
    parts.push(style::paint(style::DIM, foot));
    parts.join("\n\n")
}

/// Highlights the labels of the lines.
fn coloured(lines: &[UserLine], color: AnsiColor) -> String {
    let heading = Style::new().bold().fg_color(Some(color.into()));
    let lines = lines.iter().map(|line| match line {
        UserLine::Heading { label, rest } => format!("{}{rest}", style::paint(heading, label)),
        UserLine::Item { label, rest } => format!("- {}{rest}", style::paint(style::PLACE, label)),
        UserLine::Plain(text) => text.clone(),
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

/// Returns the reason why the prompt gets no evidence from the hook, or `None` if tools were planned for it.
fn silence(briefed: &Briefed, environment: &Environment) -> Option<String> {
    if !briefed.briefing.tool_plan.tools.is_empty() {
        return None;
    }
    Some(match &briefed.decision {
        Some(decision) => {
            kernel::gate::explain(decision.reasons.iter().map(String::as_str)).join(", ")
        }
        None if environment.text(SWITCH) == Some("off") => {
            "CI_AUTO_TOOLS=off disables briefings".to_owned()
        }
        None => {
            "the settings allow no tool for this prompt, or the prompt is a command for the client"
                .to_owned()
        }
    })
}

/// Prints that nothing would be injected, and the reason. `is_for_model` is true if stdout gets only the text for the
/// model.
fn report_silence(reason: &str, is_for_model: bool) {
    let colon = if reason.is_empty() { "" } else { ": " };
    let answer = format!("nothing would be injected{colon}{reason}");
    if is_for_model {
        output::talk(&answer);
    } else {
        output::data(&format!("{}\n\n", style::paint(style::WARNING, answer)));
    }
}
