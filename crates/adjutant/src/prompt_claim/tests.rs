use super::*;

#[expect(clippy::disallowed_methods, reason = "a test needs the time of the files that it creates")]
fn now() -> SystemTime {
    SystemTime::now()
}

#[test]
fn a8_the_first_hook_claims_the_prompt_and_can_release_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("prompts");
    let claim = |identity: &str| Claim::make(Some(&folder), Some(identity), now());
    let first = claim("a").expect("the first claim");
    assert!(claim("a").is_none() && claim("b").is_some());
    first.release();
    assert!(claim("a").is_some());
}

#[test]
fn a8_every_hook_briefs_if_nothing_can_be_written() {
    let file = tempfile::NamedTempFile::new().unwrap();
    for _ in 0..2 {
        assert!(Claim::make(Some(file.path()), Some("a"), now()).is_some());
        assert!(Claim::make(None, Some("a"), now()).is_some());
        assert!(Claim::make(Some(file.path()), None, now()).is_some());
    }
}

#[test]
fn a8_old_files_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Claim::make(Some(folder.path()), Some("a"), now()).is_some());
    let later = now() + MAX_AGE + Duration::from_secs(60);
    assert!(Claim::make(Some(folder.path()), Some("b"), later).is_some());
    assert!(!folder.path().join("a").exists());
}
