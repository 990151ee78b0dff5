use super::*;

const CLAUDE: &str = r#"{"session_id":"9cca733c-4a37","cwd":"/p","prompt_id":"c01a7b41","hook_event_name":"UserPromptSubmit","prompt":"hello"}"#;
const CODEX: &str = r#"{"session_id":"01a1dde0","turn_id":"01a1dde1","cwd":"/p","model":"m","hook_event_name":"UserPromptSubmit","prompt":"hello"}"#;

#[test]
fn a7_the_payload_tells_the_clients_apart() {
    assert_eq!(caller(CLAUDE.as_bytes()), Client::ClaudeCode);
    assert_eq!(caller(CODEX.as_bytes()), Client::Codex);
    assert_eq!(caller(b"not JSON"), Client::ClaudeCode);
}

#[test]
fn one_prompt_has_one_identity() {
    let identity = |text: &str| prompt_identity(text.as_bytes());
    for payload in [CLAUDE, CODEX] {
        let first = identity(payload);
        assert!(first.is_some());
        assert_eq!(first, identity(payload));
        for (old, new) in [
            ("\"hello\"", "\"hello again\""),
            ("c01a7b41", "c01a7b42"),
            ("01a1dde1", "01a1dde2"),
            ("\"cwd\"", "\"agent_id\":\"x\",\"cwd\""),
        ] {
            if payload.contains(old) {
                assert_ne!(first, identity(&payload.replace(old, new)), "{old} → {new}");
            }
        }
    }
    assert_eq!(identity(r#"{"session_id":"a","prompt":"hello"}"#), None);
    assert_eq!(identity(r#"{"prompt_id":"a","prompt":"hello"}"#), None);
}

#[test]
fn an_identity_is_a_file_name_whatever_the_client_says() {
    let odd = CLAUDE.replace("c01a7b41", "../../etc/passwd").replace("9cca733c", &"x".repeat(500));
    let identity = prompt_identity(odd.as_bytes()).unwrap();
    assert!(!identity.contains('/') && identity.len() < 255, "{identity}");
}
