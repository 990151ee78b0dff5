use super::{Setup, json};

fn explain(setup: &Setup, arguments: &[&str]) -> testkit::Finished {
    setup
        .launch(crate::fixture::ADJUTANT)
        .arguments(["policy", "explain"])
        .arguments(arguments)
        .run()
}

#[test]
fn c3_explain_shows_requested_and_effective_orders_with_reasons() {
    let setup = Setup::answering("x");
    let asked = ["--sandbox", "danger-full-access", "--ask-for-approval", "never"];
    let explained = explain(&setup, &asked).expect_success();
    let lines: Vec<&str> = explained.stdout.lines().collect();
    assert!(lines[0].starts_with("requested  sandbox danger-full-access · approval never"));
    assert!(lines[1].starts_with("effective  sandbox workspace-write · approval never"));
    assert!(lines[2].starts_with("because    lowered the sandbox"), "{}", lines[2]);
    let mut as_json = asked.to_vec();
    as_json.push("--json");
    let explained = json(&explain(&setup, &as_json).expect_success());
    assert_eq!(explained["effective"]["sandbox"], "workspace-write");
    assert!(!setup.state().exists(), "`policy explain` wrote files");
}

#[test]
fn c2_c4_explain_refuses_what_a_run_would_refuse() {
    let setup = Setup::answering("x");
    let launch = || setup.launch(crate::fixture::ADJUTANT).arguments(["policy", "explain"]);
    #[track_caller]
    fn refused(launch: &testkit::Launch, said: &str) {
        let refused = launch.run();
        assert_eq!(refused.exit_code, Some(2), "{refused:#?}");
        assert!(refused.stderr.contains(said) && refused.stderr.contains("hint:"), "{refused:#?}");
    }
    refused(&launch().arguments(["--yolo", "--full-auto"]), "参数冲突");
    let never = launch().env("DFA_DEGRADE_ON_NEVER", "0");
    refused(&never.arguments(["--sandbox", "danger-full-access"]), "组合无效");
    refused(&launch().arguments(["--mcp", "--yolo"]), "--allow-bypass");
    let allowed = launch().env("ALLOW_MCP_BYPASS", "1");
    allowed.arguments(["--mcp", "--yolo"]).run().expect_success();
}
