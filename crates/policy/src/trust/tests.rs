use std::fs;

use super::*;

fn hash(text: &str) -> ContentHash {
    ContentHash::of([text.as_bytes()])
}

#[test]
fn a54_trust_applies_to_one_content_of_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = TrustStore::in_folder(Some(folder.path()));
    let path = Path::new("/repo/.adjutant/hooks/beforeToolCall.json");
    assert_eq!(store.judge(path, &hash("a")).unwrap(), Trust::Never);
    store.add(path, &hash("a")).unwrap();
    let store = TrustStore::in_folder(Some(folder.path()));
    assert_eq!(store.judge(path, &hash("a")).unwrap(), Trust::Trusted);
    assert_eq!(store.judge(path, &hash("b")).unwrap(), Trust::Changed);
    assert_eq!(store.judge(Path::new("/other"), &hash("a")).unwrap(), Trust::Never);
}

#[test]
fn a54_trust_can_be_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = TrustStore::in_folder(Some(&folder.path().join("not/there/yet")));
    store.add(Path::new("/a"), &hash("a")).unwrap();
    assert!(store.remove(Path::new("/a")).unwrap());
    assert!(!store.remove(Path::new("/a")).unwrap());
    assert_eq!(store.judge(Path::new("/a"), &hash("a")).unwrap(), Trust::Never);
}

#[test]
fn a54_the_newest_contents_are_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = TrustStore::in_folder(Some(folder.path()));
    for n in 0..=MAX_CONTENTS {
        store.add(Path::new("/a"), &hash(&n.to_string())).unwrap();
    }
    assert_eq!(store.judge(Path::new("/a"), &hash("0")).unwrap(), Trust::Changed);
    assert_eq!(store.judge(Path::new("/a"), &hash("1")).unwrap(), Trust::Trusted);
}

#[test]
fn a54_a_damaged_store_trusts_nothing_and_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(FILE_NAME), "{").unwrap();
    let store = TrustStore::in_folder(Some(folder.path()));
    let error = store.judge(Path::new("/a"), &hash("a")).unwrap_err();
    assert!(error.to_string().contains("is not a trust file"), "{error}");
}

#[test]
fn the_boundaries_of_pieces_are_part_of_the_hash() {
    let parts =
        |pieces: &[&'static str]| ContentHash::of(pieces.iter().map(|piece| piece.as_bytes()));
    assert_ne!(parts(&["ab", "c"]), parts(&["a", "bc"]));
}

#[test]
fn only_the_user_can_read_the_trust_store() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    TrustStore::in_folder(Some(folder.path())).add(Path::new("/a"), &hash("a")).unwrap();
    let mode = fs::metadata(folder.path().join(FILE_NAME)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
