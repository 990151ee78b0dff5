//! Adds and removes the Adjutant MCP server in an `mcpServers` object.

use std::path::Path;

use jsonc_parser::cst::CstInputValue;

use super::json::{drop_if_empty, edit, object_in, value};
use super::{SettingsProblem, Setup, Target};

/// The name under which the server is registered.
pub(crate) const NAME: &str = "adjutant";

/// The key of the object with the servers, in the files of most clients.
const SERVERS: &str = "mcpServers";

/// Returns the installation target for a file with an `mcpServers` object. Returns `None` if the server is not to be
/// registered.
pub(crate) fn target(setup: &Setup) -> Option<Target> {
    let programs = setup.programs.clone();
    let put = move |text: Option<&str>| put(text, &programs);
    setup.servers.clone().map(|path| Target::entries(path, put, take))
}

/// Does the same as [`target`] for Copilot CLI, which offers the model only the tools that the registration lists.
pub(crate) fn target_with_tools(setup: &Setup) -> Option<Target> {
    let tools = CstInputValue::Array(vec![CstInputValue::String("*".to_owned())]);
    let server = server(&setup.programs, &["mcp"], [("tools".to_owned(), tools)]);
    let put = move |text: Option<&str>| put_in(text, SERVERS, server.clone());
    setup.servers.clone().map(|path| Target::entries(path, put, take))
}

pub(crate) fn put(text: Option<&str>, programs: &Path) -> Result<String, SettingsProblem> {
    put_in(text, SERVERS, server(programs, &["mcp"], []))
}

/// The arguments of the plugin's server, which offers only read-only tools.
pub(crate) const PLUGIN_ARGUMENTS: &[&str] = &["mcp", "--tools", "slim"];

/// Returns the content of the file that registers the plugin's server.
pub(crate) fn plugin_file(programs: &Path) -> Result<String, SettingsProblem> {
    put_in(None, SERVERS, server(programs, PLUGIN_ARGUMENTS, []))
}

fn server(
    programs: &Path,
    arguments: &[&str],
    more: impl IntoIterator<Item = (String, CstInputValue)>,
) -> CstInputValue {
    let word = |word: &str| CstInputValue::String(word.to_owned());
    let fields = [
        ("type".to_owned(), word("stdio")),
        ("command".to_owned(), word(&programs.join("adjutant").display().to_string())),
        ("args".to_owned(), CstInputValue::Array(arguments.iter().map(|it| word(it)).collect())),
    ];
    CstInputValue::Object(fields.into_iter().chain(more).collect())
}

/// Registers `server` in the object `key`.
pub(crate) fn put_in(
    text: Option<&str>,
    key: &str,
    server: CstInputValue,
) -> Result<String, SettingsProblem> {
    edit(text, |object| {
        let servers = object_in(object, key)?;
        match servers.get(NAME) {
            Some(existing) => existing.set_value(server),
            None => {
                servers.append(NAME, server);
            }
        }
        Ok(())
    })
}

pub(crate) fn take(text: &str) -> Result<String, SettingsProblem> {
    take_from(text, SERVERS)
}

/// Removes the server from the object `key`.
pub(crate) fn take_from(text: &str, key: &str) -> Result<String, SettingsProblem> {
    edit(Some(text), |object| {
        if let Some(servers) = object.object_value(key) {
            if let Some(ours) = servers.get(NAME) {
                ours.remove();
            }
            drop_if_empty(object, key);
        }
        Ok(())
    })
}

/// Returns the program of the registered server, or `None` if the server is not registered.
pub(crate) fn registered(text: &str) -> Result<Option<String>, SettingsProblem> {
    Ok(value(text)?[SERVERS][NAME]["command"].as_str().map(str::to_owned))
}
