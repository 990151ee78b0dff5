//! `adjutant install|uninstall CLIENT`: adds Adjutant to a client's settings, and removes it again (A60).

mod place;
mod selection;
pub(crate) mod version;

use std::path::PathBuf;
use std::process::ExitCode as Exit;

use clap::Args;
use clients::{Action, CLIENTS, Client, Locations, SettingsProblem, Setup, Step};
use serde_json::{Value, json};
use similar::TextDiff;

pub(crate) use place::Place;

use crate::failure::Failure;
use crate::{edge, output};
use place::{ScopeArgument, other_home};
pub(crate) use selection::{Choice, choice_parser, none_on_path};

#[derive(Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "one field per flag")]
pub(crate) struct Arguments {
    /// Name the client, or `all` for every client on PATH; without a name, asks on a terminal
    #[arg(value_parser = choice_parser())]
    client: Option<Choice>,
    /// With `all`: do not ask before changing the settings
    #[arg(long, short)]
    yes: bool,
    /// Also register the MCP server (`adjutant mcp`)
    #[arg(long)]
    mcp: bool,
    /// Also run your hooks around the client's own tool calls
    #[arg(long)]
    tool_hooks: bool,
    /// Also write a skill that tells the agent when to use `adjutant explore`, into your user settings
    #[arg(long, conflicts_with = "scope")]
    skill: bool,
    /// Mark the hook as trusted, for clients that ask (Codex)
    #[arg(long)]
    trust: bool,
    /// Also install if the client's version is unknown, or older than every tested version
    #[arg(long)]
    any_version: bool,
    #[command(flatten)]
    how: How,
}

const EXAMPLES: &str = "\
Examples:
  adjutant install                              choose among the clients on PATH
  adjutant install claude-code                  brief every prompt of Claude Code
  adjutant install codex --trust                brief every prompt of Codex, and trust the hook
  adjutant install all --yes --mcp --tool-hooks
  adjutant install gemini --dry-run             show the changes and write nothing

Then run `adjutant doctor`. `adjutant uninstall CLIENT` restores the files.";

/// The arguments of `uninstall`.
#[derive(Args)]
pub(crate) struct Removal {
    /// Name the client, or `all`
    #[arg(value_parser = choice_parser())]
    client: Choice,
    #[command(flatten)]
    how: How,
}

/// The arguments shared by `install` and `uninstall`.
#[derive(Args)]
struct How {
    /// Select the settings to change: your user settings or those of the repository
    #[arg(long, default_value = "user")]
    scope: ScopeArgument,
    /// Show the changes as a diff and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A client, and all values that its installation needs.
struct Installation {
    client: &'static dyn Client,
    place: Place,
    setup: Setup,
    with_skill: bool,
}

impl Installation {
    fn prepare(client: &'static dyn Client, arguments: &Arguments) -> Result<Self, Failure> {
        let place = Place::find(client, arguments.how.scope)?;
        let Locations { folder, servers, trust } = place.locations.clone();
        let programs = programs()?;
        if let Some(path) = [&programs, &folder].iter().find(|path| path.to_str().is_none()) {
            let text = format!("`{}` is not UTF-8: settings cannot contain it", path.display());
            return Err(Failure::configuration(text).hint("rename the folder"));
        }
        if !arguments.any_version {
            version::check(client, &edge::environment())?;
        }
        let servers =
            servers.filter(|_| arguments.mcp && !client.has_plugin_server(&place.locations));
        let setup = Setup {
            programs,
            folder,
            servers,
            with_tool_hooks: arguments.tool_hooks,
            trust: trust.filter(|_| arguments.trust),
        };
        Ok(Self { client, place, setup, with_skill: arguments.skill })
    }

