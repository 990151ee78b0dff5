//! The root of the repository, and the files below it that are not read.

use std::fs;
use std::os::unix::fs::symlink;

use contract::{ExitCode, RepoRootSource};
use testkit::Repository;

use crate::fixture::{Fixture, context, expect_limit, files, fixture, on, with_config};

fn root_of(fixture: &Fixture) -> (String, RepoRootSource) {
    let inputs = fixture.brief("explain auth").briefing.inputs;
    (inputs.repo_root, inputs.repo_root_source)
}

#[test]
fn a14_without_git_the_root_is_the_directory_and_limits_say_so() {
    let fixture = on(Repository::builder().file("a.rs", "fn a() {}\n").without_git());
    let expected = fixture.repository.path().to_string_lossy().into_owned();
    let briefed = fixture.brief("explain auth");
    assert_eq!(briefed.briefing.inputs.repo_root, expected);
    assert_eq!(briefed.briefing.inputs.repo_root_source, RepoRootSource::NoGitRoot);
    expect_limit(&briefed, "no-git-root");
}

#[test]
fn a14_a_bare_repository_has_no_work_tree() {
    let bare = Repository::builder().file("a.rs", "fn a() {}\n").commit("init").bare();
    assert_eq!(root_of(&on(bare).plan()).1, RepoRootSource::NoGitRoot);
}

#[test]
fn a14_a_subdirectory_and_a_linked_worktree_have_the_root_of_their_work_tree() {
    let fixture = on(files().commit("init")).plan();
    let top = fixture.repository.path().to_owned();
    let tree = top.parent().unwrap().join("tree");
    fixture.repository.git(&["worktree", "add", "-q", tree.to_str().unwrap()]);
    let fixture = fixture.within("src/billing");
    assert_eq!(root_of(&fixture), (top.to_string_lossy().into_owned(), RepoRootSource::Git));
    let fixture = fixture.within(tree.join("src"));
    assert_eq!(root_of(&fixture), (tree.to_string_lossy().into_owned(), RepoRootSource::Git));
}

#[test]
fn a14_the_environment_and_the_config_can_select_a_part() {
    let fixture = fixture().plan();
    let part = fixture.repository.join("src/billing");
    let expected = (part.to_string_lossy().into_owned(), RepoRootSource::Env);
    assert_eq!(root_of(&fixture.env("CI_AUTO_TOOLS_REPO_ROOT", &part)), expected);
    let (root, source) = root_of(&with_config("repo_root: src/billing\n").plan());
    assert!(root.ends_with("src/billing") && source == RepoRootSource::Config, "{root} {source:?}");
}

#[test]
fn a14_a_root_outside_the_repository_is_refused() {
    let briefed = with_config("repo_root: ../..\n").brief("explain auth");
    assert_eq!((briefed.exit, context(&briefed)), (ExitCode::Configuration, ""));
    expect_limit(
        &briefed,
        "E_REPO_ROOT: config/auto-tools.yaml: `repo_root: ../..` leads out of the repository",
    );
}

#[test]
fn a50_a51_links_outside_and_secret_files_are_not_read() {
    let fixture = fixture();
    let outside = fixture.repository.path().parent().unwrap().join("outside.rs");
    fs::write(&outside, "fn quagga_outside() {}\n").unwrap();
    symlink(&outside, fixture.repository.join("link.rs")).unwrap();
    fs::write(fixture.repository.join(".env"), "quagga_token=1\n").unwrap();
    fs::write(fixture.repository.join("quagga.pem"), "quagga\n").unwrap();
    let briefed = fixture.brief("where is quagga_outside or quagga_token defined in the code?");
    assert_eq!(context(&briefed), "", "{briefed:#?}");
}

#[test]
fn a_missing_directory_is_reported() {
    let briefed = fixture().within("/no/such/place").brief("explain auth");
    assert_eq!(briefed.exit, ExitCode::Configuration);
    expect_limit(&briefed, "E_REPO_ROOT: working directory: `/no/such/place`");
}

/// There are more files than are indexed at once, so the answer comes from a direct search.
#[test]
fn a51_a_direct_search_does_not_quote_hidden_files() {
    let body = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n".repeat(6);
    let label = "OPENSSH PRIVATE";
    let key = format!(
        "-----BEGIN {label} KEY-----\n{body}-----END {label} KEY-----\nokapi_vault okapikeyword\n"
    );
    let mut files = Repository::builder()
        .file("src/okapi_vault.rs", "pub fn okapi_vault() {}\n")
        .file("docs/okapi_vault_notes.txt", key);
    for number in 0..400 {
        files = files.file(format!("src/many/file{number}.rs"), "pub fn nothing() {}\n");
    }
    let briefed = on(files).brief("explain okapi_vault: where is it defined and who calls it?");
    expect_limit(&briefed, "the files were searched directly");
    let said = serde_json::to_string(&briefed.briefing).unwrap();
    assert!(said.contains("src/okapi_vault.rs"), "{said}");
    assert!(!said.contains("okapikeyword") && !said.contains("okapi_vault_notes"), "{said}");
}
