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

/// In a repository, the ignore file can be a link to any file. If it leads to a pipe or a device, the walk must not
/// block or exhaust the memory.
#[test]
fn a50_pipes_and_devices_as_ignore_files_do_not_stop_a_walk() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let root = repository(&["a/a.rs", "b/b.rs", "c/c.rs"]);
    let pipe = root.path().join("a/.gitignore");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    std::os::unix::fs::symlink(&pipe, root.path().join("b/.ignore")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", root.path().join("c/.ignore")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", root.path().join(".gitignore")).unwrap();
    mknodat(CWD, root.path().join("c/d.rs"), FileType::Fifo, Mode::from_raw_mode(0o600), 0)
        .unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let path = root.path().to_owned();
    std::thread::spawn(move || sender.send(visited(&path, 100, LONG)));
    let names = ["a/a.rs", "b/b.rs", "c/c.rs"].map(str::to_owned).to_vec();
    assert_eq!(receiver.recv_timeout(LONG).unwrap(), (names, WalkEnd::Complete));
}
