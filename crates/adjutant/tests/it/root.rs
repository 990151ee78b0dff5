//! The directory of a prompt. The rules for the root are tested in `crates/policy` and `crates/kernel`.

use crate::fixture::fixture;

#[test]
fn a14_a_linked_worktree_has_its_own_root() {
    let fixture = fixture();
    let tree = fixture.repository.path().parent().unwrap().join("tree");
    fixture.repository.git(&["worktree", "add", "-q", tree.to_str().unwrap()]);
    let fixture = fixture.env("WORKING_DIRECTORY", tree.join("src")).plan();
    let (briefing, _) = fixture.json("explain auth");
    let inputs = &briefing["inputs"];
    assert_eq!(inputs["repo_root"], tree.to_str().unwrap());
    assert_eq!(inputs["repo_root_source"], "git");
}
