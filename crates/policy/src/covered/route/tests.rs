use std::os::unix::fs::symlink;

use super::*;

fn folders() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    for name in ["repository/bin", "outside/bin"] {
        fs::create_dir_all(base.join(name)).unwrap();
    }
    symlink(base.join("outside/bin"), base.join("repository/link")).unwrap();
    symlink("../repository/bin", base.join("outside/in")).unwrap();
    symlink("/proc/self/cwd", base.join("outside/cwd")).unwrap();
    symlink("loop", base.join("outside/loop")).unwrap();
    (folder, base)
}

#[test]
fn a_path_ends_at_the_real_file() {
    let (_folder, base) = folders();
    let end = |path: &str| Route::follow(&base.join(path)).map(|route| route.end);
    assert_eq!(end("outside/bin"), Ok(base.join("outside/bin")));
    assert_eq!(end("outside/in/../link/."), Ok(base.join("outside/bin")));
    assert_eq!(end("outside/gone"), Err(NoRoute::Missing));
    assert_eq!(end("outside/loop"), Err(NoRoute::Missing));
}

#[test]
fn a54_a_path_through_proc_or_dev_is_recognised_in_each_spelling() {
    let (_folder, base) = folders();
    for path in [
        "/proc/self/cwd/bin",
        "//proc/1",
        "/./proc/self/cwd",
        "/tmp/../proc/self/cwd/bin",
        "/dev/fd/0",
        "/dev/stdin",
        "/dev/shm/../stdin",
    ] {
        assert_eq!(Route::follow(Path::new(path)), Err(NoRoute::DependsOnProcess), "{path}");
    }
    assert_eq!(Route::follow(&base.join("outside/cwd/bin")), Err(NoRoute::DependsOnProcess));
}

#[test]
fn a54_a_path_that_passes_through_the_repository_is_not_outside() {
    let (_folder, base) = folders();
    let repository = base.join("repository");
    assert!(is_outside(&base.join("outside/bin"), &repository));
    for path in [
        "repository",
        "repository/bin",
        "repository/link",
        "repository/../outside/bin",
        "outside/in",
        "outside/../repository/bin",
        "outside/cwd",
        "outside/gone",
    ] {
        assert!(!is_outside(&base.join(path), &repository), "{path}");
    }
    assert!(!is_outside(&base.join("outside/bin"), &base.join("gone")));
}
