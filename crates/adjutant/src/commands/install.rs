//! `adjutant install|uninstall CLIENT`: adds Adjutant to a client's settings, and removes it again (A60).

use std::path::{Path, PathBuf};
use std::process::ExitCode as Exit;

use clap::{Args, ValueEnum};
use clients::{Action, Client, Locations, Problem, Scope, Setup, Step, Target};
use contract::ExitCode;
use process::Environment;
use serde_json::json;

use crate::failure::Failure;
use crate::hook::client_parser;
use crate::{edge, output};

#[derive(Clone, Copy, ValueEnum)]
enum ScopeArgument {
    /// All repositories of the user
    User,
    /// The repository of the working directory
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
  adjutant install codex --trust                brief every prompt of Codex, and trust the hook
  adjutant install codex --trust --mcp --tool-hooks
  adjutant install claude-code --dry-run        show the new files and write nothing

Then run `adjutant doctor`. `adjutant uninstall CLIENT` restores the files.";

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "one field per flag")]
struct Extras {
    /// Also register the MCP server (`adjutant mcp`)
    #[arg(long)]
    mcp: bool,
    /// Also run your hooks around the client's own tool calls
    #[arg(long)]
    tool_hooks: bool,
    /// Mark the hook as trusted, for clients that ask (Codex)
    #[arg(long)]
    trust: bool,
}

/// The arguments that `install` and `uninstall` share.
#[derive(Args)]
pub(crate) struct Which {
    /// Name the client
    #[arg(value_parser = client_parser())]
    client: &'static dyn Client,
    /// Select the settings to change: your user settings or those of the repository
    #[arg(long, default_value = "user")]
    scope: ScopeArgument,
    /// Show what would be written and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn install(arguments: &Arguments) -> Result<Exit, Failure> {
    let Arguments { which, extras } = arguments;
    let client = which.client;
    let place = Place::find(client, which.scope)?;
    let Locations { folder, servers, trust } = place.locations.clone();
    let programs = edge::program_directory().ok_or_else(|| {
        Failure::new("the folder of adjutant is not known", ExitCode::Configuration)
    })?;
    if let Some(path) = [&programs, &folder].iter().find(|path| path.to_str().is_none()) {
        let text = format!("`{}` is not UTF-8: settings cannot contain it", path.display());
        return Err(Failure::new(text, ExitCode::Configuration).hint("rename the folder"));
    }
    let setup = Setup {
        programs,
        folder,
        servers: extras.mcp.then_some(servers),
        with_tool_hooks: extras.tool_hooks,
        trust: trust.filter(|_| extras.trust),
    };
    let targets = place.targets(client, &setup)?;
    let steps = clients::install(&targets, &place.receipt, &stamp(), which.dry_run)
        .map_err(|problem| failure(&problem))?;
    report(&steps, which);
    for step in steps.iter().filter(|step| step.path.extension().is_some_and(|it| it == "json")) {
        if let Err(problem) = client.check_loads(step.text.as_deref().unwrap_or_default()) {
            output::talk(&format!(
                "{} ignores {}: {problem}\n\nhint: remove it from the file",
                client.names().title,
                step.path.display()
            ));
        }
    }
    if !which.json {
        client.next_steps(place.scope(), extras.trust).into_iter().for_each(output::talk);
    }
    Ok(Exit::SUCCESS)
}

pub(crate) fn uninstall(arguments: &Which) -> Result<Exit, Failure> {
    let place = Place::find(arguments.client, arguments.scope)?;
    let Locations { folder, servers, trust } = place.locations.clone();
    // This setup lists everything that an installation may have written.
    let setup = Setup {
        programs: PathBuf::new(),
        folder,
        servers: Some(servers),
        with_tool_hooks: true,
        trust,
    };
    let targets = place.targets(arguments.client, &setup)?;
    let steps = clients::uninstall(&targets, &place.receipt, &stamp(), arguments.dry_run)
        .map_err(|problem| failure(&problem))?;
    // A file that does not exist is not kept.
    let is_present = |step: &Step| step.action != Action::Keep || step.path.exists();
    let steps: Vec<Step> = steps.into_iter().filter(is_present).collect();
    report(&steps, arguments);
    if steps.is_empty() {
        output::talk("nothing to remove: none of the files exists");
    }
    Ok(Exit::SUCCESS)
}

