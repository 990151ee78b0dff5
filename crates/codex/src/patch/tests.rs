use super::*;

const DIFF: &str = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

#[test]
fn a_patch_is_taken_out_of_the_talk_around_it() {
    let fenced = format!("Here it is:\n```diff\n{DIFF}```\nDone.\nCONTROL: DONE");
    assert_eq!(Patch::in_message(&fenced).unwrap().text, DIFF);
    let bare = format!("Here it is:\n\n{DIFF}\nThat is all.\nCONTROL: DONE");
    assert_eq!(Patch::in_message(&bare).unwrap().text, DIFF);
}

#[test]
fn no_patch_is_no_patch() {
    assert_eq!(Patch::in_message("```rust\nfn main() {}\n```\n--- a line of dashes"), None);
    assert_eq!(Patch::in_message("```diff\nnothing here\n```"), None);
}
