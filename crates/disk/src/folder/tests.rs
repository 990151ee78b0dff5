use std::os::unix::fs::symlink;

use rustix::fs::{CWD, Gid, Uid};

use super::*;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o777
}

#[test]
fn a50_a_folder_and_its_missing_parents_are_private() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a/b/c");
    create_private_folder(&deep).unwrap();
    create_private_folder(&deep).unwrap();
    for path in deep.ancestors().take(3) {
        assert_eq!(mode(path), 0o700, "{}", path.display());
    }
    symlink(&deep, folder.path().join("link")).unwrap();
    create_private_folder(&folder.path().join("link")).unwrap();
    fs::write(deep.join("file"), "").unwrap();
    let error = create_private_folder(&deep.join("file")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
    assert!(create_private_folder(&deep.join("file/below")).is_err());
}

#[test]
fn a50_a_folder_that_others_may_write_to_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for writable in [0o777, 0o770, 0o702, 0o1777] {
        fs::set_permissions(folder.path(), Permissions::from_mode(writable)).unwrap();
        let error = create_private_folder(folder.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        assert!(error.to_string().contains("chmod go-w"), "{error}");
    }
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    create_private_folder(folder.path()).unwrap();
}

#[test]
fn a50_a_folder_with_a_parent_that_others_may_write_to_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    let (shared, private) = (base.join("shared"), base.join("private"));
    let (below, target) = (shared.join("a/b"), private.join("target"));
    create_private_folder(&below).unwrap();
    create_private_folder(&target).unwrap();
    symlink(&target, shared.join("link")).unwrap();
    symlink(&below, private.join("link")).unwrap();
    // The folders are reached by their own paths, from a link to them, and through a link in the shared folder.
    let paths = [below, private.join("link"), shared.join("link")];
    // The group of root has the number of root, like the group of a user on many systems.
    let is_own_group = fs::metadata(&shared).unwrap().gid() == rustix::process::geteuid().as_raw();
    for (mode, is_refused) in
        [(0o777, true), (0o702, true), (0o770, !is_own_group), (0o1777, false), (0o755, false)]
    {
        fs::set_permissions(&shared, Permissions::from_mode(mode)).unwrap();
        for path in &paths {
            let checked = create_private_folder(path);
            assert_eq!(checked.is_err(), is_refused, "{mode:o} {}", path.display());
            let Err(error) = checked else { continue };
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
            let repair = format!("chmod go-w '{}'", shared.display());
            assert!(error.to_string().contains(&repair), "{error}");
        }
    }
}

/// Only root can change the owner of a folder. For other users, the test checks a folder that belongs to root.
#[test]
fn a50_a_folder_of_another_user_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let is_changed = rustix::fs::chownat(
        CWD,
        folder.path(),
        Some(Uid::from_raw(4321)),
        None::<Gid>,
        rustix::fs::AtFlags::empty(),
    );
    let path = if is_changed.is_ok() { folder.path() } else { Path::new("/usr") };
    let error = create_private_folder(path).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    assert!(error.to_string().contains("belongs to user"), "{error}");
}
