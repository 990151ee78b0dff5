//! Passes every command line that Adjutant can build to the real codex. Codex exits with 2 if the arguments are wrong. With
//! correct arguments and no prompt, it exits with 1 without calling a model.

use std::collections::BTreeSet;

use policy::{Approval, Author, Effective, Requested, Sandbox};
use process::Environment;
use runs::{Abilities, CodexOptions, Continues, EffectiveOrders, RawArgumentError, RunHost, Spec};
use testkit::{FAKE_THREAD, FakeCodex, Launch, clients};

use crate::stage::Stage;

/// Returns the abilities of the installed codex.
fn installed(home: &std::path::Path) -> Abilities {
    let ask = |arguments: &[&str]| {
        let launch = Launch::new(clients().codex, home).env("HOME", home).env("CODEX_HOME", home);
        launch.arguments(arguments).run().expect_success().stdout
    };
    let version = ask(&["--version"]);
    Abilities::from_help(
        version.trim().trim_start_matches("codex-cli "),
        &ask(&["exec", "--help"]),
        &ask(&["exec", "resume", "--help"]),
        &ask(&["features", "list"]),
    )
}

fn every_order() -> Vec<Requested> {
    let mut orders = Vec::new();
    for sandbox in [None].into_iter().chain(Sandbox::ALL.map(Some)) {
        for approval in [None].into_iter().chain(Approval::ALL.map(Some)) {
            for bits in 0..8 {
                orders.push(Requested {
                    sandbox,
                    approval,
                    network: (bits & 1 == 1).into(),
                    bypass: (bits & 2 == 2).into(),
                    full_auto: bits & 4 == 4,
                });
            }
        }
    }
    orders
}

/// Returns a run that continues a session with these orders.
fn continued(spec: &Spec) -> Spec {
    let orders = &spec.orders;
    let orders = Effective {
        sandbox: orders.sandbox.unwrap_or(Sandbox::ReadOnly),
        approval: Approval::Never,
        network: orders.network,
        bypass: orders.bypass,
    };
    let effective = EffectiveOrders { orders, writable_roots: Vec::new() };
    Spec {
        orders: Requested::default(),
        continues: Some(Continues {
            resolved_directory: None,
            session: "s".to_owned(),
            agent: runs::AgentKind::Codex,
            thread: FAKE_THREAD.to_owned(),
            directory: spec.directory.clone(),
            effective,
            codex_home: None,
        }),
        ..spec.clone()
    }
}

fn emitted(spec: &Spec, host: &RunHost, abilities: &Abilities) -> Option<Vec<String>> {
    let codex = || Ok((clients().codex, abilities.clone()));
    runs::check_for(spec, host, codex).ok()?.arguments(spec).ok()
}

#[test]
fn c8_the_real_codex_accepts_every_command_line_we_emit() {
    let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let abilities = installed(home.path());
    let stage = Stage::new(FakeCodex::answering("x"), "x");
    let worlds = ["0", "1"].map(|allow| RunHost {
        environment: Environment::default().with("ALLOW_DFA_WITH_NEVER", allow),
        ..stage.host()
    });
    let more = CodexOptions {
        profile: None,
        model: Some("gpt-5".to_owned()),
        effort: Some("high".to_owned()),
        config: vec!["model_verbosity=\"low\"".to_owned()],
        arguments: [
            "--json",
            "--ephemeral",
            "-i",
            "a.png,b.png",
            "--enable=fast_mode",
            "--add-dir=.",
        ]
        .map(str::to_owned)
        .to_vec(),
    };
    let mut lines = BTreeSet::new();
    let mut n_orders = 0;
    for orders in every_order() {
        for codex in [CodexOptions::default(), more.clone()] {
            let spec = Spec { orders, codex, ..stage.spec.clone() };
            for host in &worlds {
                n_orders += 1;
                lines.extend(emitted(&spec, host, &abilities));
                lines.extend(emitted(&continued(&spec), host, &abilities));
            }
        }
    }
    assert!(n_orders == 640 && lines.len() >= 10, "{n_orders} {lines:#?}");
    for line in &lines {
        assert_eq!(judged(line, home.path()), Some(1), "{line:?}");
    }
    for wrong in
        [&["exec", "--full-auto", "-"][..], &["exec", "-s", "read-only", "-s", "read-only", "-"]]
    {
        let wrong: Vec<String> = wrong.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(judged(&wrong, home.path()), Some(2), "codex accepts {wrong:?}");
    }
}

fn judged(arguments: &[String], home: &std::path::Path) -> Option<i32> {
    let directory = tempfile::tempdir().unwrap();
    let finished = Launch::new(clients().codex, directory.path())
        .env("HOME", home)
        .env("CODEX_HOME", home)
        .arguments(arguments)
        .input("")
        .run();
    assert!(!finished.timed_out, "{finished:#?}");
    finished.exit_code
}

/// Checks that every flag of the installed codex has a row in the table: the flag is passed, read as an order, or refused
/// with a specific reason.
#[test]
fn c8_every_flag_of_the_real_codex_has_been_judged() {
    let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let launch = Launch::new(clients().codex, home.path()).env("HOME", home.path());
    let help = launch.env("CODEX_HOME", home.path()).arguments(["exec", "--help"]).run();
    let help = help.expect_success().stdout;
    let is_flag = |word: &&str| word.starts_with('-') && word.len() > 1;
    let lines =
        help.lines().filter(|line| line.trim_start().starts_with('-') && line.find('-') < Some(8));
    let flags: BTreeSet<&str> =
        lines.flat_map(|line| line.split([' ', ',', '<'])).filter(is_flag).collect();
    assert!(flags.len() >= 25 && flags.contains("--add-dir") && flags.contains("-C"), "{flags:?}");
    for flag in flags {
        let options = CodexOptions { arguments: vec![flag.to_owned()], ..CodexOptions::default() };
        let judged = options.check(Requested::default(), Author::Person);
        let is_unknown = matches!(judged, Err(RawArgumentError::Unknown { .. }));
        assert!(!is_unknown, "{flag} needs a row in raw_orders/flags.rs");
    }
}
