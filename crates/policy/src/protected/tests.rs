use std::fs;

use super::*;

/// Creates a git directory with the entries by which git recognises one.
fn git_directory(path: &Path) {
    fs::create_dir_all(path.join("objects")).unwrap();
    fs::create_dir_all(path.join("refs")).unwrap();
    fs::create_dir_all(path.join("hooks")).unwrap();
    fs::write(path.join("HEAD"), "ref: refs/heads/main\n").unwrap();
}

fn protected(root: &Path, relative: &str) -> Option<String> {
    let directory = root.join(relative);
    fs::create_dir_all(&directory).unwrap();
    let found = protected_around(&directory, root)?;
    Some(found.strip_prefix(root).unwrap().display().to_string())
}

#[test]
fn c4_directories_that_configure_git_and_agents_are_protected() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    git_directory(&root.join(".git"));
    git_directory(&root.join("lib/bare"));
    git_directory(&root.join("sub/.git"));
    fs::create_dir_all(root.join("moved")).unwrap();
    fs::write(root.join("moved/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(root.join("moved/commondir"), "../.git\n").unwrap();
    for (directory, expected) in [
        ("", None),
        ("docs", None),
        ("sub", None),
        ("lib", None),
        (".github/workflows", None),
        (".git", Some(".git")),
        (".git/hooks", Some(".git")),
        (".git/modules/x", Some(".git")),
        ("lib/bare", Some("lib/bare")),
        ("lib/bare/hooks", Some("lib/bare")),
        ("sub/.git", Some("sub/.git")),
        ("moved", Some("moved")),
        ("damaged/.git/hooks", Some("damaged/.git")),
        (".codex", Some(".codex")),
        ("docs/.codex/skills/a", Some("docs/.codex")),
        (".agents/skills", Some(".agents")),
        (".CLAUDE", Some(".CLAUDE")),
        (".claude/worktrees/one/src", Some(".claude")),
    ] {
        assert_eq!(protected(&root, directory).as_deref(), expected, "{directory}");
    }
}

#[test]
fn c4_the_root_that_the_user_chose_may_have_any_name() {
    let folder = tempfile::tempdir().unwrap();
    let outer = folder.path().canonicalize().unwrap();
    let root = outer.join(".claude/worktrees/one");
    fs::create_dir_all(&root).unwrap();
    fs::write(root.join(".git"), "gitdir: /elsewhere\n").unwrap();
    assert_eq!(protected(&root, "src"), None);
    assert_eq!(protected(&root, ".claude").as_deref(), Some(".claude"));
    let bare = outer.join("bare");
    git_directory(&bare);
    assert_eq!(protected_around(&bare, &bare), Some(bare.as_path()));
    assert_eq!(protected_around(&bare.join("hooks"), &bare.join("hooks")), Some(bare.as_path()));
    let work_tree = bare.join("main");
    fs::create_dir_all(&work_tree).unwrap();
    fs::write(work_tree.join(".git"), "gitdir: /elsewhere\n").unwrap();
    assert_eq!(protected_around(&work_tree, &work_tree), None);
}
