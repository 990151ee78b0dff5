//! Our MCP server in the list of a client.

use std::path::Path;

use jsonc_parser::cst::CstInputValue;

use crate::json::{drop_if_empty, edit, object_in, parse};
use crate::problem::Problem;

const NAME: &str = "adjutant";

/// Claude Code: `mcpServers` of `~/.claude.json` or `.mcp.json`.
pub(crate) fn put_json(text: Option<&str>, programs: &Path) -> Result<String, Problem> {
    let word = |word: &str| CstInputValue::String(word.to_owned());
    let server = CstInputValue::Object(vec![
        ("type".to_owned(), word("stdio")),
        ("command".to_owned(), word(&programs.join("adjutant").display().to_string())),
        ("args".to_owned(), CstInputValue::Array(vec![word("mcp")])),
    ]);
    edit(text, |object| {
        let servers = object_in(object, "mcpServers")?;
        match servers.get(NAME) {
            Some(known) => known.set_value(server),
            None => {
                servers.append(NAME, server);
            }
        }
        Ok(())
    })
}

pub(crate) fn take_json(text: &str) -> Result<String, Problem> {
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

/// The program that Claude Code would start as our server, if it is registered.
pub fn claude_code_server(text: &str) -> Result<Option<String>, Problem> {
    let (root, _) = parse(Some(text))?;
    let settings = root.to_serde_value().unwrap_or_default();
    Ok(settings["mcpServers"][NAME]["command"].as_str().map(str::to_owned))
}

/// The same for Codex.
pub fn codex_server(text: &str) -> Result<Option<String>, Problem> {
    let document = crate::toml::parse(text)?;
    let server = document.get("mcp_servers").and_then(|servers| servers.get(NAME));
    let command = server.and_then(|server| server.get("command"));
    Ok(command.and_then(toml_edit::Item::as_str).map(str::to_owned))
}

/// Codex: `[mcp_servers.adjutant]` of `config.toml`.
pub(crate) fn put_toml(text: &str, programs: &Path) -> Result<String, Problem> {
    let mut server = toml_edit::Table::new();
    server["command"] = toml_edit::value(programs.join("adjutant").display().to_string());
    server["args"] = toml_edit::value(toml_edit::Array::from_iter(["mcp"]));
    crate::toml::put_table(text, &["mcp_servers", NAME], server)
}

pub(crate) fn take_toml(text: &str) -> Result<String, Problem> {
    crate::toml::take_table(text, &["mcp_servers", NAME])
}
