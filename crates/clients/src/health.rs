//! Types for the health checks of `adjutant doctor`.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::Client;
use crate::settings::{Locations, hooks_json, json, text_or_empty};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckState {
    Good,
    /// The checked item works, but something is missing.
    Lacking,
    Bad,
}

/// The result of one health check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub name: String,
    pub state: CheckState,
    pub text: String,
    /// The command or instruction that repairs the problem.
    pub fix: Option<String>,
    /// Additional data for the JSON output.
    pub details: serde_json::Value,
}

impl Check {
    pub fn good(name: &str, text: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            state: CheckState::Good,
            text: text.into(),
            fix: None,
            details: serde_json::Value::default(),
        }
    }

    #[must_use]
    pub fn with(self, details: serde_json::Value) -> Self {
        Self { details, ..self }
    }

    pub fn lacking(name: &str, text: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { state: CheckState::Lacking, fix: Some(fix.into()), ..Self::good(name, text) }
    }

    pub fn bad(name: &str, text: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { state: CheckState::Bad, fix: Some(fix.into()), ..Self::good(name, text) }
    }
}

/// Checks whether one of `files` contains the prompt hook. `files` lists JSON settings files, with the user's file
/// first. `switched_off` returns the setting that disables the hook, if any.
pub(crate) fn hook_in_json(
    client: &dyn Client,
    files: &[PathBuf],
    event: &str,
    switched_off: impl Fn(&serde_json::Value, &str) -> Option<String>,
) -> Check {
    let names = client.names();
    let name = &format!("{} hook", names.title);
    let install = format!("adjutant install {}", names.word);
    let has_hook = |file: &&PathBuf| hooks_json::position(&text_or_empty(file), event).is_some();
    let Some(file) = files.iter().find(has_hook) else {
        let own = files.first().map(|file| file.display().to_string()).unwrap_or_default();
        return Check::lacking(name, format!("not in {own}"), install);
    };
    let text = text_or_empty(file);
    if let Err(problem) = client.check_loads(&text) {
        let text = format!("{} ignores `{}`: {problem}", names.title, file.display());
        return Check::bad(name, text, "remove it from the file");
    }
    let command = hooks_json::command(&text, event).unwrap_or_default();
    for file in files {
        let settings = json::value(&text_or_empty(file)).unwrap_or_default();
        if let Some(setting) = switched_off(&settings, &command) {
            let text = format!("{setting} in {}", file.display());
            return Check::bad(name, text, "change the setting");
        }
    }
    program(name, &command, &install)
        .unwrap_or_else(|| Check::good(name, format!("in {}", file.display())))
}

/// Returns a failed check if the program in a hook's command does not exist. A program without an absolute path is not
/// checked.
pub(crate) fn program(name: &str, command: &str, install: &str) -> Option<Check> {
    let program = shlex::split(command)?.into_iter().next()?;
    is_gone(&program).then(|| Check::bad(name, format!("`{program}` does not exist"), install))
}

/// Checks a file that Adjutant has generated. `program` is the program that the file starts, or `None` if the file was
/// changed so that it does not name one.
pub(crate) fn generated_file(
    name: &str,
    file: &Path,
    program: Option<&str>,
    install: &str,
) -> Check {
    let file = file.display();
    match program {
        Some(program) if Path::new(program).is_file() => Check::good(name, format!("in {file}")),
        Some(program) => Check::bad(name, format!("`{program}` does not exist"), install),
        None => Check::bad(name, format!("{file} was changed"), install),
    }
}

fn is_gone(program: &str) -> bool {
    let path = Path::new(program);
    path.is_absolute() && !path.is_file()
}

/// Checks the registration of the MCP server. A missing registration is not a problem, because the server is optional.
#[must_use]
pub fn check_server(client: &dyn Client, locations: &Locations) -> Check {
    let names = client.names();
    let name = &format!("{} MCP", names.title);
    let install = format!("adjutant install {} --mcp", names.word);
    let Some(file) = &locations.servers else {
        return Check::good(name, format!("{} has no MCP servers", names.title));
    };
    if client.has_plugin_server(locations) {
        return Check::good(name, "in the plugin `adjutant`").with(json!({ "plugin": true }));
    }
    match client.registered_server(&text_or_empty(file)) {
        Err(problem) => {
            Check::bad(name, format!("`{}`: {problem}", file.display()), "repair the file")
        }
        Ok(None) => Check::good(name, format!("not registered (`{install}`, if you want it)")),
        Ok(Some(program)) if is_gone(&program) => {
            Check::bad(name, format!("`{program}` does not exist"), install)
        }
        Ok(Some(program)) => {
            let text = format!("in {}", file.display());
            Check::good(name, text).with(json!({ "program": program }))
        }
    }
}
