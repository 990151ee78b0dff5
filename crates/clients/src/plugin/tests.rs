use std::collections::BTreeMap;
use std::fs;

use serde::Deserialize;

use super::*;
use crate::{Client, Setup};

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn a60_the_checked_in_plugin_is_the_generated_one() {
    for file in plugin_files(PluginPrograms::OnPath).unwrap() {
        let found = fs::read_to_string(root().join(file.path)).unwrap_or_default();
        assert_eq!(found, file.text, "{} is stale: run `cargo xtask generate`", file.path);
        if file.is_program {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(root().join(file.path)).unwrap().permissions().mode();
            assert_eq!(mode & 0o111, 0o111, "{} cannot be run", file.path);
        }
    }
}

#[derive(Debug, Deserialize, PartialEq)]
struct HookFile {
    hooks: BTreeMap<String, Vec<Group>>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Group {
    hooks: Vec<Handler>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Handler {
    timeout: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ServerFile {
    mcp_servers: BTreeMap<String, Server>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Server {
    r#type: String,
    command: String,
    args: Vec<String>,
}

fn server(text: &str) -> Server {
    let file: ServerFile = serde_json::from_str(text).unwrap();
    let mut server = file.mcp_servers.into_values().next().unwrap();
    server.command = server.command.rsplit('/').next().unwrap().to_owned();
    server
}

/// The plugin and `adjutant install` write the same events, timeouts and server.
#[test]
fn a60_the_plugin_contains_what_install_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let setup = Setup {
        programs: "/opt/adjutant".into(),
        folder: folder.path().to_owned(),
        servers: Some(path("servers.json")),
        with_tool_hooks: true,
        trust: None,
    };
    let targets = claude_code::ClaudeCode.targets(&setup);
    crate::install(&targets, &path("receipt"), "now", false).unwrap();
    let installed = |name: &str| fs::read_to_string(path(name)).unwrap();
    let hooks = |text: &str| serde_json::from_str::<HookFile>(text).unwrap();
    assert_eq!(hooks(&read("plugin/hooks/hooks.json")), hooks(&installed("settings.json")));
    let mut plugin_server = server(&read("plugin/.mcp.json"));
    assert_eq!(plugin_server.args, servers::PLUGIN_ARGUMENTS);
    plugin_server.args.truncate(1);
    assert_eq!(plugin_server, server(&installed("servers.json")));
    for event in crate::codex::EVENTS.tools {
        assert!(claude_code::EVENTS.tools.contains(event), "{event} is not in the plugin");
    }
}

#[test]
fn a60_the_plugin_has_the_version_of_the_workspace() {
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    for path in ["plugin/.claude-plugin/plugin.json", ".claude-plugin/marketplace.json"] {
        assert!(read(path).contains(&version), "{path}");
    }
}

/// Neither `install --mcp` nor the plugin allows a model to remove the sandbox. The plugin's server offers no tool that changes
/// anything.
#[test]
fn c4_what_is_installed_never_allows_a_bypass() {
    let programs = Path::new("/opt/adjutant");
    let codex: toml_edit::DocumentMut =
        crate::codex::put_server("", programs).unwrap().parse().unwrap();
    let codex = codex["mcp_servers"]["adjutant"].as_table().unwrap();
    assert_eq!(codex["args"].to_string().trim(), "[\"mcp\"]");
    assert!(!codex.contains_key("env") && !codex.contains_key("env_vars"), "{codex}");
    // Deserialization fails if there is an unknown field, such as `env`.
    assert_eq!(server(&servers::put(None, programs).unwrap()).args, ["mcp"]);
    assert_eq!(server(&read("plugin/.mcp.json")).args, ["mcp", "--tools", "slim"]);
    let packaged = codex_server("1.2.3");
    let script = packaged["args"][1].as_str().unwrap();
    assert!(script.ends_with("/1.2.3/bin/adjutant\" mcp --tools slim"), "{script}");
    assert_eq!(packaged["env_vars"], json!(["CODEX_HOME"]));
    let files = [PluginPrograms::OnPath, PluginPrograms::Inside].map(plugin_files);
    for file in files.into_iter().flat_map(Result::unwrap) {
        let text = file.text.to_lowercase();
        assert!(!text.contains("bypass"), "{}", file.path);
    }
}
