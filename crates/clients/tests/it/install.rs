//! Installations for every client: repeated, removed, and refused.

use std::path::Path;

use clients::{Action, CLIENTS, Locations};

use crate::home::Home;

/// Settings that a user may have. They contain comments if the client accepts them.
fn user_settings(word: &str) -> (&'static str, &'static str) {
    match word {
        "claude-code" => (".claude/settings.json", "{\n\t\"model\" : \"opus\"\n}"),
        "codex" => (".codex/config.toml", "# mine\nmodel = 'x' # why\n"),
        "gemini" => (".gemini/settings.json", "{ // mine\n  \"ui\":{\"theme\":\"x\"} }\n"),
        "qwen" => (".qwen/settings.json", "{\"mcpServers\":{\"x\":{\"command\":\"y\"}}}"),
        "kimi" => {
            (".kimi-code/config.toml", "# mine\n[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\n")
        }
        "copilot" => (".copilot/mcp-config.json", "{\"mcpServers\":{}}\n"),
        "opencode" => {
            (".config/opencode/opencode.jsonc", "{\n  // mine\n  \"model\": \"a/b\",\n}\n")
        }
        _ => (".pi/agent/settings.json", "{}"),
    }
}

#[test]
fn a60_every_client_is_installed_and_uninstalled_without_a_trace() {
    for client in CLIENTS {
        let word = client.names().word;
        for with_settings in [false, true] {
            let home = Home::new(client);
            if with_settings {
                let (name, text) = user_settings(word);
                home.write(name, text);
            }
            let before = home.files();
            home.install().unwrap();
            let installed = home.files();
            assert_ne!(installed, before, "{word}");
            let again = home.install().unwrap();
            assert!(again.iter().all(|step| step.action == Action::Keep), "{word}: {again:#?}");
            assert_eq!(home.files(), installed, "{word}");
            home.uninstall().unwrap();
            assert_eq!(home.files(), before, "{word}");
        }
    }
}

/// The tests may run as root, who can write everywhere except on a read-only file system.
#[test]
fn a60_a_folder_that_cannot_be_written_is_an_error() {
    for client in CLIENTS {
        let home = Home::new(client);
        let locations = Locations { folder: "/proc/1".into(), servers: None, trust: None };
        let problem = home.install_at(locations, false).unwrap_err().to_string();
        assert!(problem.contains("/proc/1"), "{}: {problem}", client.names().word);
        assert!(home.files().is_empty());
    }
}

/// `adjutant doctor` must not suggest an installation that would be refused.
#[test]
fn a60_settings_that_cannot_be_changed_are_refused_with_their_path() {
    let clients = CLIENTS.into_iter().zip([".claude/settings.json", ".codex/hooks.json"]);
    for (client, file) in clients {
        for text in [
            &b"{"[..],
            b"[]",
            b"{\"hooks\": null}",
            b"{\"hooks\": {\"UserPromptSubmit\": 1}}",
            b"{\"a\": \"\xff\"}",
            b"{\"a\": 1 \"b\": 2}",
        ] {
            let home = Home::new(client);
            home.write(file, text);
            let problem = home.install_at(home.locations(), true).unwrap_err().to_string();
            let path = home.path(file);
            assert!(problem.contains(path.to_str().unwrap()), "{text:?}: {problem}");
        }
    }
}

#[test]
fn a60_the_variable_of_a_client_selects_its_folder() {
    for client in CLIENTS {
        let moved = process::Environment::default().with(client.names().home_variable, "/moved");
        let home = Path::new("/home/me");
        let folder = |environment| client.user_locations(home, environment).folder;
        assert!(folder(&moved).starts_with("/moved"), "{}", client.names().word);
        assert!(folder(&process::Environment::default()).starts_with(home));
    }
}
