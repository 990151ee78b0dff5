//! Creates and checks folders that only the user can change.

use std::fs::{self, DirBuilder, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;

const PRIVATE: u32 = 0o700;
const WRITABLE_BY_OTHERS: u32 = 0o022;
const WRITABLE_BY_GROUP: u32 = 0o020;
/// In a folder with this bit, a user can rename and delete only the entries that belong to the user.
const STICKY: u32 = 0o1000;
const ROOT: u32 = 0;
/// The owner of all files whose owner is not known in a user namespace. Inside a sandbox, `/` and `/home` belong to this user.
const UNKNOWN_USER: u32 = 65534;

/// Checks that a folder belongs to the user, that no other user can write to it, and that no other user can replace it or one
/// of its parents by another folder. If the path is a link, the link is followed.
///
/// # Errors
/// `NotFound`, `NotADirectory`, or `PermissionDenied` with a message that states the reason. If the mode is wrong, the
/// message contains the command that corrects it.
pub fn check_private_folder(path: &Path) -> io::Result<()> {
    let found = fs::metadata(path)?;
    if !found.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    let user = rustix::process::geteuid().as_raw();
    let refused = |reason: String| {
        let message = format!("`{}` is not used: {reason}", path.display());
        Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
    };
    if found.uid() != user {
        let owner = found.uid();
        return refused(format!("it belongs to user {owner}, but the current user is {user}"));
    }
    let mode = found.mode() & 0o777;
    if mode & WRITABLE_BY_OTHERS != 0 {
        let repair = format!("chmod go-w '{}'", path.display());
        return refused(format!("other users may write to it (mode {mode:o}); run `{repair}`"));
    }
    let real = path.canonicalize()?;
    // The parents of the path itself are checked too, because one of them may contain a link.
    let paths = if real == path { vec![real.as_path()] } else { vec![real.as_path(), path] };
    let parents = paths.iter().flat_map(|path| path.ancestors().skip(1));
    for parent in parents.filter(|parent| parent.is_absolute()) {
        if can_be_exchanged(&fs::metadata(parent)?, user) {
            let parent = parent.display();
            return refused(format!(
                "other users may replace it, because they may write to its parent `{parent}`; run `chmod go-w '{parent}'`, or use another folder"
            ));
        }
    }
    Ok(())
}

/// Returns true if another user can rename or delete the entries of a folder that belong to `user`.
fn can_be_exchanged(folder: &Metadata, user: u32) -> bool {
    let is_unknown = || fs::metadata("/").is_ok_and(|root| root.uid() == UNKNOWN_USER);
    let is_known =
        [ROOT, user].contains(&folder.uid()) || folder.uid() == UNKNOWN_USER && is_unknown();
    // Many systems give each user a group with the same number and make new folders writable for this group. Some
    // containers run with any user and make the home folder writable for the group of root.
    let is_own_group = [ROOT, user].contains(&folder.gid());
    let writable =
        if is_own_group { WRITABLE_BY_OTHERS & !WRITABLE_BY_GROUP } else { WRITABLE_BY_OTHERS };
    !is_known || (folder.mode() & writable != 0 && folder.mode() & STICKY == 0)
}

/// Creates a folder and its missing parents with mode 0700, independent of the umask. An existing folder must be private.
///
/// # Errors
/// The errors of [`check_private_folder`], and any error while a folder is created.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    match check_private_folder(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        checked => return checked,
    }
    create_missing(path)?;
    check_private_folder(path)
}

/// Returns the number of free bytes that an unprivileged user can use on the file system that contains a folder.
///
/// # Errors
/// If the folder cannot be read.
pub fn free_bytes(path: &Path) -> io::Result<u64> {
    let found = rustix::fs::statvfs(path)?;
    Ok(found.f_bavail.saturating_mul(found.f_frsize))
}

fn create_missing(path: &Path) -> io::Result<()> {
    let create = || DirBuilder::new().mode(PRIVATE).create(path);
    let created = match (create(), path.parent()) {
        (Err(error), Some(parent)) if error.kind() == io::ErrorKind::NotFound => {
            create_missing(parent)?;
            create()
        }
        (created, _) => created,
    };
    match created {
        // A restrictive umask can remove the user's own permissions from the mode passed to `create`.
        Ok(()) => fs::set_permissions(path, Permissions::from_mode(PRIVATE)),
        // Another process has created the folder in the meantime.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
