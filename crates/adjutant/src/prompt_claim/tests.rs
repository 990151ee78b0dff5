use super::*;

#[expect(clippy::disallowed_methods, reason = "a test needs the time of the files it makes")]
fn now() -> SystemTime {
    SystemTime::now()
}

#[test]
fn a8_the_first_hook_has_the_prompt_and_may_give_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("prompts");
    let claim = |identity: &str| Claim::make(Some(&folder), Some(identity), now());
    let first = claim("a").expect("nobody was there before");
    assert!(claim("a").is_none() && claim("b").is_some());
    first.give_back();
    assert!(claim("a").is_some());
}

#[test]
fn a8_where_nothing_can_be_written_everybody_may_brief() {
    let file = tempfile::NamedTempFile::new().unwrap();
    for _ in 0..2 {
        assert!(Claim::make(Some(file.path()), Some("a"), now()).is_some());
        assert!(Claim::make(None, Some("a"), now()).is_some());
        assert!(Claim::make(Some(file.path()), None, now()).is_some());
    }
}

#[test]
fn a8_old_marks_go() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Claim::make(Some(folder.path()), Some("a"), now()).is_some());
    let later = now() + KEPT + Duration::from_secs(60);
    assert!(Claim::make(Some(folder.path()), Some("b"), later).is_some());
    assert!(!folder.path().join("a").exists());
}
