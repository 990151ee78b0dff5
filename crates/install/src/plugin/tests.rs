use std::fs;

use serde_json::Value;

use super::*;
use crate::Setup;

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn json(path: &str) -> Value {
    let text = fs::read_to_string(root().join(path)).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a60_the_plugin_checked_in_is_the_one_generated() {
    for file in plugin_files().unwrap() {
        let found = fs::read_to_string(root().join(file.path)).unwrap_or_default();
        assert_eq!(found, file.text, "{} is stale: run `cargo xtask generate`", file.path);
        #[cfg(unix)]
        if file.is_program {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(root().join(file.path)).unwrap().permissions().mode();
            assert_eq!(mode & 0o111, 0o111, "{} cannot be run", file.path);
        }
    }
}

/// One source of truth: at the same events, with the same time-outs, the same server.
#[test]
fn a60_the_plugin_asks_for_what_install_writes() {
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup {
        programs: "/opt/adjutant".into(),
        folder: folder.path().to_owned(),
        servers: Some(folder.path().join("servers.json")),
        with_tool_hooks: true,
        trust: None,
    };
    let targets = crate::claude_code(&setup);
    crate::install(&targets, &folder.path().join("receipt"), "now", false).unwrap();
    let read = |name: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(folder.path().join(name)).unwrap()).unwrap()
    };
    let events = |hooks: &Value| -> Vec<(String, Value)> {
        let hooks = hooks["hooks"].as_object().unwrap();
        let events = hooks
            .iter()
            .map(|(event, groups)| (event.clone(), groups[0]["hooks"][0]["timeout"].clone()));
        events.collect()
    };
    assert_eq!(events(&json("plugin/hooks/hooks.json")), events(&read("settings.json")));
    let server = |servers: &Value| {
        let server = &servers["mcpServers"]["adjutant"];
        let command = server["command"].as_str().unwrap();
        let program = command.rsplit('/').next().unwrap().to_owned();
        (program, server["args"].clone())
    };
    assert_eq!(server(&json("plugin/.mcp.json")), server(&read("servers.json")));
    for event in crate::codex::TOOL_EVENTS {
        assert!(claude_code::TOOL_EVENTS.contains(event), "{event} is not in the plugin");
    }
}

#[test]
fn a60_the_plugin_has_the_version_of_the_workspace() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(json("plugin/.claude-plugin/plugin.json")["version"], version);
    assert_eq!(json(".claude-plugin/marketplace.json")["plugins"][0]["version"], version);
}

/// Neither `install --mcp` nor the plugin lets a model drop the sandbox: the server is started with `mcp` alone.
#[test]
fn c4_what_is_installed_never_allows_a_bypass() {
    let programs = Path::new("/opt/adjutant");
    let claude_code: Value =
        serde_json::from_str(&servers::put_json(None, programs).unwrap()).unwrap();
    let codex = servers::put_toml("", programs).unwrap();
    let codex: toml_edit::DocumentMut = codex.parse().unwrap();
    let codex = codex["mcp_servers"]["adjutant"].as_table().unwrap();
    assert_eq!(codex["args"].to_string().trim(), "[\"mcp\"]");
    assert!(!codex.contains_key("env") && !codex.contains_key("env_vars"), "{codex}");
    for servers in [claude_code, json("plugin/.mcp.json")] {
        let server = &servers["mcpServers"]["adjutant"];
        assert_eq!(server["args"], json!(["mcp"]));
        assert!(server.get("env").is_none(), "{server}");
    }
    for file in plugin_files().unwrap() {
        let text = file.text.to_lowercase();
        assert!(!text.contains("bypass"), "{}", file.path);
    }
}
