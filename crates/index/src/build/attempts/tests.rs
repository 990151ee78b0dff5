//! Tests that content is skipped after two crashes but not after one, and that a finished build leaves no record.

use super::Attempts;

#[test]
fn content_that_crashed_two_builds_is_a_suspect() {
    let folder = tempfile::tempdir().unwrap();
    let (bad, good) = ([7; 16], [8; 16]);
    for crashes in 0..3 {
        let attempts = Attempts::start(folder.path());
        assert_eq!(attempts.is_suspect(bad), crashes >= 2, "after {crashes} crashes");
        assert!(!attempts.is_suspect(good));
        attempts.note(1, good);
        attempts.note(1, bad);
        // Prevents `drop`, as a crash does.
        std::mem::forget(attempts);
    }
    let attempts = Attempts::start(folder.path());
    attempts.note(0, good);
    drop(attempts);
    assert!(!folder.path().join("attempts").exists());
    assert!(!Attempts::start(folder.path()).is_suspect(good));
}
