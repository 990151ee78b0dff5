//! Our MCP server in the list of a client.

use std::path::Path;

use jsonc_parser::cst::CstInputValue;

use crate::json::{drop_if_empty, object_in, parse};
use crate::problem::Problem;

const NAME: &str = "adjutant";

/// Claude Code: `mcpServers` of `~/.claude.json` or `.mcp.json`.
pub(crate) fn put_json(text: Option<&str>, programs: &Path) -> Result<String, Problem> {
    let (root, object) = parse(text)?;
    let servers = object_in(&object, "mcpServers")?;
    let text = |text: &str| CstInputValue::String(text.to_owned());
    let server = CstInputValue::Object(vec![
        ("type".to_owned(), text("stdio")),
        ("command".to_owned(), text(&programs.join("adjutant").display().to_string())),
        ("args".to_owned(), CstInputValue::Array(vec![text("mcp")])),
    ]);
    match servers.get(NAME) {
        Some(known) => known.set_value(server),
        None => {
            servers.append(NAME, server);
        }
    }
    Ok(root.to_string())
}

pub(crate) fn take_json(text: &str) -> Result<String, Problem> {
    let (root, object) = parse(Some(text))?;
    if let Some(servers) = object.object_value("mcpServers") {
        if let Some(ours) = servers.get(NAME) {
            ours.remove();
        }
        drop_if_empty(&object, "mcpServers");
    }
    Ok(root.to_string())
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