    fn run(&self, is_dry: bool) -> Result<Vec<Step>, Failure> {
        let targets = self.place.targets(self.client, &self.setup, self.with_skill)?;
        Ok(clients::install(&targets, &self.place.receipt, &stamp(), is_dry)?)
    }
}

/// Returns the folder of Adjutant's programs. It must contain `adjutant-hook`, because the clients start this program.
fn programs() -> Result<PathBuf, Failure> {
    let unknown = || Failure::configuration("the folder of adjutant is not known");
    let programs = edge::program_directory().ok_or_else(unknown)?;
    let hook = programs.join("adjutant-hook");
    if hook.is_file() {
        return Ok(programs);
    }
    let text = format!("`{}` does not exist: the clients start this program", hook.display());
    Err(Failure::configuration(text)
        .hint("nothing was changed; install all programs of Adjutant into one folder"))
}

pub(crate) fn install(arguments: &Arguments) -> Result<Exit, Failure> {
    let environment = edge::environment();
    let Arguments { client: choice, yes, mcp, how, .. } = arguments;
    let chosen = selection::clients(*choice, *yes, &environment)?;
    if let ([client], true) = (chosen.as_slice(), mcp) {
        check_has_servers(*client, how.scope)?;
    }
    let installations: Vec<Installation> = chosen
        .iter()
        .map(|client| Installation::prepare(*client, arguments))
        .collect::<Result<_, _>>()?;
    if installations.len() > 1 {
        // If a file cannot be changed, this reports it before the first client is changed.
        for installation in &installations {
            installation.run(true)?;
        }
    }
    let mut results = Vec::new();
    for installation in &installations {
        let steps = installation.run(how.dry_run)?;
        if !how.json {
            print_text(&steps, how.dry_run);
        }
        tell(installation, arguments, &steps);
        results.push((installation.client, steps));
    }
    if how.json {
        print_json(&results, how.dry_run);
    }
    Ok(Exit::SUCCESS)
}

fn check_has_servers(client: &dyn Client, scope: ScopeArgument) -> Result<(), Failure> {
    if Place::find(client, scope)?.locations.servers.is_some() {
        return Ok(());
    }
    let text = format!("{} has no MCP servers", client.names().title);
    Err(Failure::usage(text).hint("nothing was changed; leave out --mcp"))
}

/// Reports settings that the client ignores and an MCP server that was not registered, and prints the next steps for
/// the user.
fn tell(installation: &Installation, arguments: &Arguments, steps: &[Step]) {
    let Installation { client, place, setup, .. } = installation;
    let names = client.names();
    for step in steps.iter().filter(|step| step.path.extension().is_some_and(|it| it == "json")) {
        if let Err(problem) = client.check_loads(step.text.as_deref().unwrap_or_default()) {
            output::talk(&format!(
                "{} ignores {}: {problem}\n\nhint: remove it from the file",
                names.title,
                step.path.display()
            ));
        }
    }
    if arguments.how.json {
        return;
    }
    if arguments.mcp && setup.servers.is_none() {
        let why = match place.locations.servers {
            Some(_) => "the plugin `adjutant` already registers it",
            None => "the client has no MCP servers",
        };
        output::talk(&format!("{}: the MCP server is not registered, because {why}", names.title));
    }
    if other_home(*client, &edge::environment()).is_some() {
        let (variable, folder) = (client.names().home_variable, setup.folder.display());
        output::talk(&format!(
            "{variable} is set: the hook runs only if {} uses {folder}",
            names.title
        ));
    }
    client.next_steps(place.scope(), arguments.trust).into_iter().for_each(output::talk);
    if !arguments.how.dry_run {
        output::talk(&format!("next: {}", names.example));
    }
}

pub(crate) fn uninstall(arguments: &Removal) -> Result<Exit, Failure> {
    let Removal { client: choice, how } = arguments;
    let chosen = match choice {
        Choice::One(client) => vec![*client],
        Choice::All => CLIENTS.to_vec(),
    };
    let is_all = matches!(choice, Choice::All);
    let mut results = Vec::new();
    for client in chosen {
        let scoped = Place::find(client, how.scope);
        let place = match scoped {
            Err(failure) if is_all && failure.exit == contract::ExitCode::Usage.number() => {
                continue;
            }
            scoped => scoped?,
        };
        let mut steps = remove(client, &place, how.dry_run)?;
        if is_all {
            steps.retain(|step| step.action != Action::Keep);
        } else {
            check_other_home(client, &steps)?;
        }
        // Files that do not exist are not listed as kept.
        steps.retain(|step| step.action != Action::Keep || step.path.exists());
        if !how.json {
            print_text(&steps, how.dry_run);
        }
        if steps.is_empty() && !is_all {
            output::talk("nothing to remove: none of the files exists");
        }
        results.push((client, steps));
    }
    if how.json {
        print_json(&results, how.dry_run);
    }
    Ok(Exit::SUCCESS)
}

fn remove(client: &dyn Client, place: &Place, is_dry: bool) -> Result<Vec<Step>, Failure> {
    let Locations { folder, servers, trust } = place.locations.clone();
    // This setup includes all files that an installation may have written.
    let setup = Setup { programs: PathBuf::new(), folder, servers, with_tool_hooks: true, trust };
    let targets = place.targets(client, &setup, true)?;
    Ok(clients::uninstall(&targets, &place.receipt, &stamp(), is_dry)?)
}

/// Returns an error if nothing was removed because an environment variable selects another settings folder, while the
/// installation is in the client's default folder.
fn check_other_home(client: &dyn Client, steps: &[Step]) -> Result<(), Failure> {
    let is_untouched = steps.iter().all(|step| step.action == Action::Keep);
    let Some(default) = other_home(client, &edge::environment()).filter(|_| is_untouched) else {
        return Ok(());
    };
    let there = remove(client, &default, true)?;
    if there.iter().all(|step| step.action == Action::Keep) {
        return Ok(());
    }
    let (variable, folder) = (client.names().home_variable, default.locations.folder);
    let text = format!(
        "{variable} is set, and nothing is installed there: the installation is in `{}`",
        folder.display()
    );
    Err(Failure::configuration(text)
        .hint(format!("nothing was changed; unset {variable} and try again")))
}

/// Returns the reason why an installation would fail, or `None` if it would succeed.
pub(crate) fn obstacle(client: &dyn Client, place: &Place) -> Option<SettingsProblem> {
    clients::install(&place.hook_targets(client), &place.receipt, &stamp(), true).err()
}

/// Returns the current time in the format used in the names of backup files.
fn stamp() -> String {
    edge::now().replace([':', '-'], "")
}

impl From<SettingsProblem> for Failure {
    fn from(problem: SettingsProblem) -> Self {
        let fix = match problem {
            SettingsProblem::Io { .. } => "make sure that it can be read and written",
            SettingsProblem::Syntax { .. }
            | SettingsProblem::Shape { .. }
            | SettingsProblem::In { .. } => "repair the file or remove it",
        };
        Self::configuration(&problem).hint(format!("nothing was changed; {fix}, and try again"))
    }
}

fn word(action: Action) -> &'static str {
    match action {
        Action::Create => "create",
        Action::Change => "change",
        Action::Remove => "remove",
        Action::Keep => "keep",
    }
}

