//! The program `adjutant`. Each command has its own file.

mod brief;
mod completions;
mod doctor;
mod guard_check;
mod hooks;
mod index;
mod install;
mod job;
mod log;
mod mcp;
pub(crate) mod orchestrate;
mod policy_explain;
mod progress;
mod questions;
mod queue;
mod repository;
mod run;
mod status;
mod table;
mod team_key;
mod tool;
mod trust;
mod ui;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::failure::Failure;
use crate::{codex_auto, edge, programs, usage_error};
use repository::At;

pub(crate) use tool::event as tool_event;

/// Add cited code locations to the prompts of coding agents, and run codex unattended within limits
#[derive(Parser)]
#[command(name = "adjutant", version = crate::VERSION, after_help = AFTER_HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = concat!(
    "\
Start here:
  adjutant brief \"where are retries limited?\"
  adjutant install claude-code
  adjutant install codex --trust
  adjutant doctor

Disable: CI_AUTO_TOOLS=off for one run, `adjutant uninstall CLIENT` permanently.
Settings: environment (CI_AUTO_TOOLS…) > config/auto-tools.yaml > default.
Exit codes: 0 ok · 1 nothing found · 2 usage · 10 kernel unavailable · 20 configuration or root · 30 kernel output invalid · 40 a tool failed · 50 budget or time.

`adjutant help COMMAND` explains a command. All pages: ",
    page!("README.md")
);

#[derive(Subcommand)]
enum Command {
    /// Install or upgrade the hook in your coding agents
    Install(install::Arguments),
    /// Remove the hook and restore the client's settings
    Uninstall(install::Removal),
    /// Check the installation and suggest fixes
    #[command(after_help = doctor::AFTER_HELP)]
    Doctor(At),
    /// Run the installed clients in a private home and check that the briefing arrives
    Verify(verify::Arguments),
    /// Create the briefing for one prompt and show its plan, findings and limits
    Brief(brief::Arguments),
    /// Build or refresh the index of a repository
    Index(index::Arguments),
    /// Create, trust and list the keys that protect an index store
    #[command(subcommand)]
    TeamKey(team_key::Command),
    /// Show the contents and age of the index, and the files changed since
    Status(At),
    #[command(flatten)]
    Question(questions::Question),
    /// Show recent briefings: prompts, tools, times, findings, limits
    Log(log::Arguments),
    /// Check which parts of a file may enter a prompt
    #[command(subcommand)]
    Guard(GuardCommand),
    /// List, explain and test the hooks of tool calls
    #[command(subcommand)]
    Hooks(hooks::Command),
    /// Call one tool, with its hooks
    #[command(subcommand)]
    Tool(tool::Command),
    /// Trust the current content of this repository's configuration and hooks
    Trust(trust::Arguments),
    /// Revoke trust in this repository
    Untrust(trust::Untrust),
    /// Run codex unattended within limits and record the run
    Run(Box<run::Arguments>),
    /// Run codex in the background: start, status, logs, stop, list, clean, metrics, resume
    #[command(subcommand)]
    Job(Box<job::Command>),
    /// Run a backlog of unattended runs: add, list, report, show, cancel, retry, work, clean, limits
    #[command(subcommand)]
    Queue(queue::Command),
    /// Serve a page that shows the queue, the jobs and the log of briefings
    Ui(ui::Arguments),
    /// Start the MCP server, which offers runs and code questions as tools
    Mcp(mcp::Arguments),
    /// Explain the limits of an unattended run
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Print the completion script of a shell
    Completions(completions::Arguments),
    /// Print the manual page, or write all pages to a folder
    Man(completions::ManArguments),
    /// Read a request from stdin and print the briefing as JSON 1.0
    Orchestrate,
}

#[derive(Subcommand)]
enum GuardCommand {
    /// Show what would be removed from a file, and why
    Check(guard_check::Arguments),
}

#[derive(Subcommand)]
enum PolicyCommand {
    /// Show the effective sandbox, approvals and network access of a run, and the reasons
    Explain(policy_explain::Arguments),
}

/// Returns the clap command, for completions and manual pages.
pub(crate) fn command() -> clap::Command {
    Arguments::command()
}

#[must_use]
pub fn main() -> ExitCode {
    if edge::program_name().as_deref() == Some(programs::CODEX_AUTO) {
        return codex_auto::main();
    }
    // Scripts start this command for every prompt, and building the clap command would take longer than most briefings.
    if edge::command_line() == ["orchestrate"] {
        return orchestrate::run();
    }
    let parsed: Arguments = match usage_error::parse() {
        Ok(parsed) => parsed,
        Err(exit) => return exit,
    };
    let result = match parsed.command {
        Command::Install(arguments) => install::install(&arguments),
        Command::Uninstall(arguments) => install::uninstall(&arguments),
        Command::Doctor(at) => doctor::run(&at),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Brief(arguments) => brief::run(arguments),
        Command::Index(arguments) => index::run(&arguments),
        Command::TeamKey(command) => team_key::run(&command),
        Command::Status(at) => status::run(&at),
        Command::Question(question) => questions::run(&question),
        Command::Log(arguments) => log::run(&arguments),
        Command::Guard(GuardCommand::Check(arguments)) => guard_check::run(&arguments),
        Command::Hooks(command) => hooks::run(&command),
        Command::Tool(command) => tool::run(&command),
        Command::Trust(arguments) => trust::run(&arguments),
        Command::Untrust(arguments) => trust::untrust(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Job(command) => job::run(&command),
        Command::Queue(command) => queue::run(&command),
        Command::Ui(arguments) => ui::run(&arguments),
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Policy(PolicyCommand::Explain(arguments)) => policy_explain::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => completions::man(&arguments),
        Command::Orchestrate => Ok(orchestrate::run()),
    };
    result.unwrap_or_else(|failure: Failure| failure.report())
}
