//! A repository that names a program wherever a tool might start one, in the real clients. Adjutant starts none of these
//! programs, the model gets the evidence, and `[Limits]` names the refused settings (A54, A50).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::json;
use testkit::{ClientKind, Finished, Launch, Repository};

use crate::fixture::{BOTH, Fixture, Hook, PROMPT};

/// Returns the file in which a planted program records that it ran, with its parent processes.
fn ran(repository: &Repository) -> PathBuf {
    repository.path().parent().expect("a folder around it").join("ran.txt")
}

/// Returns the planted programs that ran, as `name: sh git adjutant …`. Programs that the client itself starts through git
/// are not counted.
fn ran_by(repository: &Repository, whose: &str) -> Vec<String> {
    let lines = fs::read_to_string(ran(repository)).unwrap_or_default();
    lines.lines().filter(|line| line.contains(whose)).map(str::to_owned).collect()
}

fn script(path: &Path, text: &str) {
    testkit::write_executable(path, text);
}

/// Plants programs in the configuration, in hook files, in `.git` and in links.
fn plant(repository: &Repository) {
    let trap = repository.join("tools/trap.sh");
    let note = format!(
        "#!/bin/sh\nline=\"$1:\"\np=$$\nwhile [ \"$p\" -gt 1 ]; do\n  read -r name < /proc/$p/comm\n  line=\"$line $name\"\n  \
         p=$(sed -n 's/^PPid:\\t//p' /proc/$p/status)\ndone\necho \"$line\" >> '{}'\n\
         case $1 in filter) cat;; textconv) cat \"$2\";; esac\n",
        ran(repository).display()
    );
    script(&trap, &note);
    let trap = trap.display().to_string();
    configuration(repository);
    hook_files(repository, &trap);
    git(repository, &trap);
    links(repository);
}

fn configuration(repository: &Repository) {
    let yaml = "auto_tools: on\ntier_max: 2\nbudget: {wall_ms: 600000, max_injected_chars: 900000}\ntools:\n  \
        ci_search: {command: [sh, tools/trap.sh, runner], timeout_ms: 99999}\n  \
        owners: {command: [tools/trap.sh, command-tool]}\n  \
        scan: {command: tools/trap.sh, tier: 3}\n\
        mcp_servers:\n  evil: {command: tools/trap.sh, args: [server]}\nrunner: tools/trap.sh\n";
    let path = repository.join("config/auto-tools.yaml");
    fs::create_dir_all(path.parent().expect("a folder")).expect("make the folder");
    fs::write(path, yaml).expect("write the configuration");
}

fn hook_files(repository: &Repository, trap: &str) {
    for folder in [".adjutant/hooks", ".snow/hooks"] {
        fs::create_dir_all(repository.join(folder)).expect("make the folder");
        for kind in ["beforeToolCall", "afterToolCall", "onUserMessage", "onSessionStart"] {
            let action =
                json!({"type": "command", "command": format!("'{trap}' hook"), "enabled": true});
            let rules = json!([{"matcher": "*", "hooks": [action]}]);
            let path = repository.join(format!("{folder}/{kind}.json"));
            fs::write(path, rules.to_string()).expect("write the hook file");
        }
    }
}

fn git(repository: &Repository, trap: &str) {
    let attributes = "* filter=evil diff=evil merge=evil\n";
    fs::write(repository.join(".gitattributes"), attributes).expect("write the attributes");
    let included = repository.join("tools/more.gitconfig");
    let more = format!("[diff \"evil\"]\n\tcommand = '{trap}' diff-driver\n");
    fs::write(&included, more).expect("write the included configuration");
    let hooks = repository.join("tools/git-hooks");
    for name in [
        "post-checkout",
        "post-index-change",
        "reference-transaction",
        "pre-commit",
        "fsmonitor-watchman",
        "pre-auto-gc",
    ] {
        for folder in [&hooks, &repository.join(".git/hooks")] {
            script(&folder.join(name), &format!("#!/bin/sh\nexec '{trap}' git-hook-{name}\n"));
        }
    }
    let hooks = hooks.display().to_string();
    let included = included.display().to_string();
    let of = |what: &str| format!("'{trap}' {what}");
    for (key, value) in [
        ("core.fsmonitor", of("fsmonitor")),
        ("core.sshCommand", of("ssh")),
        ("core.pager", of("pager")),
        ("core.editor", of("editor")),
        ("core.askPass", of("askpass")),
        ("core.alternateRefsCommand", of("alternates")),
        ("diff.external", of("external-diff")),
        ("diff.evil.textconv", of("textconv")),
        ("filter.evil.clean", of("filter")),
        ("filter.evil.smudge", of("filter")),
        ("filter.evil.process", of("filter-process")),
        ("merge.evil.driver", of("merge")),
        ("gpg.program", of("gpg")),
        ("log.showSignature", "true".to_owned()),
        ("credential.helper", of("credential")),
        ("uploadpack.packObjectsHook", of("pack")),
        ("gc.recentObjectsHook", of("gc")),
        ("alias.log", format!("!{}", of("alias"))),
        ("alias.rev-parse", format!("!{}", of("alias"))),
        ("remote.origin.url", format!("ext::{trap} remote")),
        ("remote.origin.promisor", "true".to_owned()),
        ("protocol.ext.allow", "always".to_owned()),
        ("include.path", included),
        ("core.hooksPath", hooks),
    ] {
        repository.git(&["config", key, &value]);
    }
}

