//! `adjutant install|uninstall CLIENT`: into a client's settings, and out again (A60).

use std::path::{Path, PathBuf};
use std::process::ExitCode as Exit;

use clap::{Args, ValueEnum};
use contract::ExitCode;
use install::{Action, Problem, Setup, Step, Target};
use process::Environment;
use serde_json::json;

use crate::failure::Failure;
use crate::{edge, output};

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Client {
    ClaudeCode,
    Codex,
}

impl Client {
    fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
        }
    }

    /// Whether the client takes a JSON text as its own file.
    fn loads(self, text: &str) -> Result<(), Problem> {
        match self {
            Self::ClaudeCode => install::claude_code_loads(text),
            Self::Codex => install::codex_loads(text),
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum ScopeArgument {
    /// Every repository of yours
    User,
    /// The repository you stand in
    Project,
}

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    extras: Extras,
}

const EXAMPLES: &str = "\
Examples:
  adjutant install claude-code                  brief every prompt of Claude Code
  adjutant install codex --trust                the same for Codex, and trust the hook
  adjutant install codex --trust --mcp --tool-hooks
  adjutant install claude-code --dry-run        show the files as they would be

Then `adjutant doctor`. `adjutant uninstall CLIENT` gives the files back as they were.";

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags are the vocabulary of a command line")]
struct Extras {
    /// Also register the MCP server (`adjutant mcp`)
    #[arg(long)]
    mcp: bool,
    /// Also let the client's own tool calls fire your hooks
    #[arg(long)]
    tool_hooks: bool,
    /// Codex: write down that you trust the hook; without it Codex asks you when it starts
    #[arg(long)]
    trust: bool,
}

/// What both directions ask.
#[derive(Args)]
pub(crate) struct Which {
    /// Whose settings
    client: Client,
    /// In your home, or in the repository
    #[arg(long, default_value = "user")]
    scope: ScopeArgument,
    /// Show what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn install(arguments: &Arguments) -> Result<Exit, Failure> {
    let Arguments { which, extras } = arguments;
    let place = Place::find(which.client, which.scope)?;
    let programs = edge::program_directory()
        .ok_or_else(|| Failure::new("cannot tell where adjutant is", ExitCode::Configuration))?;
    if let Some(path) = [&programs, &place.folder].iter().find(|path| path.to_str().is_none()) {
        let text = format!("`{}` is not UTF-8: no settings can name it", path.display());
        return Err(
            Failure::new(text, ExitCode::Configuration).hint("give the folder another name")
        );
    }
    let setup = Setup {
        programs,
        folder: place.folder.clone(),
        servers: extras.mcp.then(|| place.servers.clone()),
        with_tool_hooks: extras.tool_hooks,
        trust: place.trust.clone().filter(|_| extras.trust),
    };
    let targets = place.targets(which.client, &setup)?;
    let steps = install::install(&targets, &place.receipt, &stamp(), which.dry_run)
        .map_err(|problem| failure(&problem))?;
    report(&steps, which);
    for step in steps.iter().filter(|step| step.path.extension().is_some_and(|it| it == "json")) {
        if let Err(problem) = which.client.loads(step.text.as_deref().unwrap_or_default()) {
            let (name, path) = (which.client.name(), step.path.display());
            output::talk(&format!(
                "{name} loads nothing of {path} as it is: {problem}\n\nhint: take that out of the file"
            ));
        }
    }
    if matches!((which.client, which.scope), (Client::Codex, ScopeArgument::Project)) {
        output::talk(
            "Codex loads the hooks of a repository only if it trusts the folder: it asks when you start `codex` here.",
        );
    }
    if matches!(which.client, Client::Codex) && !extras.trust && !which.json {
        output::talk(
            "Codex runs a hook only after you have trusted it: start `codex` once and choose to review it,\n\
             or run this again with --trust. Until then it is skipped without a word.",
        );
    }
    Ok(Exit::SUCCESS)
}

pub(crate) fn uninstall(arguments: &Which) -> Result<Exit, Failure> {
    let place = Place::find(arguments.client, arguments.scope)?;
    // Everything an install could have written is looked for.
    let setup = Setup {
        programs: PathBuf::new(),
        folder: place.folder.clone(),
        servers: Some(place.servers.clone()),
        with_tool_hooks: true,
        trust: place.trust.clone(),
    };
    let targets = place.targets(arguments.client, &setup)?;
    let steps = install::uninstall(&targets, &place.receipt, &stamp(), arguments.dry_run)
        .map_err(|problem| failure(&problem))?;
    report(&steps, arguments);
    Ok(Exit::SUCCESS)
}

fn targets(client: Client, setup: &Setup) -> Vec<Target> {
    match client {
        Client::ClaudeCode => install::claude_code(setup),
        Client::Codex => install::codex(setup),
    }
}

/// Why an install would be refused, if it would.
pub(crate) fn obstacle(client: Client, place: &Place) -> Option<Problem> {
    let setup = Setup {
        programs: PathBuf::new(),
        folder: place.folder.clone(),
        servers: None,
        with_tool_hooks: false,
        trust: place.trust.clone(),
    };
    install::install(&targets(client, &setup), &place.receipt, &stamp(), true).err()
}

/// Where a client keeps its settings.
pub(crate) struct Place {
    pub(crate) folder: PathBuf,
    /// Where its MCP servers are.
    pub(crate) servers: PathBuf,
    /// Codex: where the user says what is trusted, also of a repository.
    trust: Option<PathBuf>,
    receipt: PathBuf,
    /// The repository whose settings these are; none for those of the user.
    repository: Option<PathBuf>,
}

impl Place {
    /// The files to change. None of a repository is reached through a link.
    fn targets(&self, client: Client, setup: &Setup) -> Result<Vec<Target>, Failure> {
        let targets = targets(client, setup);
        if let Some(repository) = &self.repository {
            for target in &targets {
                install::check_beneath(repository, &target.path).map_err(|it| failure(&it))?;
            }
        }
        Ok(targets)
    }

    fn find(client: Client, scope: ScopeArgument) -> Result<Self, Failure> {
        match scope {
            ScopeArgument::User => Self::of_user(client, &edge::environment()),
            ScopeArgument::Project => Self::of_project(client),
        }
    }

    /// `CLAUDE_CONFIG_DIR` and `CODEX_HOME` move a client's folder.
    pub(crate) fn of_user(client: Client, environment: &Environment) -> Result<Self, Failure> {
        let home = environment.text("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let home = home.ok_or_else(|| {
            Failure::new("HOME is not set to an absolute path in UTF-8", ExitCode::Configuration)
                .hint("a client's settings are in your home folder; or use `--scope project`")
        })?;
        let moved = |name: &str| environment.text(name).map(PathBuf::from);
        let (folder, servers) = match client {
            Client::ClaudeCode => match moved("CLAUDE_CONFIG_DIR") {
                Some(folder) => (folder.clone(), folder.join(".claude.json")),
                None => (home.join(".claude"), home.join(".claude.json")),
            },
            Client::Codex => {
                // Codex resolves the links of a folder it is told, and its trust names where a hook is.
                let moved = moved("CODEX_HOME");
                let moved = moved.map(|folder| folder.canonicalize().unwrap_or(folder));
                let folder = moved.unwrap_or_else(|| home.join(".codex"));
                (folder.clone(), folder.join("config.toml"))
            }
        };
        let trust = Some(servers.clone()).filter(|_| matches!(client, Client::Codex));
        Ok(Self {
            receipt: receipt(environment, &folder)?,
            folder,
            servers,
            trust,
            repository: None,
        })
    }

    fn of_project(client: Client) -> Result<Self, Failure> {
        let environment = edge::environment();
        let top = edge::working_directory().and_then(|directory| policy::find_git_top(&directory));
        let top = top.ok_or_else(|| {
            Failure::new("this is not inside a git repository", ExitCode::Configuration)
                .hint("stand in the repository, or use `--scope user`")
        })?;
        let (folder, servers) = match client {
            Client::ClaudeCode => (top.join(".claude"), top.join(".mcp.json")),
            Client::Codex => (top.join(".codex"), top.join(".codex/config.toml")),
        };
        let trust = Self::of_user(client, &environment)?.trust;
        let receipt = receipt(&environment, &folder)?;
        Ok(Self { receipt, folder, servers, trust, repository: Some(top) })
    }
}

