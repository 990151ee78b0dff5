//! Tests unusual trees: every readable file is indexed, without a panic or a hang.

use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use index::{BuildError, HistoryOptions, HistoryState, Role, build_in_memory};

use crate::tree::{built, files_with, options, put, tree};

#[test]
fn an_empty_tree_and_no_tree() {
    let empty = tree(&[]);
    let view = built(empty.path());
    assert_eq!(
        (view.files().count(), view.best_postings("x").count(), view.symbols_named("x").len()),
        (0, 0, 0)
    );
    let missing = build_in_memory(Path::new("/no/such/folder"), &options());
    assert!(matches!(missing, Err(BuildError::NoFolder { .. })));
}

#[test]
fn names_with_newlines_spaces_and_other_scripts() {
    let tree = tree(&[
        ("odd\nname.py", "def odd_thing(): pass\n"),
        ("文件 夹/登录.py", "def login(): pass\n"),
        ("-rf.py", "def dash(): pass\n"),
    ]);
    let view = built(tree.path());
    assert_eq!(files_with(&view, "odd_thing"), ["odd\nname.py"]);
    assert_eq!(files_with(&view, "登录"), ["文件 夹/登录.py"]);
    assert_eq!(files_with(&view, "dash"), ["-rf.py"]);
}

#[test]
fn a_file_of_half_a_gigabyte_is_not_read() {
    let tree = tree(&[("a.rs", "fn small() {}\n")]);
    File::create(tree.path().join("huge.rs")).unwrap().set_len(500 << 20).unwrap();
    let view = built(tree.path());
    assert_eq!(files_with(&view, "hug"), ["huge.rs"]);
    assert_eq!(files_with(&view, "small"), ["a.rs"]);
    assert_eq!(view.meta().problems, ["files that are too large, indexed by their paths only: 1"]);
}

#[test]
fn one_line_of_many_megabytes() {
    let line = "let x = some_call(1, 2); ".repeat(200_000);
    let wider = line.repeat(8);
    assert!(wider.len() >= 40_000_000);
    let tree = tree(&[
        ("wide.rs", &line),
        ("wide.json", &line),
        ("wider.rs", &wider),
        ("a.rs", "fn small() {}\n"),
    ]);
    let view = built(tree.path());
    assert_eq!(view.meta().problems, ["files that are too large, indexed by their paths only: 1"]);
    assert_eq!(files_with(&view, "wider"), ["wider.rs"]);
    assert_eq!(view.file(view.file_by_path("wide.rs").unwrap()).role, Role::Minified);
    assert_eq!(files_with(&view, "small"), ["a.rs"]);
}

#[test]
fn bytes_that_are_not_text_in_files_that_should_be() {
    let tree = tree(&[]);
    put(
        tree.path(),
        "broken.py",
        b"def ok():\n    x = '\xff\xfe\xfd'\n\xc3\x28 def later(): pass\n",
    );
    put(tree.path(), "zeros.py", vec![0; 5_000]);
    put(
        tree.path(),
        "wide.py",
        "\u{feff}def wide(): pass\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
    );
    let view = built(tree.path());
    assert_eq!(files_with(&view, "ok"), ["broken.py"]);
    assert_eq!(files_with(&view, "wid"), ["wide.py"]);
    assert_eq!(view.symbols_named("wide").len(), 1);
    assert_eq!(view.file(view.file_by_path("zeros.py").unwrap()).role, Role::Binary);
}

#[cfg(unix)]
#[test]
fn links_pipes_and_locked_folders() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let tree = tree(&[("src/a.rs", "fn real() {}\n"), ("locked/b.rs", "fn locked_away() {}\n")]);
    let root = tree.path();
    symlink(root, root.join("src/loop")).unwrap();
    symlink("/etc/passwd", root.join("src/outside.rs")).unwrap();
    symlink(root.join("nowhere"), root.join("src/dangling.rs")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        root.join("pipe.rs"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from(0o600),
        0,
    )
    .unwrap();
    fs::set_permissions(root.join("locked"), fs::Permissions::from_mode(0o000)).unwrap();
    let view = built(root);
    fs::set_permissions(root.join("locked"), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(files_with(&view, "real"), ["src/a.rs"]);
    assert_eq!(view.file_by_path("src/outside.rs"), None);
    assert_eq!(view.file_by_path("pipe.rs"), None);
}

#[cfg(unix)]
#[test]
fn reading_a_file_that_became_a_link_out_of_the_tree_is_refused() {
    let outside = tree(&[("secret", "key\n")]);
    let tree = tree(&[("a.rs", "fn a() {}\n")]);
    let view = built(tree.path());
    let id = view.file_by_path("a.rs").unwrap();
    assert_eq!(view.read(id).unwrap(), b"fn a() {}\n");
    fs::remove_file(tree.path().join("a.rs")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret"), tree.path().join("a.rs")).unwrap();
    assert!(view.read(id).is_err());
}

#[test]
fn a_repository_inside_another_and_a_broken_git_folder() {
    let tree = tree(&[
        (".git/HEAD", "garbage"),
        ("a.py", "def outer(): pass\n"),
        ("inner/.git/HEAD", "ref: refs/heads/main\n"),
        ("inner/b.py", "def inner_one(): pass\n"),
        ("module/.git", "gitdir: /no/such/place\n"),
        ("module/c.py", "def in_module(): pass\n"),
    ]);
    let mut options = options();
    options.history = Some(HistoryOptions::new(process::Environment::new([])));
    let view = build_in_memory(tree.path(), &options).unwrap();
    assert_eq!(view.meta().history, HistoryState::Absent);
    assert_eq!(files_with(&view, "inner_one"), ["inner/b.py"]);
    assert_eq!(files_with(&view, "in_module"), ["module/c.py"]);
}

#[test]
fn a_build_that_runs_out_of_time_says_so() {
    let tree = tree(&[("a.rs", "fn a() {}\n")]);
    let mut options = options();
    options.deadline = Some(std::time::Instant::now());
    assert!(matches!(build_in_memory(tree.path(), &options), Err(BuildError::OutOfTime { .. })));
}

#[test]
fn files_up_to_the_limit_are_indexed() {
    let tree = tree(&[]);
    for number in 0..40 {
        put(tree.path(), &format!("f{number}.py"), "def f(): pass\n");
    }
    let mut options = options();
    options.max_files = 10;
    let view = build_in_memory(tree.path(), &options).unwrap();
    assert!(view.files().count() <= 10 && view.files().count() > 0);
    assert_eq!(view.meta().problems, ["the tree has more files than the limit"]);
}

#[test]
fn files_that_come_and_go_while_they_are_read() {
    let tree = tree(&[("stays.rs", "fn stays() {}\n")]);
    let name = |n: usize| tree.path().join(format!("brief_{n}.rs"));
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                for n in 0..50 {
                    fs::write(name(n), "fn passing() {}\n".repeat(n + 1)).unwrap();
                }
                for n in 0..50 {
                    fs::remove_file(name(n)).unwrap();
                }
            }
        });
        for _ in 0..40 {
            let view = built(tree.path());
            assert_eq!(files_with(&view, "stay"), ["stays.rs"]);
            // A file that existed only briefly is indexed completely or by its path only. It cannot be read any more.
            for id in view.files().collect::<Vec<_>>() {
                drop(view.read(id));
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
}
