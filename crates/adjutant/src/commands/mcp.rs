//! `adjutant mcp`: runs the MCP server, on stdio or on local HTTP.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode as Exit;

use clap::{Args, Parser, ValueEnum};
use mcp::{ServerOptions, Token, ToolGroup};
use policy::Author;
use process::Environment;
use runs::RunRequest;

use super::orchestrate;
use super::queue::queue_tools;
use super::repository::find_root;
use super::run::{RunFlags, run_host_at, sessions_root};
use crate::failure::Failure;
use crate::{edge, output};

const TOKEN_VARIABLE: &str = "ADJUTANT_MCP_TOKEN";
const RUNS_VARIABLE: &str = "MAX_CONCURRENT_JOBS";
const DEFAULT_RUNS: u16 = 4;
const MAX_TOKEN_BYTES: u64 = 4096;

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Serve the repository of another directory
    #[arg(short = 'C', long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Serve over HTTP on this machine instead of stdio; port 0 selects a free port
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "7355")]
    http: Option<u16>,
    /// Read the HTTP token from this file instead of generating one
    #[arg(long, value_name = "PATH", requires = "http")]
    token_file: Option<PathBuf>,
    /// Run at most N codex processes at once [default: MAX_CONCURRENT_JOBS, else 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    max_runs: Option<u16>,
    /// Offer these tools, separated by commas
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',', default_value = "slim")]
    tools: Vec<ToolWord>,
    /// Let a model start codex without a sandbox (`dangerouslyBypass`); use only in a container
    #[arg(long)]
    allow_bypass: bool,
}

/// A group of tools that can be selected on the command line.
#[derive(Clone, Copy, ValueEnum)]
enum ToolWord {
    /// The eight tools that answer questions about the code
    Ci,
    /// The briefing of a prompt
    Brief,
    /// The codex tools that only read
    CodexRead,
    /// All codex tools
    Codex,
    /// brief, ci_search, ci_graph_rag, ci_call_chain, ci_bug_locate and ci_impact
    Slim,
    /// All tools, also those that run codex
    All,
}

impl ToolWord {
    fn groups(self) -> &'static [ToolGroup] {
        match self {
            Self::Ci => &[ToolGroup::Code, ToolGroup::Overview],
            Self::Brief => &[ToolGroup::Brief],
            Self::CodexRead => &[ToolGroup::CodexReads],
            Self::Codex => &[ToolGroup::CodexReads, ToolGroup::CodexRuns],
            Self::Slim => ToolGroup::SLIM,
            Self::All => ToolGroup::ALL,
        }
    }
}

const AFTER_HELP: &str = concat!(
    "\
Claude Code: claude mcp add adjutant -- adjutant mcp
Codex:       codex mcp add adjutant -- adjutant mcp
All tools:   adjutant mcp --tools all
HTTP:        http://127.0.0.1:PORT/mcp with `Authorization: Bearer TOKEN`.
             TOKEN is printed to stderr unless --token-file or ADJUTANT_MCP_TOKEN sets it.
Tools, limits and examples: ",
    page!("guide/mcp.md")
);

/// The flags that a run request may contain in `args`.
#[derive(Parser)]
#[command(name = "codex.exec", disable_help_flag = true, disable_version_flag = true)]
struct RawArguments {
    #[command(flatten)]
    flags: RunFlags,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let environment = edge::environment();
    let host = host(arguments, &environment)?;
    let Some(port) = arguments.http else {
        if std::io::stdin().is_terminal() {
            output::talk(
                "waiting for an MCP client on stdin; press Ctrl-D to stop, see `adjutant mcp --help`",
            );
        }
        mcp::serve_stdio(host).map_err(Failure::configuration)?;
        return Ok(Exit::SUCCESS);
    };
    let (token, is_new) = token(arguments.token_file.as_deref(), &environment)?;
    let shown = is_new.then(|| token.clone());
    let token = Token::new(&token).map_err(Failure::usage)?;
    mcp::serve_http(host, port, token, |address| {
        output::talk(&format!("serving http://{address}/mcp"));
        if let Some(token) = shown {
            output::talk(&format!("token: {token}"));
        }
    })
    .map_err(|error| Failure::configuration(error).hint("`--http 0` selects a free port"))?;
    Ok(Exit::SUCCESS)
}

fn host(arguments: &Arguments, environment: &Environment) -> Result<ServerOptions, Failure> {
    let directory = arguments.directory.clone();
    let here = orchestrate::host(directory.clone()).working_directory;
    let root = find_root(Some(&here))?;
    let root = root.canonicalize().unwrap_or(root);
    let more_tools = queue_tools(&root);
    Ok(ServerOptions {
        version: env!("CARGO_PKG_VERSION"),
        root,
        look: Box::new(move || orchestrate::host(directory.clone())),
        codex: run_host_at(environment, sessions_root(environment, None)?),
        author: Author::Model { may_bypass: arguments.allow_bypass },
        parse_flags,
        max_runs: usize::from(max_runs(arguments, environment)?),
        tools: arguments.tools.iter().flat_map(|word| word.groups()).copied().collect(),
        more_tools,
    })
}

fn max_runs(arguments: &Arguments, environment: &Environment) -> Result<u16, Failure> {
    if let Some(most) = arguments.max_runs {
        return Ok(most);
    }
    let Some(text) = environment.text(RUNS_VARIABLE) else { return Ok(DEFAULT_RUNS) };
    let number = text.trim().parse().ok().filter(|most| (1..=64).contains(most));
    number.ok_or_else(|| {
        Failure::usage(format!("{RUNS_VARIABLE}: `{text}` is not a number from 1 to 64"))
    })
}

/// Parses the flags that a run request contains in `args`.
fn parse_flags(words: &[String]) -> Result<RunRequest, String> {
    let words = words.iter().map(String::as_str);
    let parsed = RawArguments::try_parse_from(std::iter::once("codex.exec").chain(words));
    parsed.map(|parsed| parsed.flags.request()).map_err(|error| error.to_string())
}

/// Returns the token, and whether it was generated and must be printed.
fn token(file: Option<&Path>, environment: &Environment) -> Result<(String, bool), Failure> {
    if let Some(file) = file {
        let text = edge::read_named_file(file, MAX_TOKEN_BYTES)
            .and_then(|bytes| String::from_utf8(bytes).map_err(std::io::Error::other))
            .map_err(|error| {
                Failure::usage(format!("cannot read `{}`: {error}", file.display()))
            })?;
        return Ok((text.trim().to_owned(), false));
    }
    if let Some(token) = environment.text(TOKEN_VARIABLE) {
        return Ok((token.trim().to_owned(), false));
    }
    let random = edge::secret()
        .map_err(|error| Failure::usage(format!("cannot read random bytes: {error}")))?;
    Ok((random, true))
}
