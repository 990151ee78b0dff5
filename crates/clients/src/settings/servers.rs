//! Adds and removes the Adjutant MCP server in an `mcpServers` object.

use std::path::{Path, PathBuf};

use jsonc_parser::cst::CstInputValue;

use super::json::{drop_if_empty, edit, object_in, parse};
use super::{Problem, Target};

/// The name under which the server is registered.
pub(crate) const NAME: &str = "adjutant";

/// Returns the installation target for a file with an `mcpServers` object.
pub(crate) fn target(path: PathBuf, programs: PathBuf) -> Target {
    Target::entries(path, move |text| put(text, &programs), take)
}

/// Returns the installation target for Copilot CLI, which offers the model only the tools that the registration lists.
pub(crate) fn target_with_tools(path: PathBuf, programs: PathBuf) -> Target {
    let tools = CstInputValue::Array(vec![CstInputValue::String("*".to_owned())]);
    let put = move |text: Option<&str>| {
        put_server(text, server(&programs, &["mcp"], [("tools".to_owned(), tools.clone())]))
    };
    Target::entries(path, put, take)
}

pub(crate) fn put(text: Option<&str>, programs: &Path) -> Result<String, Problem> {
    put_server(text, server(programs, &["mcp"], []))
}

/// The arguments of the plugin's server, which offers only read-only tools.
pub(crate) const PLUGIN_ARGUMENTS: &[&str] = &["mcp", "--tools", "slim"];

/// Returns the content of the file that registers the plugin's server.
pub(crate) fn plugin_file(programs: &Path) -> Result<String, Problem> {
    put_server(None, server(programs, PLUGIN_ARGUMENTS, []))
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

fn put_server(text: Option<&str>, server: CstInputValue) -> Result<String, Problem> {
    edit(text, |object| {
        let servers = object_in(object, "mcpServers")?;
        match servers.get(NAME) {
            Some(existing) => existing.set_value(server),
            None => {
                servers.append(NAME, server);
            }
        }
        Ok(())
    })
}

pub(crate) fn take(text: &str) -> Result<String, Problem> {
    edit(Some(text), |object| {
        if let Some(servers) = object.object_value("mcpServers") {
            if let Some(ours) = servers.get(NAME) {
                ours.remove();
            }
            drop_if_empty(object, "mcpServers");
        }
        Ok(())
    })
}

/// Returns the program of the registered server, or `None` if the server is not registered.
pub(crate) fn registered(text: &str) -> Result<Option<String>, Problem> {
    let (root, _) = parse(Some(text))?;
    let settings = root.to_serde_value().unwrap_or_default();
    Ok(settings["mcpServers"][NAME]["command"].as_str().map(str::to_owned))
}