/// Receipts are the user's, also those of a repository: nothing of them belongs into it.
fn receipt(environment: &Environment, folder: &Path) -> Result<PathBuf, Failure> {
    let state = edge::state_directory(environment).ok_or_else(|| {
        match edge::refused_folders(environment).pop() {
            Some(problem) => Failure::new(problem, ExitCode::Configuration),
            None => Failure::new("HOME is not set", ExitCode::Configuration),
        }
    })?;
    let flat: String = folder
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect();
    Ok(state.join("install").join(format!("{}.json", flat.trim_matches('-'))))
}

/// Names the backups.
fn stamp() -> String {
    edge::now().replace([':', '-'], "")
}

fn report(steps: &[Step], which: &Which) {
    let is_dry = which.dry_run;
    let word = |action: Action| match action {
        Action::Create => "create",
        Action::Change => "change",
        Action::Remove => "remove",
        Action::Keep => "keep",
    };
    if which.json {
        let steps: Vec<_> = steps
            .iter()
            .map(|step| {
                json!({ "path": step.path, "action": word(step.action), "backup": step.backup })
            })
            .collect();
        return output::data(&json!({ "dry_run": is_dry, "files": steps }).to_string());
    }
    for step in steps {
        let backup = step.backup.as_ref().map(|path| format!(" (before: {})", path.display()));
        output::data(&format!(
            "{:6} {}{}",
            word(step.action),
            step.path.display(),
            backup.unwrap_or_default()
        ));
        if let (true, Some(text), Action::Create | Action::Change) =
            (is_dry, &step.text, step.action)
        {
            let shown: Vec<String> = text.lines().map(|line| format!("       | {line}")).collect();
            output::data(&shown.join("\n"));
        }
    }
}

fn failure(problem: &Problem) -> Failure {
    let way_out = match problem {
        Problem::Io { .. } => "see to it that it can be read and written",
        Problem::Syntax { .. } | Problem::Shape { .. } | Problem::In { .. } => {
            "repair the file, or move it away"
        }
    };
    Failure::new(problem.to_string(), ExitCode::Configuration)
        .hint(format!("nothing was changed; {way_out}, and try again"))
}
