//! Every command line we can emit, put to the real codex: it refuses wrong arguments with 2, and with 1 a directory
//! it does not trust, which is as far as a good command line gets here.

use std::path::Path;

use codex::{CodexOptions, Continues, EffectiveWords, OrderWords};
use testkit::{FAKE_THREAD, FakeCodex, Launch, clients};

use crate::stage::Stage;

/// Arguments as the adapter makes them for the installed codex.
fn emitted(
    orders: &OrderWords,
    options: &CodexOptions,
    resumes: bool,
    allow: bool,
) -> Option<Vec<String>> {
    let codex = clients().codex;
    let mut stage = Stage::new(FakeCodex::answering("x"), "x").with(|spec| {
        spec.orders = orders.clone();
        spec.codex = options.clone();
        if resumes {
            spec.continues = Some(Continues {
                session: "s".to_owned(),
                thread: FAKE_THREAD.to_owned(),
                effective: EffectiveWords {
                    sandbox: orders.sandbox.clone().unwrap_or_else(|| "read-only".to_owned()),
                    approval: "never".to_owned(),
                    network: orders.network,
                    bypass: orders.bypass,
                },
            });
            spec.orders = OrderWords::default();
        }
    });
    // The fake has no flags of its own to be asked about: it forwards the questions to the real one.
    let script = format!(
        "#!/bin/sh\nHOME={0} CODEX_HOME={0}\nexport HOME CODEX_HOME\nhere=${{0%/*}}\ncase \"$*\" in --version|*--help|'features list') exec '{1}' \"$@\" ;; esac\nfor word in \"$@\"; do printf '%s\\n' \"$word\"; done > \"$here/arguments.1\"; cat > /dev/null\n",
        stage.codex.folder().display(),
        codex.display(),
    );
    std::fs::write(stage.codex.program(), script).unwrap();
    if allow {
        stage.spec.tag = "allowed".to_owned();
    }
    let mut world = stage.world();
    world.environment = world.environment.with(
        "PATH",
        format!("{}:{}", stage.codex.folder().display(), std::env::var("PATH").unwrap()),
    );
    if allow {
        world.environment = world.environment.with("ALLOW_DFA_WITH_NEVER", "1");
    }
    world.cache = Some(cache().to_owned());
    let switch = process::StopSwitch::default();
    codex::exec(&stage.spec, &world, &switch, &codex::NoHooks, &mut |_| ()).ok()?;
    Some(stage.codex.arguments(1))
}

fn cache() -> &'static Path {
    static CACHE: std::sync::OnceLock<tempfile::TempDir> = std::sync::OnceLock::new();
    CACHE.get_or_init(|| tempfile::tempdir().unwrap()).path()
}

fn every_order() -> Vec<OrderWords> {
    let word = |word: &str| Some(word.to_owned());
    let mut orders = Vec::new();
    for sandbox in [None, word("read-only"), word("workspace-write"), word("danger-full-access")] {
        for approval in
            [None, word("untrusted"), word("on-failure"), word("on-request"), word("never")]
        {
            for bits in 0..8 {
                orders.push(OrderWords {
                    sandbox: sandbox.clone(),
                    approval: approval.clone(),
                    network: bits & 1 == 1,
                    bypass: bits & 2 == 2,
                    full_auto: bits & 4 == 4,
                });
            }
        }
    }
    orders
}

#[test]
fn c8_the_real_codex_accepts_every_command_line_we_emit() {
    let options = [
        CodexOptions::default(),
        CodexOptions {
            profile: None,
            model: Some("gpt-5".to_owned()),
            effort: Some("high".to_owned()),
            config: vec!["model_verbosity=\"low\"".to_owned()],
            arguments: ["--skip-git-repo-check", "--json", "--ephemeral"]
                .map(str::to_owned)
                .to_vec(),
        },
    ];
    let mut lines: Vec<Vec<String>> = Vec::new();
    for order in every_order() {
        for (resumes, allow) in [(false, false), (false, true), (true, false)] {
            lines.extend(emitted_once(&order, &options[0], resumes, allow, &lines));
        }
    }
    for order in [OrderWords::default(), OrderWords { bypass: true, ..OrderWords::default() }] {
        for resumes in [false, true] {
            lines.extend(emitted_once(&order, &options[1], resumes, false, &lines));
        }
    }
    assert!(lines.len() >= 8, "{lines:#?}");
    for line in &lines {
        let code = judged(line);
        assert_ne!(code, Some(2), "refused: {line:?}");
    }
    assert_eq!(
        judged(&["exec".into(), "--full-auto".into(), "-".into()]),
        Some(2),
        "the oracle can say no"
    );
}

fn emitted_once(
    order: &OrderWords,
    options: &CodexOptions,
    resumes: bool,
    allow: bool,
    seen: &[Vec<String>],
) -> Option<Vec<String>> {
    let line = emitted(order, options, resumes, allow)?;
    (!seen.contains(&line)).then_some(line)
}

/// In a directory that is nobody's repository, with an empty prompt: it ends at once whatever the flags are.
fn judged(arguments: &[String]) -> Option<i32> {
    let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let finished = Launch::new(clients().codex, directory.path())
        .env("HOME", home.path())
        .env("CODEX_HOME", home.path())
        .arguments(arguments)
        .input("")
        .run();
    assert!(!finished.timed_out, "{finished:#?}");
    finished.exit_code
}
