//! The public conformance suite, over HTTP.
//!
//! Held to: what a server with tools and nothing else can be held to. Left out: prompts, resources, completion, logging, and
//! tools that return pictures or sound, sample, or ask the user; the server does not claim any of it.

use testkit::{Conversation, mcp_suites};

use crate::{ADJUTANT, Scene, fixtures, scene};

const TOKEN: &str = "conformance-0123456789abcdef";
/// The product as it is.
const OF_THE_SERVER: [&str; 6] = [
    "server-initialize",
    "ping",
    "tools-list",
    "server-sse-polling",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
];
/// The same server with the tools that the suite asks for by name.
const OF_ITS_TOOLS: [&str; 4] = [
    "tools-call-simple-text",
    "tools-call-error",
    "tools-call-with-progress",
    "json-schema-2020-12",
];

#[track_caller]
fn check(scene: &Scene, port: u16, scenario: &str) {
    let suites = mcp_suites();
    let finished = scene
        .launch(suites.node)
        .argument("--import")
        .argument(suites.authorise)
        .argument(suites.conformance)
        .arguments([
            "server",
            "--url",
            &format!("http://localhost:{port}/mcp"),
            "--scenario",
            scenario,
        ])
        .env("MCP_TOKEN", TOKEN)
        .run();
    assert_eq!(finished.exit_code, Some(0), "{scenario}: {finished:#?}");
    assert!(finished.stdout.contains("0 failed"), "{scenario}: {finished:#?}");
}

#[test]
fn c4_the_server_passes_the_scenarios_for_a_server_with_tools() {
    let scene = scene();
    let launch = scene.launch(ADJUTANT).arguments(["mcp", "--http", "0"]);
    let served = launch.env("ADJUTANT_MCP_TOKEN", TOKEN).converse();
    let port = port(&served);
    for scenario in OF_THE_SERVER {
        check(&scene, port, scenario);
    }
}

#[test]
fn c4_tools_of_the_suite_pass_its_scenarios_through_our_lifecycle() {
    let scene = scene();
    let port = fixtures::serve(scene.repository.path(), scene.home.path(), TOKEN);
    for scenario in OF_ITS_TOOLS {
        check(&scene, port, scenario);
    }
}

/// The check itself can fail: nobody claims to have prompts.
#[test]
fn a_scenario_for_what_the_server_does_not_do_fails() {
    let scene = scene();
    let port = fixtures::serve(scene.repository.path(), scene.home.path(), TOKEN);
    let failed = std::panic::catch_unwind(|| check(&scene, port, "prompts-get-simple"));
    assert!(failed.is_err());
}

fn port(served: &Conversation) -> u16 {
    let mut port = None;
    testkit::eventually("the server says where it is", || {
        let said = served.stderr();
        let found = said.split("127.0.0.1:").nth(1).and_then(|rest| rest.split_once('/'));
        port = found.map(|(port, _)| port.parse().unwrap());
        port.is_some()
    });
    port.unwrap()
}
