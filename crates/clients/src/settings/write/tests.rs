use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::claude_code::ClaudeCode;
use crate::codex::{Codex, TrustState, trust_state};
use crate::{Client, Setup};

fn claude_code(setup: &Setup) -> Vec<Target> {
    ClaudeCode.targets(setup)
}

/// Returns targets in the layout of Codex: the MCP servers are in the file that lists the trusted hooks.
fn codex(setup: &Setup) -> Vec<Target> {
    let servers = setup.servers.as_ref().map(|_| setup.folder.join("config.toml"));
    Codex.targets(&Setup { servers, ..setup.clone() })
}

struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        replace(&self.path(name), Some(text), None).unwrap();
    }

    fn setup(&self) -> Setup {
        Setup {
            programs: PathBuf::from("/opt/it's here/bin"),
            folder: self.path("client"),
            servers: Some(self.path("servers.json")),
            with_tool_hooks: true,
            trust: Some(self.path("client/config.toml")),
        }
    }

    /// Returns the path and the content of every file.
    fn contents(&self) -> Vec<(PathBuf, String)> {
        let mut files = Vec::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push((path.clone(), fs::read_to_string(&path).unwrap()));
                }
            }
        }
        files.sort();
        files
    }
}

const SETTINGS: &str = "{\n\t// mine\n\t\"model\" : \"opus\",\n}";
const CONFIGURATION: &str = "# mine\nmodel = 'x' # why\n\n[a.b]\nc = [ 1,2 ]\n";

fn filled() -> Home {
    let home = Home::new();
    home.put("client/settings.json", SETTINGS);
    home.put("client/hooks/context-inject-global.sh", "#!/bin/sh\n# another one\n");
    home.put("client/config.toml", CONFIGURATION);
    home.put("servers.json", "{\"mcpServers\": {\"x\": {\"command\": \"y\"}}, \"n\": 1e3}");
    home
}

#[test]
fn a60_uninstall_restores_the_same_bytes() {
    for targets in [claude_code as fn(&Setup) -> Vec<Target>, codex] {
        let home = filled();
        let before = home.contents();
        let receipt = home.path("state/receipt.json");
        let steps = install(&targets(&home.setup()), &receipt, "1", false).unwrap();
        assert!(steps.iter().all(|step| step.action != Action::Keep), "{steps:#?}");
        let installed = home.contents();
        let again = install(&targets(&home.setup()), &receipt, "2", false).unwrap();
        assert!(again.iter().all(|step| step.action == Action::Keep), "{again:#?}");
        assert_eq!(home.contents(), installed);
        uninstall(&targets(&home.setup()), &receipt, "3", false).unwrap();
        assert_eq!(home.contents(), before);
    }
}

#[test]
fn a60_uninstall_removes_files_that_did_not_exist_before() {
    let home = Home::new();
    let receipt = home.path("state/receipt.json");
    install(&codex(&home.setup()), &receipt, "1", false).unwrap();
    assert!(!home.contents().is_empty());
    uninstall(&codex(&home.setup()), &receipt, "2", false).unwrap();
    assert_eq!(home.contents(), []);
}

#[test]
fn a60_the_last_uninstallation_removes_the_folders_that_clients_share() {
    let home = Home::new();
    let receipts = [home.path("state/a/x.json"), home.path("state/a/y.json")];
    let setups = ["one", "two"].map(|name| Setup {
        folder: home.path(name),
        servers: None,
        trust: None,
        ..home.setup()
    });
    for (setup, receipt) in setups.iter().zip(&receipts) {
        install(&claude_code(setup), receipt, "1", false).unwrap();
    }
    for (setup, receipt) in setups.iter().zip(&receipts) {
        uninstall(&claude_code(setup), receipt, "2", false).unwrap();
    }
    assert_eq!(fs::read_dir(home.folder.path()).unwrap().count(), 0);
}

#[test]
fn a60_changes_after_the_installation_are_kept() {
    let home = filled();
    let receipt = home.path("state/receipt.json");
    install(&codex(&home.setup()), &receipt, "1", false).unwrap();
    let configuration = home.path("client/config.toml");
    let text = fs::read_to_string(&configuration).unwrap();
    fs::write(&configuration, text.replace("[a.b]", "[z]\ny = 1\n\n[a.b]")).unwrap();
    uninstall(&codex(&home.setup()), &receipt, "2", false).unwrap();
    let text = fs::read_to_string(&configuration).unwrap();
    assert_eq!(text, CONFIGURATION.replace("[a.b]", "[z]\ny = 1\n\n[a.b]"));
}

#[test]
fn a60_nothing_is_written_if_one_file_cannot_be_parsed() {
    let home = filled();
    home.put("servers.json", "{\n  \"mcpServers\": oops\n");
    let before = home.contents();
    let receipt = home.path("state/receipt.json");
    let problem = install(&claude_code(&home.setup()), &receipt, "1", false).unwrap_err();
    assert!(problem.to_string().contains("servers.json`: 2:"), "{problem}");
    assert_eq!(home.contents(), before);
}

