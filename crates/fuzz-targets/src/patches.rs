//! Fuzzes the extraction of patches from codex's messages.

/// Reads the bytes as an answer in patch mode. The extracted patch must consist of lines of the message, and reading
/// the patch again must return the same patch.
pub fn patches(bytes: &[u8]) {
    let Ok(message) = std::str::from_utf8(bytes) else { return };
    let Some(patch) = runs::fuzzing::patch_in(message) else { return };
    assert!(patch.ends_with('\n'), "a patch without a last line break: {patch:?}");
    let mut rest = message.lines();
    for line in patch.lines() {
        assert!(
            rest.any(|other| other.trim_end() == line.trim_end()),
            "not in the message: {line:?}"
        );
    }
    let fenced = format!("```diff\n{patch}```\n");
    let again = runs::fuzzing::patch_in(&fenced);
    assert_eq!(again.as_ref(), Some(&patch), "not read again as the same patch");
}
