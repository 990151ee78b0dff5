//! The public conformance suite, over HTTP.
//!
//! The scenarios for a server with tools are required. The server does not offer prompts, resources, completion, logging, or
//! tools that return images or audio, sample, or ask the user. The scenarios for these features are excluded.

use testkit::{PipedProgram, mcp_suites};

use crate::{ADJUTANT, Setup, fixtures, setup};

const TOKEN: &str = "conformance-0123456789abcdef";
/// Scenarios for the server of the product.
const OF_THE_SERVER: [&str; 6] = [
    "server-initialize",
    "ping",
    "tools-list",
    "server-sse-polling",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
];
/// Scenarios for a server with the tools that the suite calls by name.
const OF_ITS_TOOLS: [&str; 4] = [
    "tools-call-simple-text",
    "tools-call-error",
    "tools-call-with-progress",
    "json-schema-2020-12",
];

#[track_caller]
fn check(setup: &Setup, port: u16, scenario: &str) {
    let suites = mcp_suites();
    let finished = setup
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
    let setup = setup();
    let launch = setup.launch(ADJUTANT).arguments(["mcp", "--tools", "all", "--http", "0"]);
    let served = launch.env("ADJUTANT_MCP_TOKEN", TOKEN).start_piped();
    let port = port(&served);
    for scenario in OF_THE_SERVER {
        check(&setup, port, scenario);
    }
}

#[test]
fn c4_the_suites_tools_pass_its_scenarios_through_the_lifecycle() {
    let setup = setup();
    let port = fixtures::serve(setup.repository.path(), setup.home.path(), TOKEN);
    for scenario in OF_ITS_TOOLS {
        check(&setup, port, scenario);
    }
}

/// Checks that a scenario can fail: the server does not offer prompts.
#[test]
fn a_scenario_for_an_unsupported_feature_fails() {
    let setup = setup();
    let port = fixtures::serve(setup.repository.path(), setup.home.path(), TOKEN);
    let failed = std::panic::catch_unwind(|| check(&setup, port, "prompts-get-simple"));
    assert!(failed.is_err());
}

fn port(served: &PipedProgram) -> u16 {
    let mut port = None;
    testkit::eventually("the server prints its address", || {
        let said = served.stderr();
        let found = said.split("127.0.0.1:").nth(1).and_then(|rest| rest.split_once('/'));
        port = found.map(|(port, _)| port.parse().unwrap());
        port.is_some()
    });
    port.unwrap()
}
