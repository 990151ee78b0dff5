use std::fs;
use std::sync::Mutex;
use std::time::Duration;

use super::*;

fn visited(root: &Path, max_files: usize, time: Duration) -> (Vec<String>, WalkEnd) {
    let names = Mutex::new(Vec::new());
    let bounds = WalkBounds { deadline: Instant::now() + time, max_files };
    let end = visit_files(root, bounds, || {
        |path: &Path| names.lock().unwrap().push(path.display().to_string())
    });
    let mut names = names.into_inner().unwrap();
    names.sort();
    (names, end)
}

fn repository(files: &[&str]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for file in files {
        let path = root.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file).unwrap();
    }
    root
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn ignored_files_git_and_links_are_left_out() {
    let root = repository(&["src/a.rs", "target/b.rs", ".git/config", ".github/ci.yml"]);
    fs::write(root.path().join(".gitignore"), "target/\n").unwrap();
    std::os::unix::fs::symlink("/etc", root.path().join("out")).unwrap();
    std::os::unix::fs::symlink("..", root.path().join("src/loop")).unwrap();
    assert_eq!(
        visited(root.path(), 100, LONG),
        (vec![".github/ci.yml".into(), ".gitignore".into(), "src/a.rs".into()], WalkEnd::Complete)
    );
}

#[test]
fn a_walk_ends_at_its_bounds_and_says_so() {
    let root = repository(&["a", "b", "c", "d"]);
    let (names, end) = visited(root.path(), 2, LONG);
    assert_eq!((names.len(), end), (2, WalkEnd::TooManyFiles));
    assert_eq!(visited(root.path(), 100, Duration::ZERO), (vec![], WalkEnd::OutOfTime));
}
