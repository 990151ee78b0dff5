//! Compares the trust hash with values that were computed with Codex's rule. `tests/it` checks that Codex accepts the
//! hash.

use super::{hook_hash, snake_case};

#[test]
fn the_hash_covers_command_and_timeout() {
    assert_eq!(
        hook_hash("user_prompt_submit", "/path/to/hook", 600),
        "sha256:fbbbc724705f80e220d2364867b6c9777dde4a73933bd5770304ed0426fc46b0"
    );
    assert_ne!(
        hook_hash("user_prompt_submit", "/path/to/hook", 601),
        hook_hash("user_prompt_submit", "/path/to/hook", 600)
    );
}

#[test]
fn quotes_are_escaped_and_other_scripts_are_not() {
    assert_eq!(
        hook_hash("user_prompt_submit", "/opt/a \"b\" 变更", 20),
        "sha256:cbc77b496eaa21352af69d31cd6522b9851cc1c54cdfa46bfb7e25c16bfc05c1"
    );
}

#[test]
fn events_have_codexs_own_names() {
    assert_eq!(snake_case("UserPromptSubmit"), "user_prompt_submit");
    assert_eq!(snake_case("PreToolUse"), "pre_tool_use");
}
