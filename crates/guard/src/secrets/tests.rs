//! Tests of redaction (A52).

use super::{redact, redact_named};

fn check(text: &str, expected: &str) {
    let redacted = redact(text);
    assert_eq!(redacted.text, expected);
    assert_eq!(redact(&redacted.text).text, expected, "redacting twice changes nothing more");
}

/// Returns the text as programs print it: with the number, the place, the mark of a diff, the time or a quote mark before
/// each line.
pub(super) fn presented(text: &str) -> Vec<String> {
    let with = |prefix: &dyn Fn(usize) -> String| {
        let lines = text.split('\n').enumerate().map(|(at, line)| prefix(at + 9) + line);
        lines.collect::<Vec<_>>().join("\n")
    };
    let constant = |prefix: &'static str| with(&|_| prefix.to_owned());
    vec![
        with(&|number| format!("{number}| ")),
        with(&|number| format!("{number:6}\t")),
        with(&|number| format!("{number:6}→")),
        with(&|number| format!("{number:6} ")),
        with(&|number| format!("{number}:")),
        with(&|number| format!("{number}-")),
        with(&|number| format!("deploy/app.yaml:{number}:")),
        with(&|number| format!("deploy/app.yaml-{number}-")),
        with(&|number| format!("2026-11-18T10:00:{:02}Z ", number % 60)),
        with(&|number| format!("2026-11-18 10:00:00,{number:03} INFO ")),
        with(&|number| format!("2026-11-18T10:00:{:02}Z +", number % 60)),
        constant("deploy/app.yaml:"),
        constant("+"),
        constant("-"),
        constant("[10:00:00] "),
        constant("Nov 18 10:00:00 web app[7]: "),
        constant("> "),
        constant("web-1  | "),
        format!("@@ -1,9 +1,9 @@\n{}\n+added\n", constant(" ")),
    ]
}

#[test]
fn a52_tokens_keep_their_prefix() {
    check(concat!("id AK", "IAQ3EGRT7ZK2MWX5NB end"), "id AKIA<redacted> end");
    check("Authorization: Bearer 8fK2mQ9xLr4Tn8vBz3Yc", "Authorization: Bearer <redacted>");
}

#[test]
fn a52_a_private_key_is_redacted_as_a_whole() {
    check(
        "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq0\nabcdefgh\n-----END RSA PRIVATE KEY-----\nb",
        "a\n-----BEGIN RSA PRIVATE KEY-----<redacted>-----END RSA PRIVATE KEY-----\nb",
    );
}

/// The searches before and after an anchor stop after a number of bytes, which may be within a character.
#[test]
fn a53_every_anchor_may_be_surrounded_by_characters_of_several_bytes() {
    for (pattern, _) in super::positions::anchors() {
        for shift in 0..3 {
            let ascii = "x".repeat(shift);
            let wide = "密".repeat(200);
            for (before, after) in
                [(" ", " "), ("\n", "\n"), ("\n", ": "), (" ", "=\""), ("<", ">")]
            {
                let text = format!(
                    "{wide}{ascii}{before}{pattern}{after}{ascii}{wide}\nroot:{ascii}{wide}\n"
                );
                assert!(redact(&text).text.starts_with('密'), "{pattern}");
            }
        }
    }
}

#[test]
fn ordinary_code_is_untouched() {
    for line in [
        "password = None",
        "token = self.get_token(request)",
        "let secret = Secret::new();",
        "resolution: {integrity: sha512-pwDnDspTqtTo2HwfLw4Rp6yywuuBdYnPYDq+mO38ZYKGebCUQC/nVj/PXSiK9HX5otxLz8==}",
        "local_public_key: 4x6L5dZjB8hsPO4f96Hyhi4xFealBu6i3BxRVBYR1Fc=",
        "[discord-link]: https://discord.com/invite/W6vYXmAQG2",
        "uses: actions/create-app-token@3b9b8c884f6b4bb4d5be2779c26374abadae0871",
        "monkey = 4x6L5dZjB8hsPO4f96Hyhi4xFealBu6i3BxRVBYR1Fc=",
    ] {
        check(line, line);
    }
}

#[test]
fn a52_every_occurrence_of_a_secret_value_is_redacted() {
    check(
        "token = \"b901ny2ffwazl8s\"\n# was b901ny2ffwazl8s before",
        "token = \"<redacted>\"\n# was <redacted> before",
    );
}

#[test]
fn a52_values_of_many_kinds_of_names_are_redacted() {
    check("\"apiKey\": \"b901ny2ffwazl8s\"", "\"apiKey\": \"<redacted>\"");
    check("<token>\n  b901ny2ffwazl8s\n</token>", "<token>\n  <redacted>\n</token>");
    check("connect --token b901ny2ffwazl8sq --verbose", "connect --token <redacted> --verbose");
    check("Password=#gets0m3;Trusted=False", "Password=<redacted>;Trusted=False");
    check("postgres://me:s3cr3t@host/db", "postgres://me:<redacted>@host/db");
    check("curl -u me:s3cr3tpass https://x.org", "curl -u me:<redacted> https://x.org");
    check("Authorization: Basic bWU6czNjcjN0cGFzcw==", "Authorization: Basic <redacted>");
    check(
        "key = os.getenv(\"KEY\", \"x\") # Key=4x6L5dZjB8hsPO4f96Hyhi4xFe",
        "key = os.getenv(\"KEY\", \"x\") # Key=<redacted>",
    );
    check("密码：\"hunter2!x9Kq\"", "密码：\"<redacted>\"");
}