#[test]
fn a_dry_run_writes_nothing_and_a_link_stays_a_link() {
    let home = filled();
    let before = home.contents();
    let receipt = home.path("state/receipt.json");
    let steps = install(&claude_code(&home.setup()), &receipt, "1", true).unwrap();
    assert_eq!((home.contents(), steps.len()), (before, 3));
    let real = home.path("dotfiles.json");
    fs::rename(home.path("client/settings.json"), &real).unwrap();
    std::os::unix::fs::symlink(&real, home.path("client/settings.json")).unwrap();
    install(&claude_code(&home.setup()), &receipt, "2", false).unwrap();
    assert!(home.path("client/settings.json").is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("context-inject-global.sh"));
}

#[test]
fn a60_all_files_are_restored_if_the_last_one_cannot_be_written() {
    let (home, elsewhere) = (filled(), Home::new());
    fs::remove_file(home.path("client/hooks/context-inject-global.sh")).unwrap();
    let before = home.contents();
    // The file's folder cannot be created. The error occurs only when the file is written.
    std::os::unix::fs::symlink("nowhere", elsewhere.path("folder")).unwrap();
    let setup = Setup { servers: Some(elsewhere.path("folder/servers.json")), ..home.setup() };
    let receipt = home.path("state/receipt.json");
    let problem = install(&claude_code(&setup), &receipt, "1", false).unwrap_err();
    assert!(problem.to_string().contains("folder"), "{problem}");
    assert_eq!(home.contents(), before);
}

#[test]
fn a60_a_receipt_that_cannot_be_written_changes_nothing() {
    let home = filled();
    home.put("state", "a file where the folder should be");
    let before = home.contents();
    install(&codex(&home.setup()), &home.path("state/receipt.json"), "1", false).unwrap_err();
    assert_eq!(home.contents(), before);
}

#[test]
fn a60_concurrent_installations_leave_one_backup_and_it_is_restored() {
    let home = filled();
    let before = home.contents();
    let receipt = home.path("state/receipt.json");
    std::thread::scope(|scope| {
        for stamp in ["1", "2", "3", "4"] {
            let (home, receipt) = (&home, &receipt);
            scope.spawn(move || install(&codex(&home.setup()), receipt, stamp, false).unwrap());
        }
    });
    uninstall(&codex(&home.setup()), &receipt, "5", false).unwrap();
    assert_eq!(home.contents(), before);
}

#[test]
fn a60_a_link_to_a_missing_file_is_refused_and_kept() {
    let home = Home::new();
    fs::create_dir(home.path("client")).unwrap();
    let link = home.path("client/settings.json");
    std::os::unix::fs::symlink("not/cloned/yet.json", &link).unwrap();
    let receipt = home.path("state/receipt.json");
    let problem = install(&claude_code(&home.setup()), &receipt, "1", false).unwrap_err();
    assert!(problem.to_string().contains("a link to a file that does not exist"), "{problem}");
    assert!(link.is_symlink() && !home.path("client/hooks").exists());
}

#[test]
fn a60_a_launcher_that_is_not_executable_is_repaired() {
    let home = Home::new();
    let receipt = home.path("state/receipt.json");
    install(&claude_code(&home.setup()), &receipt, "1", false).unwrap();
    let launcher = home.path("client/hooks/context-inject-global.sh");
    fs::set_permissions(&launcher, fs::Permissions::from_mode(0o644)).unwrap();
    let steps = install(&claude_code(&home.setup()), &receipt, "2", false).unwrap();
    assert_eq!((steps[0].action, mode_of(&launcher)), (Action::Change, Some(0o755)));
    uninstall(&claude_code(&home.setup()), &receipt, "3", false).unwrap();
    assert_eq!(home.contents(), []);
}

#[test]
fn a60_a_byte_order_mark_is_kept_and_errors_are_refused() {
    let home = Home::new();
    let settings = "\u{feff}{\r\n  \"model\": \"opus\"\r\n}\r\n";
    home.put("client/settings.json", settings);
    let receipt = home.path("state/receipt.json");
    install(&claude_code(&home.setup()), &receipt, "1", false).unwrap();
    let text = fs::read_to_string(home.path("client/settings.json")).unwrap();
    assert!(text.starts_with("\u{feff}{") && text.contains("UserPromptSubmit"), "{text}");
    uninstall(&claude_code(&home.setup()), &receipt, "2", false).unwrap();
    assert_eq!(fs::read_to_string(home.path("client/settings.json")).unwrap(), settings);
    home.put("client/settings.json", "{\n  \"a\": 1\n  \"b\": 2\n}");
    let problem = install(&claude_code(&home.setup()), &receipt, "3", false).unwrap_err();
    assert!(problem.to_string().contains("settings.json`: "), "{problem}");
}

/// Codex does not read trusted hashes from a repository's configuration.
#[test]
fn a60_trust_in_a_hook_of_a_repository_is_written_into_the_users_configuration() {
    let home = filled();
    let before = home.contents();
    let receipt = home.path("state/receipt.json");
    let user = home.path("user/config.toml");
    let setup = Setup { trust: Some(user.clone()), servers: None, ..home.setup() };
    install(&codex(&setup), &receipt, "1", false).unwrap();
    let hooks = home.path("client/hooks.json");
    let [text, configuration] = [&hooks, &user].map(|file| fs::read_to_string(file).unwrap());
    assert_eq!(trust_state(&hooks, &text, &configuration).unwrap(), TrustState::Trusted);
    assert_eq!(fs::read_to_string(home.path("client/config.toml")).unwrap(), CONFIGURATION);
    uninstall(&codex(&setup), &receipt, "2", false).unwrap();
    assert_eq!(home.contents(), before);
}
