use super::*;

fn hook() -> Hook {
    Hook { event: "UserPromptSubmit", matcher: None, command: "echo hi".to_owned(), timeout: 15 }
}

#[test]
fn the_hash_is_over_sorted_keys_without_spaces() {
    // python3 -c 'import hashlib;print(hashlib.sha256(b"""{"event_name":"user_prompt_submit","hooks":[{"async":false,"command":"echo hi","timeout":15,"type":"command"}]}""").hexdigest())'
    assert_eq!(hash(&hook()), EXPECTED);
    assert_eq!(snake("PreToolUse"), "pre_tool_use");
}

const EXPECTED: &str = "sha256:c26fde4a3f518b92b3f799944f1e4a75196d446958d5abc60f33b83be830f701";

#[test]
fn trust_depends_on_the_hook_and_its_position() {
    let hook = Hook { command: "/opt/adjutant-hook --client codex".to_owned(), ..hook() };
    let file = Path::new("/home/me/.codex/hooks.json");
    let text = hooks_json::put(None, std::slice::from_ref(&hook)).unwrap();
    let before = "# mine\nmodel = \"x\"\n\n[tui]\ntheme = \"dark\"\n";
    let state = |configuration: &str| trust_state(file, &text, configuration).unwrap();
    assert_eq!(state(before), TrustState::Untrusted);
    let trusted = put(before, file, &text, &[hook]).unwrap();
    assert!(trusted.starts_with("# mine\nmodel = \"x\"\n\n[tui]\ntheme = \"dark\"\n"), "{trusted}");
    assert_eq!(state(&trusted), TrustState::Trusted);
    assert_eq!(state(&trusted.replace("sha256:", "sha256:0")), TrustState::Untrusted);
    assert_eq!(trust_state(file, "{}", &trusted).unwrap(), TrustState::Absent);
    assert_eq!(take(&trusted, file, &text).unwrap(), before);
}
