use super::{Scene, json};

fn explain(scene: &Scene, arguments: &[&str]) -> testkit::Finished {
    scene.launch(crate::stage::ADJUTANT).arguments(["policy", "explain"]).arguments(arguments).run()
}

#[test]
fn c3_what_was_asked_what_it_becomes_and_why() {
    let scene = Scene::answering("x");
    let asked = ["--sandbox", "danger-full-access", "--ask-for-approval", "never"];
    let explained = explain(&scene, &asked).expect_success();
    let lines: Vec<&str> = explained.stdout.lines().collect();
    assert!(lines[0].starts_with("requested  sandbox danger-full-access · approval never"));
    assert!(lines[1].starts_with("effective  sandbox workspace-write · approval never"));
    assert!(lines[2].starts_with("because    lowered the sandbox"), "{}", lines[2]);
    let mut as_json = asked.to_vec();
    as_json.push("--json");
    let explained = json(&explain(&scene, &as_json).expect_success());
    assert_eq!(explained["effective"]["sandbox"], "workspace-write");
    assert!(!scene.state().exists(), "explaining leaves nothing behind");
}

#[test]
fn c2_contradictions_are_refused_with_the_way_out() {
    let scene = Scene::answering("x");
    let bypass = "--dangerously-bypass-approvals-and-sandbox";
    for other in [&["--full-auto"][..], &["--ask-for-approval", "on-request"]] {
        let mut arguments = vec![bypass];
        arguments.extend(other);
        let refused = explain(&scene, &arguments);
        assert_eq!(refused.exit_code, Some(2));
        assert!(
            refused.stderr.contains(bypass) && refused.stderr.contains("hint:"),
            "{}",
            refused.stderr
        );
    }
    let refused = scene
        .launch(crate::stage::ADJUTANT)
        .env("DFA_DEGRADE_ON_NEVER", "0")
        .arguments(["policy", "explain", "--sandbox", "danger-full-access"])
        .run();
    assert_eq!(refused.exit_code, Some(2));
    assert!(refused.stderr.contains("组合无效"), "{}", refused.stderr);
}

#[test]
fn c4_a_bypass_by_a_model_is_explained_as_refused_until_it_is_allowed() {
    let scene = Scene::answering("x");
    let refused = explain(&scene, &["--mcp", "--yolo"]);
    assert_eq!(refused.exit_code, Some(2), "{refused:#?}");
    assert!(refused.stderr.contains("--allow-bypass"), "{}", refused.stderr);
    explain(&scene, &["--yolo"]).expect_success();
    let allowed = scene.launch(crate::stage::ADJUTANT).env("ALLOW_MCP_BYPASS", "1");
    allowed.arguments(["policy", "explain", "--mcp", "--yolo"]).run().expect_success();
}
