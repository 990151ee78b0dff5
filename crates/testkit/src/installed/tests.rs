//! Tests that installed clients are found and a missing client is reported.

use std::fs;
use std::os::unix::fs::symlink;

use super::InstalledClients;

#[test]
fn the_error_for_a_missing_client_names_the_install_command() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("claude"), "").unwrap();
    let sentence = InstalledClients::in_folder(folder.path()).unwrap_err();
    assert!(sentence.contains("`codex`") && sentence.contains("./test"), "{sentence}");
}

#[test]
fn a_dangling_link_counts_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("codex"), "").unwrap();
    symlink("gone", folder.path().join("claude")).unwrap();
    assert!(InstalledClients::in_folder(folder.path()).unwrap_err().contains("`claude`"));
}

#[test]
fn both_are_found() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("codex"), "").unwrap();
    fs::write(folder.path().join("claude"), "").unwrap();
    let clients = InstalledClients::in_folder(folder.path()).unwrap();
    assert_eq!(clients.claude, folder.path().join("claude"));
    assert_eq!(clients.codex, folder.path().join("codex"));
}
