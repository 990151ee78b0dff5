//! Tests of this module.

use crate::secrets::stream::StreamRedactor;

fn stream(text: &[u8], size: usize) -> String {
    let mut stream = StreamRedactor::new();
    let mut clean = Vec::new();
    for chunk in text.chunks(size) {
        clean.extend(stream.push(chunk));
    }
    clean.extend(stream.finish().0);
    String::from_utf8(clean).unwrap()
}

#[test]
fn a52_a_secret_split_over_chunks_is_redacted() {
    let line = "x".repeat(70) + "\npassword = \"hunter2!x9Kq\"\n";
    let text = line.repeat(400);
    for size in [1, 7, 4096, text.len()] {
        assert_eq!(
            stream(text.as_bytes(), size),
            text.replace("hunter2!x9Kq", "<redacted>"),
            "{size}"
        );
    }
}

#[test]
fn a52_a_secret_split_over_two_lines_is_redacted() {
    let text = "<apiToken>\n    b901ny2ffwazl8s\n</apiToken>\n";
    assert_eq!(stream(text.as_bytes(), 3), "<apiToken>\n    <redacted>\n</apiToken>\n");
    let wrapped = "token = \"4b1doOMNgegcARAxXQ3kRO\" \\\n    \"7bU9JvliIQJHJAr8PLteZq\"\n";
    assert!(!stream(wrapped.as_bytes(), 5).contains("7bU9Jvli"));
}

#[test]
fn a52_a_key_longer_than_the_held_back_text_is_redacted_whole() {
    let line = "MIIEowIBAAKCAQEA7bq0Zk3vXw8eT5yQ1uR9pL2sD4fG6hJ8kM0nB3vC5xZ7aS1\n";
    let text = format!(
        "a\n-----BEGIN RSA PRIVATE KEY-----\n{}-----END RSA PRIVATE KEY-----\nb\n",
        line.repeat(500)
    );
    for size in [100, 5000, 100_000] {
        let clean = stream(text.as_bytes(), size);
        assert_eq!(
            clean, "a\n-----BEGIN RSA PRIVATE KEY-----<redacted>-----END RSA PRIVATE KEY-----\nb\n",
            "{size}"
        );
    }
}

#[test]
fn an_endless_secret_is_redacted_without_waiting() {
    let text = format!("token = \"{}\" end", "b9Kx01ny2ffwazl8s".repeat(60_000));
    let mut stream = StreamRedactor::new();
    let mut clean = Vec::new();
    let mut max = 0;
    for chunk in text.as_bytes().chunks(8192) {
        clean.extend(stream.push(chunk));
        max = max.max(stream.pending.len());
    }
    clean.extend(stream.finish().0);
    assert!(max < 1024 * 1024);
    assert_eq!(String::from_utf8(clean).unwrap(), "token = \"<redacted>\" end");
}

#[test]
fn characters_are_never_split() {
    let text = "日本語のログ".repeat(3000);
    assert_eq!(stream(text.as_bytes(), 1), text);
    assert_eq!(stream(b"a\xffb", 1), "a\u{fffd}b");
}

#[test]
fn flush_returns_the_complete_lines() {
    let mut stream = StreamRedactor::new();
    assert!(stream.push(b"first line\ntoken =\n").is_empty());
    assert_eq!(stream.flush(), b"first line\n");
    assert!(stream.push(b"  b901ny2ffwazl8s\nnext\n").is_empty());
    assert_eq!(stream.flush(), b"token =\n  <redacted>\nnext\n");
    assert!(stream.finish().0.is_empty());
}

#[test]
fn a_line_that_ends_in_a_closing_quote_is_complete() {
    let mut stream = StreamRedactor::new();
    assert!(stream.push(b"[command] sh -c 'sleep 661'\n").is_empty());
    assert_eq!(stream.flush(), b"[command] sh -c 'sleep 661'\n");
    assert!(stream.push(b"key = \"\n").is_empty());
    assert!(stream.flush().is_empty());
}

#[test]
fn a52_a_key_that_a_diff_deletes_is_redacted() {
    let line = "MIIEowIBAAKCAQEA7bq0Zk3vXw8eT5yQ1uR9pL2sD4fG6hJ8kM0nB3vC5xZ7aS1";
    let body = format!("-{line}\n").repeat(200);
    let text = format!(
        "@@ -1,202 +0,0 @@\n a\n------BEGIN RSA PRIVATE KEY-----\n{body}------END RSA PRIVATE KEY-----\n"
    );
    for size in [100, 5000, 100_000] {
        let clean = stream(text.as_bytes(), size);
        assert!(!clean.contains(line), "{size}: {clean}");
    }
}

#[test]
fn a52_every_line_of_a_stream_may_have_a_prefix() {
    let variable = "env:\n  - name: DB_PASSWORD\n    value: tansy-Gravel-moor\n";
    for text in super::super::tests::presented(&variable.repeat(300)) {
        let clean = stream(text.as_bytes(), 1000);
        assert!(!clean.contains("tansy-Gravel-moor"), "{}", &text[..80]);
    }
}
