use std::path::Path;

use contract::{FileAction, Request, SessionActivity, TouchedFile};

use super::{files_in_context, recent_files, session_context};

fn touched(path: &str, action: FileAction) -> TouchedFile {
    TouchedFile { path: path.to_owned(), action, ..TouchedFile::default() }
}

fn request(cwd: &str, files: Vec<TouchedFile>) -> Request {
    let activity = SessionActivity { files, ..SessionActivity::default() };
    Request { cwd: Some(cwd.to_owned()), activity: Some(activity), ..Request::default() }
}

#[test]
fn paths_of_the_session_are_relative_to_the_root() {
    let files = vec![
        touched("/repo/src/cart.rs", FileAction::Read),
        touched("../src/tax.rs", FileAction::Edited),
        touched("/elsewhere/secret.rs", FileAction::Read),
        touched("../../outside.rs", FileAction::Read),
        touched("/repo", FileAction::Read),
        touched("listed.rs", FileAction::Listed),
    ];
    let context = session_context(&request("/repo/web", files), Path::new("/repo"));
    let found: Vec<(&str, bool)> =
        context.files.iter().map(|file| (file.path.as_str(), file.is_edit)).collect();
    assert_eq!(found, [("src/cart.rs", false), ("src/tax.rs", true)]);
}

#[test]
fn a_file_that_was_read_and_is_unchanged_is_in_the_context_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["read.rs", "edited.rs", "changed.rs", "part.rs"] {
        std::fs::write(root.join(name), "").unwrap();
    }
    let read = |path: &str| touched(path, FileAction::Read);
    let files = vec![
        read("read.rs"),
        read("edited.rs"),
        TouchedFile { at: Some(1), ..read("changed.rs") },
        TouchedFile { lines: Some((1, 20)), ..read("part.rs") },
        read("missing.rs"),
        touched("edited.rs", FileAction::Edited),
    ];
    let request = request(root.to_str().unwrap(), files);
    assert_eq!(files_in_context(&request, root), ["read.rs"]);
}

#[test]
fn a33_a_file_that_was_read_before_a_compaction_is_not_in_the_context_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let names = ["before.rs", "unknown.rs", "after.rs"];
    names.iter().for_each(|name| std::fs::write(root.join(name), "").unwrap());
    let far = u64::from(u32::MAX);
    let times = [Some(far), None, Some(far + 1)];
    let files = names.iter().zip(times);
    let files = files.map(|(name, at)| TouchedFile { at, ..touched(name, FileAction::Read) });
    let mut request = request(root.to_str().unwrap(), files.collect());
    assert_eq!(files_in_context(&request, root), names);
    request.activity.as_mut().unwrap().compacted_at = Some(far);
    assert_eq!(files_in_context(&request, root), ["after.rs"]);
}

#[test]
fn the_newest_edited_files_come_first() {
    let edited = |path: &str| touched(path, FileAction::Edited);
    let read = |path: &str| touched(path, FileAction::Read);
    let files = vec![read("a.rs"), edited("b.rs"), read("c.rs"), edited("d.rs"), read("d.rs")];
    let recent = recent_files(&request("/repo", files), Path::new("/repo"));
    let paths: Vec<&str> = recent.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["d.rs", "b.rs", "c.rs", "a.rs"]);
}