#[test]
fn a52_a_named_token_keeps_its_prefix_and_its_kind() {
    let text = concat!("token = \"gh", "p_k7Wm2pQ9xLr4Tn8vBz3Yc6Hd1Fj5Gs0aEuIo\"");
    let redacted = redact(text);
    assert_eq!(redacted.text, "token = \"ghp_<redacted>\"");
    assert_eq!(redacted.redactions[0].kind, "github-token");
}

#[test]
fn a52_kubernetes_secrets_lose_their_values() {
    check(
        "kind: Secret\ndata:\n  user: YWRtaW4=\nmetadata:\n  name: x\n",
        "kind: Secret\ndata:\n  user: <redacted>\nmetadata:\n  name: x\n",
    );
    check("data:\n  a: YWRtaW4=\nkind: Secret\n", "data:\n  a: <redacted>\nkind: Secret\n");
    check(
        "kind: ConfigMap\ndata:\n  user: YWRtaW4=\n",
        "kind: ConfigMap\ndata:\n  user: YWRtaW4=\n",
    );
}

#[test]
fn a52_the_name_of_a_field_decides() {
    assert_eq!(redact_named("apiToken", "b901ny2ffwazl8s").text, "<redacted>");
    assert_eq!(redact_named("title", "b901ny2ffwazl8s").text, "b901ny2ffwazl8s");
    assert_eq!(redact_named("password", "not set").text, "not set");
}

/// Regression test for a bug found by a fuzzer: the rule for a name before a scheme redacted only the first 160
/// characters.
#[test]
fn a52_a_long_bearer_token_is_redacted_as_a_whole() {
    let token = "AKPIF47hMNEOha4Wds8JiMzODsmIzM1OyYjNTU7JiM1MDsmIzU5OyYjMzg".repeat(20);
    check(&format!("Authorization: Bearer {token} end"), "Authorization: Bearer <redacted> end");
}

#[test]
fn a52_addresses_with_a_secret_are_found_encoded_once_and_twice() {
    // `https://hooks.slack.com/services/…` is encoded twice, `postgres://app:…@db/x` once.
    for encoded in [
        "YUhSMGNITTZMeTlvYjI5cmN5NXpiR0ZqYXk1amIyMHZjMlZ5ZG1salpYTXZWREV5TXpRMU5qYzRPUzlDTVRJek5EVTJOemc1THpGaE1tSXpZelJrTldVMlpqZG5PR2c1YVRCcU1Xc3liRE50Tkc0MWJ6WndDZz09",
        "cG9zdGdyZXM6Ly9hcHA6cVc3ciUyMW0yWnRAZGIveA==",
    ] {
        for text in [format!("WEBHOOK_URL={encoded}"), format!("see \"{encoded}\"")] {
            assert!(!crate::redact(&text).text.contains(&encoded[..20]), "{text}");
        }
    }
    let address_only = "see cG9zdGdyZXM6Ly9kYi5leGFtcGxlLmNvbS94eXp6eQ==";
    assert_eq!(crate::redact(address_only).text, address_only);
}

#[test]
fn a52_a_key_block_without_its_outer_dashes_is_redacted() {
    let text = "BEGIN RSA PRIVATE KEY-----\n\taGhjdjadslgjagsfjlsgjalsgjaghjldasja\n\t-----END RSA PRIVATE KEY";
    assert!(!crate::redact(text).text.contains("aGhjdjads"));
}

mod formats;
mod harmless;
mod neighbours;
mod positions;
mod services;
mod settings;

/// A concept such as "looks like a password" has one definition, in `forms.rs` or `stand_ins.rs`, and every position uses it.
#[test]
fn every_concept_is_defined_once() {
    let mut files =
        vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/secrets"))];
    let mut names: Vec<String> = Vec::new();
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("tests.rs")
        {
            let text = std::fs::read_to_string(&path).unwrap();
            let definitions = text.lines().filter_map(|line| {
                let line = line.trim_start_matches("pub(crate) ").trim_start_matches("pub(super) ");
                line.strip_prefix("fn ").or_else(|| line.strip_prefix("const "))
            });
            let defined = definitions.map(|line| {
                line.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                    .next()
                    .unwrap()
            });
            names.extend(
                defined
                    .filter(|name| name.starts_with("is_") || *name == "MIN_PASSWORD")
                    .map(str::to_owned),
            );
        }
    }
    names.sort();
    let repeated: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(repeated.is_empty(), "{repeated:?}");
}
