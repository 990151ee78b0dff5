//! The official inspector's command line, over stdio.

use serde_json::Value;
use testkit::{Finished, mcp_suites};

use crate::{ADJUTANT, Setup, setup};

fn inspect(setup: &Setup, arguments: &[&str]) -> Finished {
    let suites = mcp_suites();
    setup
        .launch(suites.node)
        .argument(suites.inspector)
        .arguments(["--cli", ADJUTANT, "mcp", "--tools", "all"])
        .arguments(arguments)
        .run()
}

fn json(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
}

#[test]
fn c5_the_inspector_lists_the_tools_and_accepts_their_schemas() {
    let finished = inspect(&setup(), &["--method", "tools/list", "--strict"]).expect_success();
    let tools = json(&finished);
    assert_eq!(tools["tools"].as_array().unwrap().len(), 24, "{finished:#?}");
    assert!(!finished.stderr.contains("warning"), "{}", finished.stderr);
}

#[test]
fn c5_the_inspector_calls_a_tool_and_gets_its_error() {
    let setup = setup();
    let call = |tool: &str, argument: &[&str]| {
        let mut words = vec!["--method", "tools/call", "--tool-name", tool];
        if !argument.is_empty() {
            words.push("--tool-arg");
            words.extend(argument);
        }
        inspect(&setup, &words)
    };
    let found = call("ci_search", &["query=enforce_retry_budget_zebra"]).expect_success();
    let result = json(&found);
    assert_eq!(
        result["structuredContent"]["data"]["items"][0]["path"], "src/limits.rs",
        "{found:#?}"
    );
    let refused = call("codex.status", &["jobId=../../etc"]);
    let said = format!("{}{}", refused.stdout, refused.stderr);
    assert!(said.contains("INVALID_ARGUMENT"), "{refused:#?}");
}
