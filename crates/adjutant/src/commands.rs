//! `adjutant`, one file per command.

mod brief;
mod callers;
mod completions;
mod complexity;
mod doctor;
mod graph;
mod guard_check;
mod hooks;
mod hotspots;
mod impact;
mod index;
mod install;
mod job;
mod locate;
mod log;
mod man;
mod mcp;
mod orchestrate;
mod orders;
mod policy_explain;
mod prompt;
mod record;
mod repository;
mod run;
mod search;
mod status;
mod table;
mod tool;
mod trust;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::failure::Failure;
use crate::{edge, unknown_flag};

pub(crate) use orchestrate::host as kernel_host;
pub(crate) use prompt::prompt;

/// Stands beside a coding agent: briefs it before it answers, within limits it says openly.
#[derive(Parser)]
#[command(name = "adjutant", version, after_help = AFTER_HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Start here:
  adjutant brief \"where is the retry budget enforced?\"   what a prompt would be briefed with
  adjutant install claude-code | codex --trust           brief every prompt of a client
  adjutant doctor                                        is everything in its place
  adjutant log                                           what was briefed lately

Switch off: CI_AUTO_TOOLS=off for one run, `adjutant uninstall CLIENT` for good.
Settings: environment (CI_AUTO_TOOLS…) > config/auto-tools.yaml > default; see docs/guide/settings.md.
Exit codes: 0 ok · 2 usage · 10 kernel unavailable · 20 configuration or root · 30 kernel output invalid · 40 a tool failed · 50 budget or time.";

#[derive(Subcommand)]
enum Command {
    /// Put the hook into Claude Code or Codex; running it again upgrades
    Install(install::Arguments),
    /// Take it out again: settings are as they were before
    Uninstall(install::Which),
    /// Is everything in its place, and if not, what to do about it
    Doctor(doctor::Arguments),
    /// Brief one prompt and show it: plan, findings, limits
    Brief(brief::Arguments),
    /// Build or refresh the index of a repository
    Index(index::Arguments),
    /// What the index knows, how old it is, what changed since
    Status(status::Arguments),
    /// Files that answer a prompt, best first
    Search(search::Arguments),
    /// What the code around the matches hangs together with
    Graph(graph::Arguments),
    /// Who calls a function, and what it calls
    Callers(callers::Arguments),
    /// What a change would touch, and which tests cover it
    Impact(impact::Arguments),
    /// Files that change often and are complex
    Hotspots(hotspots::Arguments),
    /// The functions that are hardest to follow
    Complexity(complexity::Arguments),
    /// Where a failure comes from: an error text or a stack trace
    Locate(locate::Arguments),
    /// What was briefed lately: prompts, tools, times, findings, limits
    Log(log::Arguments),
    /// What may enter a prompt
    #[command(subcommand)]
    Guard(GuardCommand),
    /// The user's hooks around tool calls
    #[command(subcommand)]
    Hooks(hooks::Command),
    /// One tool by hand, with its hooks
    #[command(subcommand)]
    Tool(tool::Command),
    /// Let this repository's configuration and hooks do what they ask for, as they are now
    Trust(trust::Arguments),
    /// Take that back
    Untrust(trust::Untrust),
    /// Run codex unattended, within orders, and write down what happens
    Run(Box<run::Arguments>),
    /// The same in the background: start, status, logs, stop, list, clean, metrics, resume
    #[command(subcommand)]
    Job(Box<job::Command>),
    /// The same as tools for a client's model: the MCP server
    Mcp(mcp::Arguments),
    /// How far an unattended codex may go
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// What a shell needs to complete these command lines
    Completions(completions::Arguments),
    /// The manual: one page, or all of them into a folder
    Man(man::Arguments),
    /// The kernel: a request on stdin becomes JSON 1.0 on stdout
    Orchestrate,
}

#[derive(Subcommand)]
enum GuardCommand {
    /// Show what would be removed from a text, and why
    Check(guard_check::Arguments),
}

#[derive(Subcommand)]
enum PolicyCommand {
    /// Show what orders would become, and why
    Explain(policy_explain::Arguments),
}

/// The flags, for completions and man pages.
pub(crate) fn command() -> clap::Command {
    Arguments::command()
}

#[must_use]
pub fn main() -> ExitCode {
    // Every prompt starts the kernel, and building the tree of all commands takes longer than most answers.
    if edge::command_line() == ["orchestrate"] {
        return orchestrate::run();
    }
    let parsed = match Arguments::try_parse() {
        Ok(parsed) => parsed,
        Err(error) => {
            return unknown_flag::report(&error, &Arguments::command(), &edge::command_line());
        }
    };
    let ended = match parsed.command {
        Command::Install(arguments) => install::install(&arguments),
        Command::Uninstall(arguments) => install::uninstall(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Brief(arguments) => brief::run(arguments),
        Command::Index(arguments) => index::run(&arguments),
        Command::Status(arguments) => status::run(&arguments),
        Command::Search(arguments) => search::run(&arguments),
        Command::Graph(arguments) => graph::run(&arguments),
        Command::Callers(arguments) => callers::run(&arguments),
        Command::Impact(arguments) => impact::run(&arguments),
        Command::Hotspots(arguments) => hotspots::run(&arguments),
        Command::Complexity(arguments) => complexity::run(&arguments),
        Command::Locate(arguments) => locate::run(&arguments),
        Command::Log(arguments) => log::run(&arguments),
        Command::Guard(GuardCommand::Check(arguments)) => guard_check::run(&arguments),
        Command::Hooks(command) => hooks::run(&command),
        Command::Tool(command) => tool::run(&command),
        Command::Trust(arguments) => trust::run(&arguments),
        Command::Untrust(arguments) => trust::untrust(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Job(command) => job::run(&command),
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Policy(PolicyCommand::Explain(arguments)) => policy_explain::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
        Command::Orchestrate => Ok(orchestrate::run()),
    };
    ended.unwrap_or_else(|failure: Failure| failure.report())
}
