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
fn c2_conflicting_flags_are_refused_with_a_hint() {
    let setup = Setup::answering("x");
    let bypass = "--dangerously-bypass-approvals-and-sandbox";
    for other in [&["--full-auto"][..], &["--ask-for-approval", "on-request"]] {
        let mut arguments = vec![bypass];
        arguments.extend(other);
        let refused = explain(&setup, &arguments);
        assert_eq!(refused.exit_code, Some(2));
        assert!(
            refused.stderr.contains(bypass) && refused.stderr.contains("hint:"),
            "{}",
            refused.stderr
        );
    }
    let refused = setup
        .launch(crate::fixture::ADJUTANT)
        .env("DFA_DEGRADE_ON_NEVER", "0")
        .arguments(["policy", "explain", "--sandbox", "danger-full-access"])
        .run();
    assert_eq!(refused.exit_code, Some(2));
    assert!(refused.stderr.contains("组合无效"), "{}", refused.stderr);
}

#[test]
fn c4_explain_refuses_a_models_bypass_until_it_is_allowed() {
    let setup = Setup::answering("x");
    let refused = explain(&setup, &["--mcp", "--yolo"]);
    assert_eq!(refused.exit_code, Some(2), "{refused:#?}");
    assert!(refused.stderr.contains("--allow-bypass"), "{}", refused.stderr);
    explain(&setup, &["--yolo"]).expect_success();
    let allowed = setup.launch(crate::fixture::ADJUTANT).env("ALLOW_MCP_BYPASS", "1");
    allowed.arguments(["policy", "explain", "--mcp", "--yolo"]).run().expect_success();
}
