//! Tests that secrets in any input of a run do not appear in the session's files or output.

use runs::Instructions;
use testkit::FakeCodex;

use crate::stage::Stage;

/// The kind of a secret, the text before the secret part, and the secret part. They are separate so that no source line
/// resembles a token.
const PLANTED: [(&str, &str, &str); 32] = [
    ("github", "ghp_", "hR7kQ2mZ9vL4xT8nB3wY6cD1fG5jK0pS2aE4"),
    ("github-fine", "github_pat_", "11ABCDEFG0aB3dE6gH9jK2_mN5pQ8sT1vW4xY7zB0cD3fG6hJ9kL2nP5"),
    ("gitlab", "glpat-", "xQ7mR2kV9zL4tN8bW3yC"),
    ("openai", "sk-proj-", "mT4kR8vZ2xL7nQ9bW3yC6dF1gH5jK0pS4aE8uI2oM6rV9tX3zB7wD1f"),
    (
        "anthropic",
        "sk-ant-api03-",
        "kV9zL4tN8bW3yCxQ7mR2hG5jF1dS0pA6uE8iO2rM4tX9zB3wD7cQ1vN5kL8jH2gF6sA0pE4uI",
    ),
    ("aws-id", "AKIA", "QZ7RW3XKLM5TNB2V"),
    ("aws-secret", "aws_secret_access_key = ", "kR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pS4aE8uI2o"),
    ("google", "AIza", "SyD3kR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0p"),
    ("slack", "xoxb-", "123456789012-123456789012-kR7mQ2vZ9xL4tN8bW3yC6dF1"),
    ("stripe", "sk_live_", "kR7mQ2vZ9xL4tN8bW3yC6dF1"),
    ("npm", "npm_", "kR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pS4aE8"),
    (
        "pypi",
        "pypi-",
        "AgEIcHlwaS5vcmcCJGkR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pS4aE8uI2oM6rV9tX3zB7wD1fkR7mQ2v",
    ),
    ("sendgrid", "SG.", "kR7mQ2vZ9xL4tN8bW3yC6d.F1gH5jK0pS4aE8uI2oM6rV9tX3zB7wD1fkR7mQ2vZ9x"),
    ("twilio", "TWILIO_AUTH_TOKEN=", "3f7a9c1e5b2d8f4a6c0e9b7d5f3a1c8e"),
    ("digitalocean", "dop_v1_", "3f7a9c1e5b2d8f4a6c0e9b7d5f3a1c8e3f7a9c1e5b2d8f4a6c0e9b7d5f3a1c8e"),
    ("huggingface", "hf_", "kRmQvZxLtNbWyCdFgHjKpSaEuIoMrVtXzB"),
    (
        "jwt",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.",
        "eyJzdWIiOiIxMjM0NTY3ODkwIn0.kR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pS4aE8uI2oM6r",
    ),
    ("bearer", "Authorization: Bearer ", "kR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pS"),
    ("basic-url", "https://deploy:", "kR7mQ2vZ9xL4@git.example.com/repo.git"),
    ("postgres-url", "postgres://app:", "vZ9xL4tN8bW3@db.example.com:5432/app"),
    ("password", "password: ", "Tr0ub4dor-x9-kQ2mZ"),
    ("api-key", "api_key = \"", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
    ("client-secret", "client_secret=", "kR7mQ2vZ9xL4tN8bW3yC6dF1gH5j"),
    (
        "azure",
        "AccountKey=",
        "kR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pS4aE8uI2oM6rV9tX3zB7wD1fkR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pA==",
    ),
    (
        "private-key",
        "-----BEGIN RSA PRIVATE KEY-----\n",
        "MIIEpAIBAAKCAQEAkR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pS4aE8uI2oM6rV9tX3",
    ),
    ("docker", "dckr_pat_", "kR7mQ2vZ9xL4tN8bW3yC6dF1gHz"),
    ("shopify", "shpat_", "3f7a9c1e5b2d8f4a6c0e9b7d5f3a1c8e"),
    ("databricks", "dapi", "3f7a9c1e5b2d8f4a6c0e9b7d5f3a1c8e"),
    ("linear", "lin_api_", "kR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pS4aE8uI2o"),
    ("figma", "figd_", "kR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pS4aE8uI2o"),
    (
        "vault",
        "hvs.",
        "CAESIkR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pS4aE8uI2oM6rV9tX3zB7wD1fkR7mQ2vZ9xL4tN8bW3yC6dF1gH5jK0pS4aE8uI2oM6",
    ),
    ("own", "INTERNAL-", "2983-4471-zz"),
];

fn closing(kind: &str) -> &'static str {
    match kind {
        "private-key" => "\n-----END RSA PRIVATE KEY-----",
        "api-key" => "\"",
        _ => "",
    }
}

