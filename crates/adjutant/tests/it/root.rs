use std::fs;

use crate::stage::{limits, on, stage};
use testkit::Repository;

fn root_of(stage: crate::stage::Stage) -> (String, String) {
    let (briefing, _) = stage.plan().json("explain auth");
    let text = |key: &str| briefing["inputs"][key].as_str().unwrap().to_owned();
    (text("repo_root"), text("repo_root_source"))
}

#[test]
fn a14_the_top_is_what_git_says_it_is() {
    let stage = stage();
    let top = stage.repository.git(&["rev-parse", "--show-toplevel"]);
    let path = stage.repository.path().to_owned();
    assert_eq!(root_of(stage.within("src/billing")), (top.clone(), "git".to_owned()));
    assert_eq!(path.to_string_lossy(), top);
}

#[test]
fn a14_a_linked_worktree_has_a_top_of_its_own() {
    let stage = stage();
    let tree = stage.repository.path().parent().unwrap().join("tree");
    stage.repository.git(&["worktree", "add", "-q", tree.to_str().unwrap()]);
    let (root, source) = root_of(stage.env("WORKING_DIRECTORY", tree.join("src")));
    assert_eq!((root.as_str(), source.as_str()), (tree.to_str().unwrap(), "git"));
}

#[test]
fn a14_without_git_the_directory_itself_and_a_word_about_it() {
    let repository = Repository::builder().file("a.rs", "fn a() {}\n").without_git().build();
    let expected = repository.path().to_string_lossy().into_owned();
    let stage = on(repository);
    let (briefing, _) = stage.json("explain auth");
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
fn a14_the_environment_and_the_config_can_name_a_part() {
    let stage = stage();
    let part = stage.repository.join("src/billing");
    assert_eq!(
        root_of(stage.env("CI_AUTO_TOOLS_REPO_ROOT", &part)),
        (part.to_string_lossy().into_owned(), "env".to_owned())
    );
    let (root, source) = root_of(crate::stage::stage_with("repo_root: src/billing\n"));
    assert!(root.ends_with("src/billing") && source == "config", "{root} {source}");
}

#[test]
fn a14_a_root_outside_the_repository_is_refused() {
    let (briefing, code) = crate::stage::stage_with("repo_root: ../..\n").json("explain auth");
    assert_eq!(code, 20);
    assert!(limits(&briefing).contains(
        "E_REPO_ROOT: config/auto-tools.yaml: `repo_root: ../..` leads out of the repository"
    ));
}

#[test]
fn a50_a51_links_out_and_secret_files_are_not_read() {
    let stage = stage();
    let outside = stage.repository.path().parent().unwrap().join("outside.rs");
    fs::write(&outside, "fn quagga_outside() {}\n").unwrap();
    std::os::unix::fs::symlink(&outside, stage.repository.join("link.rs")).unwrap();
    fs::write(stage.repository.join(".env"), "quagga_token=1\n").unwrap();
    fs::write(stage.repository.join("quagga.pem"), "quagga\n").unwrap();
    let (briefing, _) = stage.json("where is quagga_outside or quagga_token defined in the code?");
    assert_eq!(crate::stage::context(&briefing), "", "{briefing:#}");
}
