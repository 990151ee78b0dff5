use std::fs;
use std::os::unix::fs::symlink;

use super::*;

/// Creates a working tree with these files.
fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join(".git")).unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

#[test]
fn the_nearest_folder_decides_and_ignore_before_gitignore() {
    let root = tree(&[
        (".gitignore", "\u{feff}*.log\nbuild/\n/top\n[\n"),
        (".ignore", "!kept.log\n*.min.js\n"),
        (".git/info/exclude", "notes\n!*.min.js\n"),
        ("a/.gitignore", "!b.log\n"),
    ]);
    let rules = IgnoreRules::new(root.path());
    let left_out = |path: &str| rules.leave_out(&root.path().join(path), false);
    assert!(left_out("x.log") && left_out("a/x.log") && left_out("notes") && left_out("a/notes"));
    assert!(left_out("top") && left_out("x.min.js"));
    assert!(!left_out("a/b.log") && !left_out("kept.log") && !left_out("a/top"));
    assert!(!left_out("build") && rules.leave_out(&root.path().join("build"), true));
    assert_eq!(rules.n_refused(), 0);
}

#[test]
fn rules_above_the_work_tree_are_not_read_and_those_of_its_top_are() {
    let root = tree(&[("repository/.gitignore", "*.log\n"), (".gitignore", "*\n")]);
    fs::create_dir_all(root.path().join("repository/.git")).unwrap();
    fs::create_dir_all(root.path().join("repository/part")).unwrap();
    let part = root.path().join("repository/part");
    let rules = IgnoreRules::new(&part);
    assert!(!rules.leave_out(&part.join("a.rs"), false));
    assert!(rules.leave_out(&part.join("a.log"), false));
}

#[test]
fn a_worktree_has_the_excludes_of_its_repository() {
    let root = tree(&[("main/info/exclude", "notes\n"), ("main/worktrees/w/commondir", "../..\n")]);
    let work_tree = root.path().join("w");
    fs::create_dir(&work_tree).unwrap();
    fs::write(work_tree.join(".git"), "gitdir: ../main/worktrees/w\n").unwrap();
    assert!(IgnoreRules::new(&work_tree).leave_out(&work_tree.join("notes"), false));
}

#[test]
fn a50_links_and_files_that_are_not_regular_are_refused_and_counted() {
    let root = tree(&[("rules", "*.log\n")]);
    symlink("/dev/zero", root.path().join(".ignore")).unwrap();
    symlink("rules", root.path().join(".gitignore")).unwrap();
    fs::create_dir_all(root.path().join(".git/info/exclude")).unwrap();
    let rules = IgnoreRules::new(root.path());
    assert!(!rules.leave_out(&root.path().join("a.log"), false));
    assert_eq!(rules.n_refused(), 3);
}

#[test]
fn a50_ignore_files_are_read_up_to_a_bound_each_and_together() {
    let many = "# a comment of thirty-two bytes.\n".repeat(8 * 1024);
    let large = format!("*.log\n{many}*.late\n");
    let folders: Vec<String> = (0..32).map(|n| format!("{n}/.gitignore")).collect();
    let files: Vec<(&str, &str)> = folders.iter().map(|path| (path.as_str(), &*large)).collect();
    let root = tree(&files);
    let rules = IgnoreRules::new(root.path());
    let in_folder = |n: usize, name: &str| root.path().join(n.to_string()).join(name);
    assert!(rules.leave_out(&in_folder(0, "a.log"), false));
    assert!(!rules.leave_out(&in_folder(0, "a.late"), false));
    let n_applied = (0..32).filter(|n| rules.leave_out(&in_folder(*n, "a.log"), false)).count();
    // The bytes of a line that was cut do not count towards the total, so a few more files may be read.
    let expected = (MAX_TOTAL_BYTES / MAX_FILE_BYTES) as usize;
    assert!((expected..=expected + 8).contains(&n_applied), "{n_applied}");
    assert_eq!(rules.n_refused(), 32);
}

#[test]
fn the_last_excludes_file_counts() {
    let text = "[core]\n\texcludesfile = ~/a\n[user]\nname=x\n[core]\n excludesFile=\"/b c\"\n";
    assert_eq!(excludes_file(text).as_deref(), Some("/b c"));
    assert_eq!(excludes_file("[core]\nexcludesFile =\n# none"), None);
}