/// Prints one line for each file. In a dry run, prints the difference as well.
fn print_text(steps: &[Step], is_dry: bool) {
    for step in steps {
        let backup = step.backup.as_ref().map(|path| format!(" (before: {})", path.display()));
        let path = step.path.display();
        output::data(&format!("{:6} {path}{}", word(step.action), backup.unwrap_or_default()));
        if is_dry && step.action != Action::Keep {
            output::data(&difference(step));
        }
    }
}

/// Returns the change to a file as a unified diff, which `patch` accepts.
fn difference(step: &Step) -> String {
    let old = step.old_text.as_deref().unwrap_or_default();
    let new = step.text.as_deref().unwrap_or_default();
    let path = step.path.display().to_string();
    let name = |text: &Option<String>| match text {
        Some(_) => path.clone(),
        None => "/dev/null".to_owned(),
    };
    let diff = TextDiff::from_lines(old, new);
    let text = diff.unified_diff().header(&name(&step.old_text), &name(&step.text)).to_string();
    text.trim_end().to_owned()
}

/// Prints a JSON object: the files of one client, or several clients with their files.
fn print_json(results: &[(&'static dyn Client, Vec<Step>)], is_dry: bool) {
    let files = |steps: &[Step]| -> Vec<Value> {
        let file = |step: &Step| json!({ "path": step.path, "action": word(step.action), "backup": step.backup });
        steps.iter().map(file).collect()
    };
    let object = match results {
        [(_, steps)] => json!({ "dry_run": is_dry, "files": files(steps) }),
        _ => {
            let clients = results.iter().map(
                |(client, steps)| json!({ "client": client.names().word, "files": files(steps) }),
            );
            json!({ "dry_run": is_dry, "clients": clients.collect::<Vec<Value>>() })
        }
    };
    output::data(&object.to_string());
}