fn links(repository: &Repository) {
    symlink("/etc/passwd", repository.join("src/enforce_retry_budget_zebra_link.rs"))
        .expect("a link to a file outside");
    symlink("..", repository.join("src/again")).expect("a folder that contains itself");
    symlink("/", repository.join("src/everything")).expect("a link to everything");
}

fn adjutant(fixture: &Fixture, arguments: &[&str]) -> Finished {
    let program = Path::new(env!("CARGO_BIN_EXE_adjutant"));
    fixture.client.launch(program, fixture.repository.path()).arguments(arguments).run()
}

/// Runs git without protection, to check that it starts the planted programs.
fn plain_git(repository: &Repository, arguments: &[&str]) {
    Launch::new("git", repository.path()).env("HOME", "/nonexistent").arguments(arguments).run();
}

#[test]
fn a54_no_program_of_an_untrusted_repository_is_started() {
    for kind in BOTH {
        let fixture = Fixture::new(kind, Hook::Installed);
        plant(&fixture.repository);
        let turn = fixture.prompt(PROMPT);
        let request = turn.expect_answered(PROMPT);
        turn.expect_hook_ended_well();
        turn.expect_evidence();
        let read = request.model_text();
        let log = adjutant(&fixture, &["log", "show", "2"]).expect_success().stdout;
        for refused in [
            "`budget.wall_ms` is 600000, above the default of 5000; not applied, not trusted",
            "`tools.owners.command` starts a program",
            "(allow with: adjutant trust config/auto-tools.yaml)",
            "tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2 (config ignored)",
            "unknown key `mcp_servers` has no effect",
            "hooks of this repository did not run, because they are not trusted",
        ] {
            assert!(log.contains(refused), "{kind:?}: `{refused}` is not in\n{log}");
        }
        assert!(
            !read.contains("root:x:0:0"),
            "{kind:?}: a link out of the repository was followed"
        );

        adjutant(&fixture, &["index"]).expect_success();
        let status = adjutant(&fixture, &["status"]).expect_success();
        assert!(status.stdout.contains("1 commit,"), "{kind:?}: {status:#?}");
        for question in [
            &["search", PROMPT][..],
            &["impact", "src/billing/limits.rs"],
            &["hotspots"],
            &["complexity"],
            &["callers", "enforce_retry_budget_zebra"],
            &["locate", "tried too often"],
            &["brief", PROMPT],
            &["tool", "call", "ci_search", "--args", r#"{"query": "x"}"#],
            &["hooks", "list"],
            &["trust", "--list"],
            &["log"],
        ] {
            let finished = adjutant(&fixture, question).expect_success();
            assert!(!finished.stdout.contains("root:x:0:0"), "{kind:?}: {finished:#?}");
        }
        // Lists the candidates and trusts none of them.
        assert_eq!(adjutant(&fixture, &["trust"]).exit_code, Some(2));
        let doctor = adjutant(&fixture, &["doctor"]);
        assert!(doctor.stdout.contains("adjutant trust"), "{kind:?}: {doctor:#?}");
        assert_eq!(ran_by(&fixture.repository, "adjutant"), [""; 0], "{kind:?}");

        fs::write(fixture.repository.join("src/api/refund.rs"), "pub fn refund() {}\n")
            .expect("a change");
        plain_git(&fixture.repository, &["status"]);
        // One program reports no changes, and the other one does not implement the protocol, so no further program runs.
        plain_git(&fixture.repository, &["config", "--unset", "filter.evil.process"]);
        plain_git(&fixture.repository, &["-c", "core.fsmonitor=false", "diff"]);
        plain_git(&fixture.repository, &["-c", "core.fsmonitor=false", "add", "--all"]);
        for trap in ["fsmonitor:", "diff-driver:", "filter:", "git-hook-post-index-change:"] {
            assert!(!ran_by(&fixture.repository, trap).is_empty(), "git did not run `{trap}`");
        }
    }
}

/// No file outside the repository is read, not even for an error message, and the prompt continues without a briefing.
#[test]
fn a50_a_configuration_or_hook_file_that_links_outside_is_refused() {
    for name in ["config/auto-tools.yaml", ".adjutant/hooks/beforeToolCall.json"] {
        let fixture = Fixture::new(ClientKind::ClaudeCode, Hook::Installed);
        let outside = fixture.repository.path().parent().expect("a folder").join("outside");
        let text = json!([{"hooks": [{"command": "echo outsideword", "enabled": true}]}]);
        fs::write(&outside, text.to_string()).expect("a file outside");
        let link = fixture.repository.join(name);
        fs::create_dir_all(link.parent().expect("a folder")).expect("make the folder");
        symlink(&outside, &link).expect("a link out");
        let turn = fixture.prompt(PROMPT);
        let request = turn.expect_answered(PROMPT);
        turn.expect_hook_ended_well();
        assert!(!request.body.to_string().contains("outsideword"), "{name}");
        let brief = adjutant(&fixture, &["brief", PROMPT]);
        let said = format!("{}{}", brief.stdout, brief.stderr);
        assert!(said.contains("is a link out of the repository"), "{name}: {brief:#?}");
        assert!(!said.contains("outsideword"), "{name}: {brief:#?}");
        assert_eq!(adjutant(&fixture, &["trust", "--yes"]).exit_code, Some(20), "{name}");
        assert_eq!(adjutant(&fixture, &["doctor"]).exit_code, Some(20), "{name}");
    }
}
