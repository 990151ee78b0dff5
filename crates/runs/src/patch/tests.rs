use super::*;

const DIFF: &str = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

#[test]
fn a_patch_is_extracted_from_the_answer() {
    let fenced = format!("Here it is:\n```diff\n{DIFF}```\nDone.\nCONTROL: DONE");
    assert_eq!(Patch::in_message(&fenced).unwrap().text, DIFF);
    let bare = format!("Here it is:\n\n{DIFF}\nThat is all.\nCONTROL: DONE");
    assert_eq!(Patch::in_message(&bare).unwrap().text, DIFF);
}

#[test]
fn an_answer_without_a_patch_has_none() {
    let prose = "```rust\nfn main() {}\n```\n--- a line of dashes";
    assert_eq!(Patch::in_message(prose), Err(NoPatch::Absent));
    assert_eq!(Patch::in_message("```diff\nnothing here\n```"), Err(NoPatch::Absent));
}

#[test]
fn c8_only_a_well_formed_diff_is_a_patch() {
    let created = "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n";
    let renamed = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
    let moded = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n";
    let subversion =
        "Index: x\n=====\n--- x\t(revision 1)\n+++ x\t(working copy)\n@@ -1 +1 @@ fn x\n-a\n+b\n";
    let blank = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n";
    let gone = "diff --git a/x b/x\ndeleted file mode 100644\nindex 12..00\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    let several = [DIFF, renamed, moded, created, gone].join("\n");
    let no_newlines = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n";
    for text in [DIFF, created, renamed, moded, subversion, blank, gone, no_newlines, &several] {
        assert_eq!(unified::check(text), Ok(()), "{text}");
    }
    for (text, line) in [
        ("", 1),
        ("--- \n", 1),
        ("--- a/x\n[core]\n\tfsmonitor = evil\n", 2),
        ("--- a/x\n+++ b/x\n", 3),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n", 5),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n", 6),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n-b\n", 5),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\nfsmonitor = evil\n", 4),
        ("--- a/x\n+++ b/x\n@@ -0 +1 @@\n-a\n+b\n", 3),
        ("--- a/x\n+++ b/x\n@@ -1,99999999999999999999 +1 @@\n-a\n+b\n", 3),
        ("--- a/x\n+++ b/x\n@@ -0,0 +0,0 @@\n", 3),
        ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", 2),
        ("--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", 3),
        ("[core]\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", 1),
        ("diff --git a/x b/x\n", 2),
        ("diff --git a/x b/x\nindex 1..2 100644\n", 3),
        ("diff --git a/x b/x\nnew mode evil\n", 2),
        ("diff --git a/x b/x\nnew mode 100644\nfsmonitor = evil\n", 3),
        ("--- a/x\n+++ b/.git/config\n@@ -1 +1 @@\n-a\n+b\n", 2),
        ("--- a/x\n+++ \"b/.GIT/config\"\n@@ -1 +1 @@\n-a\n+b\n", 2),
        ("--- a/x\n+++ \"b/\\056git/config\"\n@@ -1 +1 @@\n-a\n+b\n", 2),
        ("--- a/x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n", 2),
        ("--- a/x\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n", 2),
        ("*** Begin Patch\n*** End Patch\n", 1),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n", 4),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ fsmonitor = evil\n+b\n", 5),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\\ fsmonitor = evil\n", 6),
        ("--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\n\\ No newline at end of file\n-b\n+c\n", 5),
        (
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n\\ No newline at end of file\n+b\n",
            6,
        ),
    ] {
        assert_eq!(unified::check(text).map_err(|wrong| wrong.line), Err(line), "{text}");
    }
}

/// Returns true if `git apply --numstat` can parse the text.
fn git_reads(text: &str) -> bool {
    let environment = process::Environment::new(std::env::vars_os());
    let git = Git::new(&environment, Path::new("/"));
    let bounds = Bounds {
        deadline: Instant::now() + Duration::from_secs(60),
        stdout_bytes: 65536,
        stderr_bytes: 65536,
    };
    let program = git.command(["apply", "--numstat", "-"]).stdin(text);
    process::run(&program, &bounds).unwrap().end == End::Exited(0)
}

proptest::proptest! {
    /// Checks generated and damaged diffs: git can parse every accepted input, and accepted inputs contain only lines of a
    /// diff.
    #[test]
    fn c8_git_reads_every_accepted_patch(
        lines in proptest::collection::vec(
            "(diff --git a/x b/x|index 12..34 100644|--- a/x|\\+\\+\\+ b/x|--- /dev/null|@@ -[0-2],[0-3] \\+[0-2],[0-3] @@|@@ -1 \\+1 @@|[ +-][a-c]{0,2}||new mode 100755|old mode 100644|\\\\ No newline|\\\\ No newline at end of file|fsmonitor = x)",
            0..12,
        ),
    ) {
        let mut text = "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n".to_owned();
        text.push_str(&lines.join("\n"));
        text.push('\n');
        if unified::check(&text).is_ok() {
            proptest::prop_assert!(git_reads(&text), "{}", text);
            proptest::prop_assert!(!text.contains("fsmonitor"), "{}", text);
        }
    }

    #[test]
    fn c8_the_check_does_not_panic(text in "(?s:.){0,400}") {
        drop(Patch::in_message(&text));
        drop(unified::check(&text));
    }
}
