use std::fs;

use crate::fixture::{fixture, limits, on};
use testkit::Repository;

fn root_of(fixture: crate::fixture::Fixture) -> (String, String) {
    let (briefing, _) = fixture.plan().json("explain auth");
    let text = |key: &str| briefing["inputs"][key].as_str().unwrap().to_owned();
    (text("repo_root"), text("repo_root_source"))
}

#[test]
fn a14_the_root_is_the_top_level_of_git() {
    let fixture = fixture();
    let top = fixture.repository.git(&["rev-parse", "--show-toplevel"]);
    let path = fixture.repository.path().to_owned();
    assert_eq!(root_of(fixture.within("src/billing")), (top.clone(), "git".to_owned()));
    assert_eq!(path.to_string_lossy(), top);
}

#[test]
fn a14_a_linked_worktree_has_its_own_root() {
    let fixture = fixture();
    let tree = fixture.repository.path().parent().unwrap().join("tree");
    fixture.repository.git(&["worktree", "add", "-q", tree.to_str().unwrap()]);
    let (root, source) = root_of(fixture.env("WORKING_DIRECTORY", tree.join("src")));
    assert_eq!((root.as_str(), source.as_str()), (tree.to_str().unwrap(), "git"));
}

#[test]
fn a14_without_git_the_root_is_the_directory_and_limits_say_so() {
    let repository = Repository::builder().file("a.rs", "fn a() {}\n").without_git().build();
    let expected = repository.path().to_string_lossy().into_owned();
    let fixture = on(repository);
    let (briefing, _) = fixture.json("explain auth");
    assert_eq!(briefing["inputs"]["repo_root"], expected);
    assert_eq!(briefing["inputs"]["repo_root_source"], "no-git-root");
    assert!(limits(&briefing).contains("no-git-root"));
}

#[test]
fn a14_a_bare_repository_has_no_work_tree() {
    let repository =
        Repository::builder().file("a.rs", "fn a() {}\n").commit("init").bare().build();
    assert_eq!(root_of(on(repository)).1, "no-git-root");
}

#[test]
fn a14_the_environment_and_the_config_can_select_a_part() {
    let fixture = fixture();
    let part = fixture.repository.join("src/billing");
    assert_eq!(
        root_of(fixture.env("CI_AUTO_TOOLS_REPO_ROOT", &part)),
        (part.to_string_lossy().into_owned(), "env".to_owned())
    );
    let (root, source) = root_of(crate::fixture::fixture_with("repo_root: src/billing\n"));
    assert!(root.ends_with("src/billing") && source == "config", "{root} {source}");
}

#[test]
fn a14_a_root_outside_the_repository_is_refused() {
    let (briefing, code) = crate::fixture::fixture_with("repo_root: ../..\n").json("explain auth");
    assert_eq!(code, 20);
    assert!(limits(&briefing).contains(
        "E_REPO_ROOT: config/auto-tools.yaml: `repo_root: ../..` leads out of the repository"
    ));
}

#[test]
fn a50_a51_links_outside_and_secret_files_are_not_read() {
    let fixture = fixture();
    let outside = fixture.repository.path().parent().unwrap().join("outside.rs");
    fs::write(&outside, "fn quagga_outside() {}\n").unwrap();
    std::os::unix::fs::symlink(&outside, fixture.repository.join("link.rs")).unwrap();
    fs::write(fixture.repository.join(".env"), "quagga_token=1\n").unwrap();
    fs::write(fixture.repository.join("quagga.pem"), "quagga\n").unwrap();
    let (briefing, _) =
        fixture.json("where is quagga_outside or quagga_token defined in the code?");
    assert_eq!(crate::fixture::context(&briefing), "", "{briefing:#}");
}
