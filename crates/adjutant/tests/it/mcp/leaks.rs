//! No reply of the server contains secrets from files of the repository or from codex's output.

use serde_json::{Value, json};
use testkit::{FakeCodex, Repository};

use super::client::{eventually, setup_on};
use crate::fixture::on;

/// The prefix and the secret part of each token. They are separate so that no line of this file looks like a token.
const PLANTED: [(&str, &str); 13] = [
    ("ghp_", "hR7kQ2mZ9vL4xT8nB3wY6cD1fG5jK0pS2aE4"),
    ("sk-proj-", "mT4kR8vZ2xL7nQ9bW3yC6dF1gH5jK0pS4aE8uI2oM6rV9tX3zB7wD1f"),
    ("sk-ant-api03-", "kV9zL4tN8bW3yCxQ7mR2hG5jF1dS0pA6uE8iO2rM4tX9zB3wD7cQ1vN5kL8jH2gF6sA0pE4uI"),
    ("AKIA", "QZ7RW3XKLM5TNB2V"),
    ("aws_secret_access_key = ", "kR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pS4aE8uI2o"),
    ("AIza", "SyD3kR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0p"),
    ("xoxb-", "123456789012-123456789012-kR7mQ2vZ9xL4tN8bW3yC6dF1"),
    ("sk_live_", "kR7mQ2vZ9xL4tN8bW3yC6dF1"),
    ("npm_", "kR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pS4aE8"),
    ("Authorization: Bearer ", "kR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pT"),
    ("postgres://app:", "vZ9xL4tN8bW3"),
    ("client_secret=", "kR7mQ2vZ9xL4tN8bW3yC6dF1gH5j"),
    ("dop_v1_", "3f7a9c1e5b2d8f4a6c0e9b7d5f3a1c8e3f7a9c1e5b2d8f4a6c0e9b7d5f3a1c8e"),
];

fn planted() -> Vec<String> {
    let after =
        |before: &str| if before.starts_with("postgres") { "@db.example.com/app" } else { "" };
    PLANTED.iter().map(|(before, secret)| format!("{before}{secret}{}", after(before))).collect()
}

#[track_caller]
fn expect_clean(what: &str, said: &Value) {
    let said = said.to_string();
    for (before, secret) in PLANTED {
        assert!(!said.contains(secret), "{what} contains `{before}…`: {said}");
    }
}

#[test]
fn c7_no_reply_contains_a_secret() {
    let code: String = planted()
        .iter()
        .enumerate()
        .map(|(number, secret)| {
            format!("/// Connects zebra {number}.\npub fn connect_zebra_{number}() {{\n    open(r#\"{secret}\"#);\n}}\n\n")
        })
        .collect();
    let repository = Repository::builder()
        .file("src/zebra.rs", code)
        .file(".env", planted().join("\n"))
        .file("zebra_notes.md", format!("# zebra connect\n\n{}\n", planted().join("\n\n")))
        .commit("zebra")
        .build();
    let says = planted()
        .iter()
        .map(|secret| format!("message '{secret}'; echo '{secret}' >&2\n"))
        .collect::<String>();
    let setup = setup_on(on(repository), FakeCodex::doing(&format!("thread\n{says}completed")));
    let mut client = setup.client();

    let mut n_hidden = 0;
    for number in 0..PLANTED.len() {
        let query = json!({ "query": format!("connect_zebra_{number}") });
        for tool in ["ci_search", "ci_graph_rag", "ci_bug_locate"] {
            let result = client.call(tool, query.clone());
            expect_clean(tool, &result);
            let hidden = &result["structuredContent"]["redactions"];
            n_hidden += usize::from(hidden.as_array().is_some_and(|hidden| !hidden.is_empty()));
        }
    }
    assert!(
        n_hidden >= PLANTED.len(),
        "too few redactions, so the replies did not contain the planted lines: {n_hidden}"
    );
    for secret in planted() {
        expect_clean(
            "brief",
            &client.call("brief", json!({ "prompt": format!("where is {secret} in zebra?") })),
        );
        expect_clean("ci_search", &client.call("ci_search", json!({ "query": secret })));
        let unknown = client.request("tools/call", json!({ "name": secret, "arguments": {} }));
        expect_clean("an unknown tool", &unknown);
        expect_clean("a bad argument", &client.call("codex.status", json!({ "jobId": secret })));
    }

    let task = json!({ "task": planted().join("\n"), "tag": "zebra" });
    let params =
        json!({ "name": "codex.exec", "arguments": task, "_meta": { "progressToken": 1 } });
    expect_clean("codex.exec", &client.request("tools/call", params));
    assert!(!client.other_messages.is_empty(), "no progress message was sent");
    expect_clean("progress", &Value::from(client.other_messages.clone()));
    let job = client.ok("codex.start", task)["jobId"].clone();
    eventually("the job has ended", || {
        client.ok("codex.status", json!({ "jobId": job }))["state"] != "running"
    });
    for (tool, arguments) in [
        ("codex.status", json!({ "jobId": job })),
        ("codex.logs", json!({ "jobId": job, "limit": 250_000 })),
        ("codex.logs", json!({ "jobId": job, "mode": "lines", "limitLines": 5000 })),
        ("codex.logs", json!({ "jobId": job, "view": "result-only" })),
        ("codex.list", json!({})),
        ("codex.reply", json!({ "jobId": job, "message": planted().join(" ") })),
        ("codex.metrics", json!({})),
    ] {
        let result = client.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result:#}");
        expect_clean(tool, &result);
    }
}

/// Secrets that can be recognised only with the start of their line or with the lines around it, in the files of a
/// repository. The number of a line is not part of the file.
#[test]
fn a52_secrets_that_depend_on_other_lines_are_not_quoted() {
    let manifest =
        "# zebra_deploy\nenv:\n  - name: ZEBRA_DB_PASSWORD\n    value: tansy-Gravel-moor\n";
    let switch = "! zebra_switch\nhostname zebra\nenable secret Heron_Slate9q\nend\n";
    let rows = "-- zebra_rows\nname,password\nmira,Heron-2025-03x\n";
    let repository = Repository::builder()
        .file("deploy/zebra_deploy.yaml", manifest)
        .file("net/zebra_switch.conf", switch)
        .file("data/zebra_rows.csv", rows)
        .commit("zebra")
        .build();
    let values = ["tansy-Gravel-moor", "Heron_Slate9q", "Heron-2025-03x"];
    let setup = setup_on(on(repository), FakeCodex::doing("thread\ncompleted"));
    let mut client = setup.client();
    for (query, file) in [
        ("ZEBRA_DB_PASSWORD in zebra_deploy.yaml", "zebra_deploy.yaml"),
        ("zebra_switch.conf hostname zebra enable", "zebra_switch.conf"),
        ("zebra_rows.csv name password mira", "zebra_rows.csv"),
    ] {
        for (tool, arguments) in [
            ("ci_search", json!({ "query": query })),
            ("brief", json!({ "prompt": format!("where is {query} defined?") })),
        ] {
            let said = client.call(tool, arguments).to_string();
            assert!(said.contains(file), "{tool} does not cite {file}: {said}");
            assert!(!values.iter().any(|value| said.contains(value)), "{tool}: {said}");
        }
    }
}
