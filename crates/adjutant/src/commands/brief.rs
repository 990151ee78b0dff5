//! `adjutant brief`: briefs one prompt and prints the result.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::Args;
use contract::{Briefing, ForUser, Request};
use indicatif::ProgressBar;
use kernel::{Briefed, brief};

use super::orchestrate::host;
use super::prompt::prompt;
use crate::failure::Failure;
use crate::output;

/// Delay before a spinner is shown. A spinner that disappears earlier would only flicker.
const SPINNER_DELAY: Duration = Duration::from_millis(300);

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags are the vocabulary of a command line")]
pub(crate) struct Arguments {
    /// The prompt; `-` or no argument reads it from stdin
    prompt: Vec<String>,
    /// Brief in another directory
    #[arg(short = 'C', long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Show the plan without calling a tool
    #[arg(long)]
    plan: bool,
    /// Print JSON 1.0
    #[arg(long)]
    json: bool,
    /// Print the text that the model would get
    #[arg(long, conflicts_with = "json")]
    model: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let prompt = prompt(&arguments.prompt)?;
    let mut host = host(arguments.directory);
    if arguments.plan {
        host.environment = host.environment.with("CI_AUTO_TOOLS_MODE", "plan");
    }
    let request = Request { prompt, ..Request::default() };
    let Briefed { briefing, exit, .. } = with_spinner(move || brief(&request, &host));
    if arguments.json {
        output::data(&serde_json::to_string_pretty(&briefing).unwrap_or_default());
    } else if arguments.model {
        output::data(&briefing.fused_context.for_model.additional_context);
    } else {
        output::data(&user_text(&briefing));
    }
    Ok(ExitCode::from(exit.number()))
}

fn with_spinner<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    let worker = thread::spawn(move || {
        let result = work();
        let _ignored = sender.send(());
        result
    });
    if receiver.recv_timeout(SPINNER_DELAY) == Err(mpsc::RecvTimeoutError::Timeout)
        && std::io::stderr().is_terminal()
    {
        let spinner = ProgressBar::new_spinner().with_message("running the tools");
        spinner.enable_steady_tick(Duration::from_millis(100));
        let _ended = receiver.recv();
        spinner.finish_and_clear();
    }
    match worker.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn user_text(briefing: &Briefing) -> String {
    let ForUser { tool_plan_text, results_text, limits_text } = &briefing.fused_context.for_user;
    let sections = [
        (tool_plan_text, AnsiColor::Cyan),
        (results_text, AnsiColor::Green),
        (limits_text, AnsiColor::Yellow),
    ];
    let shown = sections.iter().filter(|(text, _)| !text.is_empty());
    let mut parts: Vec<String> = shown.map(|(text, color)| coloured(text, *color)).collect();
    parts.push(summary(briefing));
    parts.join("\n\n")
}

/// Highlights headings in brackets and locations.
fn coloured(text: &str, color: AnsiColor) -> String {
    let heading = Style::new().bold().fg_color(Some(color.into()));
    let place = Style::new().bold();
    let lines = text.lines().map(|line| {
        if let Some(end) = line.starts_with('[').then(|| line.find(']')).flatten() {
            format!("{heading}{}{heading:#}{}", &line[..=end], &line[end + 1..])
        } else if let Some((start, rest)) =
            line.strip_prefix("- ").and_then(|line| line.split_once(": "))
        {
            format!("- {place}{start}{place:#}: {rest}")
        } else {
            line.to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn summary(briefing: &Briefing) -> String {
    let context = &briefing.fused_context.for_model.additional_context;
    let dim = Style::new().dimmed();
    let injected = match context.chars().count() {
        0 => "nothing would be injected".to_owned(),
        n => format!("{n} characters would be injected (--model shows them)"),
    };
    format!("{dim}run {} · {} · {injected}{dim:#}", briefing.run_id, briefing.inputs.repo_root)
}