fn planted() -> String {
    let texts = PLANTED
        .iter()
        .map(|(kind, before, secret)| format!("{kind}:\n{before}{secret}{}\n", closing(kind)));
    texts.collect()
}

/// Returns the part of a secret to search for. In an address, this is the part before the `@`.
fn needle(secret: &str) -> &str {
    secret.split('@').next().unwrap()
}

#[test]
fn c7_thirty_kinds_of_secrets_leave_no_trace_in_the_session() {
    let scenario = "\
thread
cat \"$here/secrets\"
cat \"$here/secrets\" >&2
cat \"$here/event\"
message \"$(cat \"$here/secrets\")\"
while IFS= read -r line; do printf '%s' \"$line\" | cut -c1-9 | tr -d '\\n'; sleep 0.01; printf '%s\\n' \"$line\" | cut -c10-; done < \"$here/secrets\"
failed \"$(cat \"$here/secrets\")\"
exit 1";
    let fake = FakeCodex::doing(scenario);
    std::fs::write(fake.folder().join("secrets"), planted()).unwrap();
    let event = serde_json::json!({
        "type": "item.completed",
        "item": { "type": "command_execution", "command": "cat .env", "aggregated_output": planted(), "status": "failed", "exit_code": 1 }
    });
    std::fs::write(fake.folder().join("event"), format!("{event}\n")).unwrap();
    let stage = Stage::new(fake, "x").with(|spec| {
        spec.instructions = Instructions::message(&planted());
        spec.redaction.patterns = vec!["INTERNAL-[0-9]+-[0-9]+-[a-z]+".to_owned()];
        spec.command_line = vec!["run".to_owned(), "--task".to_owned(), planted()];
        spec.codex.config =
            vec![format!("developer_instructions=\"{}{}\"", PLANTED[0].1, PLANTED[0].2)];
        spec.log.echo = runs::Echo::All;
        spec.tag = format!("{}{}", PLANTED[0].1, PLANTED[0].2);
        spec.repeat.overflow_retries = 0;
    });
    let mut said = Vec::new();
    let outcome = runs::exec(
        &stage.spec,
        &stage.host(),
        &process::StopSwitch::default(),
        &crate::stage::NoHooks,
        &mut |line| said.push(line.to_owned()),
    )
    .unwrap();
    assert_eq!(stage.codex.prompt(1), planted(), "codex gets the prompt unchanged");
    let mut everything = stage.record();
    assert!(everything.len() >= 7, "{everything:?}");
    everything.push(("printed output".into(), said.join("\n")));
    everything.push(("the outcome".into(), serde_json::to_string(&outcome.meta).unwrap()));
    let listed = stage.sessions().list(&runs::Filter::default());
    everything.push(("the status".into(), serde_json::to_string(&listed).unwrap()));
    let mut leaks = Vec::new();
    for (kind, _, secret) in PLANTED {
        for (path, text) in &everything {
            let name = path.display().to_string();
            if text.contains(needle(secret)) || name.contains(needle(secret)) {
                leaks.push(format!("{kind} in {}", path.file_name().unwrap().display()));
            }
        }
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn c7_without_redaction_the_record_contains_the_secrets() {
    let stage = Stage::new(FakeCodex::answering("done"), &planted())
        .with(|spec| spec.redaction.enabled = false);
    stage.run();
    assert!(
        stage.log().contains(PLANTED[0].2),
        "the record must contain the secret without redaction"
    );
    assert!(stage.log().contains("[redact] off"));
}

#[test]
fn c7_a_bad_pattern_stops_everything_before_it_starts() {
    let stage = Stage::new(FakeCodex::answering("x"), "x")
        .with(|spec| spec.redaction.patterns = vec!["(".to_owned()]);
    assert_eq!(stage.try_run().unwrap_err().exit_code(), 2);
    assert_eq!((stage.codex.n_runs(), stage.sessions_folder().exists()), (0, false));
}
