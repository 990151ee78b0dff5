//! Tests that each kind of directory is built correctly.

use super::Repository;

#[test]
fn files_and_commits_are_there_in_order() {
    let repository = Repository::builder()
        .file("src/deep/one.rs", "fn one() {}\n")
        .commit("first")
        .file("two.rs", "fn two() {}\n")
        .commit("second")
        .file("loose.rs", "")
        .build();
    assert_eq!(repository.git(&["log", "--format=%s %ct"]), "second 1760000060\nfirst 1760000000");
    assert_eq!(repository.git(&["status", "--porcelain"]), "?? loose.rs");
    assert!(repository.join("src/deep/one.rs").is_file());
}

#[test]
fn without_a_commit_there_is_no_head() {
    let repository = Repository::builder().file("one.rs", "").build();
    assert_eq!(repository.git(&["rev-list", "--all", "--count"]), "0");
}

#[test]
fn a_bare_repository_has_history_and_no_files() {
    let repository = Repository::builder().file("one.rs", "").commit("first").bare().build();
    assert_eq!(repository.git(&["rev-parse", "--is-bare-repository"]), "true");
    assert_eq!(repository.git(&["log", "--format=%s"]), "first");
    assert!(!repository.join("one.rs").exists());
}

#[test]
fn without_git_there_are_only_files() {
    let repository = Repository::builder()
        .file("one.rs", "")
        .directory("empty")
        .commit("no")
        .without_git()
        .build();
    assert!(repository.join("one.rs").is_file() && repository.join("empty").is_dir());
    assert!(!repository.join(".git").exists());
}
