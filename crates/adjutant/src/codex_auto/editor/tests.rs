use super::*;

#[test]
fn a_line_continues_after_a_backslash_and_inside_a_code_block() {
    for incomplete in ["first \\", "look:\n```rust\nfn a()", "```"] {
        assert!(is_incomplete(incomplete), "{incomplete}");
    }
    for complete in ["plain", "", "a \\ b", "```\ncode\n```", "first \\\nsecond"] {
        assert!(!is_incomplete(complete), "{complete}");
    }
    assert_eq!(joined("first \\\nsecond"), "first \nsecond");
}

#[test]
fn the_slash_commands_are_completed() {
    let history = MemHistory::new();
    let completions =
        |line: &str| PromptHelper.complete(line, line.len(), &Context::new(&history)).unwrap().1;
    assert_eq!(completions("/li"), ["/limits"]);
    assert_eq!(completions("/plan x"), [""; 0]);
    assert_eq!(completions("where is /li"), [""; 0]);
}
