//! Whether a client runs the hook, as `adjutant doctor` reports it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use clients::{CLIENTS, Check, CheckState};

use crate::home::Home;

const CLAUDE: &str = ".claude/settings.json";
const CODEX: &str = ".codex/hooks.json";
const CONFIGURATION: &str = ".codex/config.toml";
const LAUNCHER: &str = ".claude/hooks/context-inject-global.sh";

fn claude() -> Home {
    Home::new(CLIENTS[0])
}

fn codex() -> Home {
    Home::new(CLIENTS[1])
}

fn installed(home: Home) -> Home {
    home.install().unwrap();
    home
}

#[track_caller]
fn check_in(home: &Home, top: Option<&Path>, state: CheckState, words: &str) -> Check {
    let check = home.client.check_hook(&home.locations(), top);
    assert!(check.state == state && check.text.contains(words), "{state:?} `{words}`: {check:?}");
    check
}

#[track_caller]
fn check(home: &Home, state: CheckState, words: &str) {
    check_in(home, None, state, words);
}

#[test]
fn a60_a_hook_that_does_nothing_is_bad() {
    let home = installed(claude());
    check(&home, CheckState::Good, "in ");
    fs::set_permissions(home.path(LAUNCHER), fs::Permissions::from_mode(0o644)).unwrap();
    check(&home, CheckState::Bad, "not executable");
    fs::remove_file(home.path(LAUNCHER)).unwrap();
    check(&home, CheckState::Bad, "is missing");
    let home = installed(claude());
    let text = fs::read_to_string(home.path(CLAUDE)).unwrap();
    home.write(CLAUDE, text.replacen('{', "{\"disableAllHooks\": true,", 1));
    check(&home, CheckState::Bad, "disableAllHooks");
}

/// The real clients ignore a whole file that contains comments or trailing commas.
#[test]
fn a60_settings_that_a_client_does_not_load_are_bad() {
    for (home, file, with_mark) in
        [(claude(), CLAUDE, CheckState::Good), (codex(), CODEX, CheckState::Bad)]
    {
        let home = installed(home);
        let text = fs::read_to_string(home.path(file)).unwrap();
        for odd in [format!("// mine\n{text}"), text.replace("15\n", "15,\n")] {
            home.write(file, odd);
            check(&home, CheckState::Bad, "ignores");
        }
        home.write(file, format!("\u{feff}{text}"));
        check(&home, with_mark, "");
        home.write(file, text);
        check(&home, CheckState::Good, "in ");
    }
}

#[test]
fn a60_a_hook_that_is_switched_off_elsewhere_is_bad() {
    let home = installed(claude());
    let folder = home.repository().join(".claude");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("settings.local.json"), r#"{"disableAllHooks": true}"#).unwrap();
    check_in(&home, Some(&home.repository()), CheckState::Bad, "settings.local.json");
    let home = installed(codex());
    let text = fs::read_to_string(home.path(CONFIGURATION)).unwrap();
    for feature in ["hooks", "codex_hooks"] {
        home.write(CONFIGURATION, format!("{text}\n[features]\n{feature} = false\n"));
        check(&home, CheckState::Bad, "hooks are switched off in");
    }
    // The format that `codex features enable hooks` writes.
    home.write(CONFIGURATION, format!("{text}\n[features]\ncodex_hooks = false\nhooks = true\n"));
    check(&home, CheckState::Good, "trusted");
}

#[test]
fn a60_a_hook_that_codex_does_not_trust_is_bad() {
    let home = installed(codex());
    fs::remove_file(home.path(CONFIGURATION)).unwrap();
    check(&home, CheckState::Bad, "not trusted");
}

#[test]
fn a60_the_plugin_replaces_the_hook() {
    for (settings, state, words) in [
        (r#"{"enabledPlugins": {"adjutant@here": true}}"#, CheckState::Good, "in the plugin"),
        (r#"{"enabledPlugins": {"adjutant@here": false}}"#, CheckState::Lacking, "switched off"),
        (
            r#"{"disableAllHooks": true, "enabledPlugins": {"adjutant@here": true}}"#,
            CheckState::Bad,
            "disable",
        ),
    ] {
        let home = claude();
        home.write(CLAUDE, settings);
        check(&home, state, words);
    }
    let home = codex();
    home.write(CONFIGURATION, "[plugins.\"adjutant@here\"]\nenabled = true\n");
    check(&home, CheckState::Bad, "is not trusted");
}

#[test]
fn a60_an_install_in_the_repository_is_found() {
    for (home, state, words) in [
        (claude(), CheckState::Good, "/.claude/settings.json"),
        (codex(), CheckState::Lacking, "only if it trusts the folder"),
    ] {
        let top = home.repository();
        let locations = home.client.project_locations(&top, &home.locations()).unwrap();
        home.install_at(locations, false).unwrap();
        check_in(&home, Some(&top), state, words);
        if home.client.names().word == "codex" {
            let text = fs::read_to_string(home.path(CONFIGURATION)).unwrap();
            let trusted = format!("[projects.\"{}\"]\ntrust_level = \"trusted\"", top.display());
            home.write(CONFIGURATION, format!("{text}\n{trusted}\n"));
            check_in(&home, Some(&top), CheckState::Good, "/.codex/hooks.json, trusted");
        } else {
            fs::remove_file(top.join(LAUNCHER)).unwrap();
            let check = check_in(&home, Some(&top), CheckState::Bad, "is missing");
            let fix = "adjutant install claude-code --scope project";
            assert_eq!(check.fix.as_deref(), Some(fix));
        }
    }
}
