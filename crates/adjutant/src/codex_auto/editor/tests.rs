use super::*;

#[test]
fn a_line_goes_on_after_a_backslash_and_inside_a_block() {
    for unfinished in ["first \\", "look:\n```rust\nfn a()", "```"] {
        assert!(is_unfinished(unfinished), "{unfinished}");
    }
    for finished in ["plain", "", "a \\ b", "```\ncode\n```", "first \\\nsecond"] {
        assert!(!is_unfinished(finished), "{finished}");
    }
    assert_eq!(joined("first \\\nsecond"), "first \nsecond");
}

#[test]
fn the_slash_commands_are_completed() {
    let history = MemHistory::new();
    let complete =
        |line: &str| Manners.complete(line, line.len(), &Context::new(&history)).unwrap().1;
    assert_eq!(complete("/li"), ["/limits"]);
    assert_eq!(complete("/plan x"), [""; 0]);
    assert_eq!(complete("where is /li"), [""; 0]);
}