/// Returns the reason why an installation would fail, or `None` if it would succeed.
pub(crate) fn obstacle(client: &dyn Client, place: &Place) -> Option<Problem> {
    clients::install(&place.hook_targets(client), &place.receipt, &stamp(), true).err()
}

/// The location of a client's settings: the user's settings, or one repository's.
pub(crate) struct Place {
    pub(crate) locations: Locations,
    receipt: PathBuf,
    /// The repository. `None` for the user's settings.
    repository: Option<PathBuf>,
}

impl Place {
    /// Returns the files that contain the prompt hook.
    pub(crate) fn files(&self, client: &dyn Client) -> Vec<PathBuf> {
        self.hook_targets(client).into_iter().map(|target| target.path).collect()
    }

    fn hook_targets(&self, client: &dyn Client) -> Vec<Target> {
        let Locations { folder, trust, .. } = self.locations.clone();
        let programs = PathBuf::new();
        client.targets(&Setup { programs, folder, servers: None, with_tool_hooks: false, trust })
    }

    /// Returns the files to change. In a repository, paths through links are refused.
    fn targets(&self, client: &dyn Client, setup: &Setup) -> Result<Vec<Target>, Failure> {
        let targets = client.targets(setup);
        if let Some(repository) = &self.repository {
            for target in &targets {
                clients::check_beneath(repository, &target.path).map_err(|it| failure(&it))?;
            }
        }
        Ok(targets)
    }

    fn scope(&self) -> Scope {
        if self.repository.is_some() { Scope::Project } else { Scope::User }
    }

    fn find(client: &dyn Client, scope: ScopeArgument) -> Result<Self, Failure> {
        match scope {
            ScopeArgument::User => Self::of_user(client, &edge::environment()),
            ScopeArgument::Project => Self::of_project(client, &edge::environment()),
        }
    }

    pub(crate) fn of_user(client: &dyn Client, environment: &Environment) -> Result<Self, Failure> {
        let home = environment.text("HOME").map(Path::new).filter(|home| home.is_absolute());
        let home = home.ok_or_else(|| {
            Failure::new("HOME is not set to an absolute path in UTF-8", ExitCode::Configuration)
                .hint("a client's settings are in your home folder; or use `--scope project`")
        })?;
        let locations = client.user_locations(home, environment);
        let receipt = receipt(environment, &locations.folder)?;
        Ok(Self { locations, receipt, repository: None })
    }

    fn of_project(client: &dyn Client, environment: &Environment) -> Result<Self, Failure> {
        let top = edge::working_directory().and_then(|directory| policy::find_git_top(&directory));
        let top = top.ok_or_else(|| {
            Failure::new("this is not inside a git repository", ExitCode::Configuration)
                .hint("change to the repository, or use `--scope user`")
        })?;
        let user = Self::of_user(client, environment)?.locations;
        let locations = client.project_locations(&top, &user);
        let receipt = receipt(environment, &locations.folder)?;
        Ok(Self { locations, receipt, repository: Some(top) })
    }
}

/// Returns the path of the installation's receipt. Receipts are stored in the user's state folder, even for a repository's
/// settings.
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

/// Returns the current time in the format that the names of backup files use.
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
    let fix = match problem {
        Problem::Io { .. } => "make sure that it can be read and written",
        Problem::Syntax { .. } | Problem::Shape { .. } | Problem::In { .. } => {
            "repair the file, or move it away"
        }
    };
    Failure::new(problem.to_string(), ExitCode::Configuration)
        .hint(format!("nothing was changed; {fix}, and try again"))
}
