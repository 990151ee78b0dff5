//! The npm packages.

use std::fs;
use std::path::{Path, PathBuf};

use testkit::{ClientKind, Finished, TEST_TIMEOUT, is_running};

use super::{CleanHome, VERSION, package};
use crate::fixture::{DEFINITION, PROMPT};

const PLATFORM: &str = "adjutant-cli-linux-x64";

fn launcher_tarball() -> PathBuf {
    package(&format!("adjutant-cli-{VERSION}.tgz"))
}

fn platform_tarball() -> PathBuf {
    package(&format!("{PLATFORM}-{VERSION}.tgz"))
}

impl CleanHome {
    fn npm_install(&self, directory: &Path, arguments: &[&str], tarballs: &[PathBuf]) -> Finished {
        self.launch(self.system_program("npm"), directory)
            .arguments(["install", "--ignore-scripts", "--offline", "--no-audit", "--no-fund"])
            .arguments(arguments)
            .arguments(tarballs)
            .run()
            .expect_success()
    }

    fn install_globally(&self, tarballs: &[PathBuf]) {
        self.npm_install(self.home(), &["--global"], tarballs);
    }

    /// Returns the path of a command in npm's folder of global commands.
    fn global(&self, name: &str) -> PathBuf {
        self.home().join("npm/bin").join(name)
    }

    fn native_hook(&self) -> PathBuf {
        self.home().join("npm/lib/node_modules").join(PLATFORM).join("plugin/bin/adjutant-hook")
    }
}

/// Returns the path of the hook's program in the launcher that `adjutant install` wrote.
fn installed_hook(clean: &CleanHome) -> PathBuf {
    let script = clean.home().join(".claude/hooks/context-inject-global.sh");
    let script = fs::read_to_string(script).expect("the launcher is written");
    let path = script.split('\'').find(|word| word.ends_with("/adjutant-hook"));
    PathBuf::from(path.expect("the launcher names the program"))
}

/// Installs the tarballs and checks that a prompt is briefed.
#[test]
#[ignore = "needs the packages of `cargo xtask package`"]
fn packages_of_npm_brief_a_prompt_in_claude_code() {
    let clean = CleanHome::new(ClientKind::ClaudeCode);
    let started = std::time::Instant::now();
    clean.install_globally(&[launcher_tarball(), platform_tarball()]);
    let install = clean.launch(clean.global("adjutant"), clean.home());
    install.arguments(["install", "claude-code"]).run().expect_success();
    let turn = clean.fixture.prompt(PROMPT);
    println!("installed and briefed after {:.1} s", started.elapsed().as_secs_f32());
    turn.expect_answered(PROMPT);
    turn.expect_evidence();
    // The client starts the native program directly, without node.
    assert_eq!(installed_hook(&clean), clean.native_hook());
    let start = fs::read(clean.native_hook()).expect("the program");
    assert!(start.starts_with(b"\x7fELF"));
}

/// An installed hook still works after `npm install -g` of the next version, because its path contains no version.
#[test]
#[ignore = "needs the packages of `cargo xtask package`"]
fn packages_of_npm_can_be_upgraded() {
    let clean = CleanHome::new(ClientKind::ClaudeCode);
    let tarballs = [launcher_tarball(), platform_tarball()];
    clean.install_globally(&tarballs);
    let install = clean.launch(clean.global("adjutant"), clean.home());
    let install = install.arguments(["install", "claude-code"]);
    install.run().expect_success();
    let hook = installed_hook(&clean);
    let next = tarballs.map(|tarball| next_version(&clean, &tarball));
    clean.install_globally(&next);
    let manifest = hook.ancestors().nth(3).expect("the package").join("package.json");
    assert!(fs::read_to_string(manifest).expect("a manifest").contains(NEXT_VERSION));
    assert!(hook.is_file());
    let again = install.run().expect_success().stdout;
    assert!(!again.contains("change") && !again.contains("create"), "{again}");
    clean.fixture.prompt(PROMPT).expect_evidence();
}

const NEXT_VERSION: &str = "99.0.0";

/// Packs the files of a tarball with npm as the next version.
fn next_version(clean: &CleanHome, tarball: &Path) -> PathBuf {
    let name = tarball.file_name().and_then(|name| name.to_str()).expect("a name");
    let folder = clean.home().join("next").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let tar = clean.launch(clean.system_program("tar"), &folder);
    tar.arguments(["-xzf"]).argument(tarball).run().expect_success();
    let manifest = folder.join("package/package.json");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    fs::write(&manifest, text.replace(VERSION, NEXT_VERSION)).expect("write the manifest");
    let npm = clean.launch(clean.system_program("npm"), &folder);
    npm.arguments(["pack", "./package", "--offline"]).run().expect_success();
    folder.join(name.replace(VERSION, NEXT_VERSION))
}

#[test]
#[ignore = "needs the packages of `cargo xtask package`"]
fn packages_of_npm_work_with_npx_in_a_project() {
    let clean = CleanHome::new(ClientKind::ClaudeCode);
    let project = clean.fixture.repository.path();
    fs::write(project.join("package.json"), "{\"private\": true}\n").expect("write a manifest");
    clean.npm_install(project, &[], &[launcher_tarball(), platform_tarball()]);
    let npx = clean.launch(clean.system_program("npx"), project);
    let briefed = npx.arguments(["adjutant", "brief", PROMPT]).run().expect_success();
    assert!(briefed.stdout.contains(DEFINITION), "{briefed:#?}");
}

#[test]
#[ignore = "needs the packages of `cargo xtask package`"]
fn packages_of_npm_pass_on_exit_codes_input_and_signals() {
    let clean = CleanHome::new(ClientKind::ClaudeCode);
    clean.install_globally(&[launcher_tarball(), platform_tarball()]);
    let adjutant = clean.launch(clean.global("adjutant"), clean.home());
    let wrong = adjutant.clone().argument("--no-such-flag").run();
    assert_eq!(wrong.exit_code, Some(2), "{wrong:#?}");
    let mut server = adjutant.argument("mcp").start_piped();
    server.write_line(concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","#,
        r#""capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#
    ));
    let answer = server.read_line(TEST_TIMEOUT).expect("the server answers");
    assert!(answer.contains("serverInfo"), "{answer}");
    let children = format!("/proc/{0}/task/{0}/children", server.process_id());
    let native = fs::read_to_string(children).expect("the children of node");
    assert!(is_running(&native), "`{native}` is not one process");
    server.terminate();
    server.exit_code(TEST_TIMEOUT);
    assert!(!is_running(&native), "the native program continues after SIGTERM");
}

#[test]
#[ignore = "needs the packages of `cargo xtask package`"]
fn packages_of_npm_name_a_missing_platform_package() {
    let clean = CleanHome::new(ClientKind::ClaudeCode);
    clean.install_globally(&[launcher_tarball()]);
    let finished = clean.launch(clean.global("adjutant"), clean.home()).run();
    assert_eq!(finished.exit_code, Some(1));
    assert_eq!(finished.stdout, "");
    for text in ["error: the package adjutant-cli-linux-x64", "linux-x64", "hint: ", "Homebrew"] {
        assert!(finished.stderr.contains(text), "{}", finished.stderr);
    }
}
