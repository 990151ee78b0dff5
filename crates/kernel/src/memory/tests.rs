use std::time::Duration;

use super::*;

fn memory(folder: &Path) -> Memory {
    Memory { folder: folder.to_owned(), now: SystemTime::UNIX_EPOCH }
}

fn request(session: &str, agent: Option<&str>) -> Request {
    Request {
        session_id: Some(session.to_owned()),
        agent_id: agent.map(str::to_owned),
        ..Request::default()
    }
}

#[test]
fn each_client_session_agent_and_root_has_its_own_file() {
    let memory = memory(Path::new("/state"));
    let file = |session: &str, agent, root: &str| {
        memory.file(&request(session, agent), Path::new(root)).unwrap()
    };
    let own = file("s", None, "/r");
    assert_eq!(own, file("s", None, "/r"));
    for other in [file("t", None, "/r"), file("s", Some("a"), "/r"), file("s", None, "/q")] {
        assert_ne!(own, other);
    }
    assert_eq!(memory.file(&Request::default(), Path::new("/r")), None);
    assert_eq!(memory.file(&request("", None), Path::new("/r")), None);
}

#[test]
fn a_session_id_cannot_leave_the_folder() {
    let memory = memory(Path::new("/state"));
    let file = memory.file(&request("../../etc/passwd", None), Path::new("/r")).unwrap();
    assert_eq!(file.parent(), Some(Path::new("/state")));
    assert!(!file.to_string_lossy().contains(".."));
}

#[test]
fn a_session_file_is_read_back_and_an_invalid_file_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(&folder.path().join("new"));
    let file = memory.file(&request("s", None), Path::new("/r")).unwrap();
    assert_eq!(read(&file), Remembered::default());
    let shown = Shown { hash: "h".to_owned(), briefing: 1, at: 7 };
    let kept = Remembered { n_briefings: 1, shown: vec![shown], ..Remembered::default() };
    memory.write(&file, &kept).unwrap();
    assert_eq!(read(&file).shown, kept.shown);
    for garbage in ["", "{", "[]", r#"{"format":2,"n_briefings":1,"subject":null,"shown":[]}"#] {
        fs::write(&file, garbage).unwrap();
        assert_eq!(read(&file), Remembered::default(), "{garbage}");
    }
}

#[test]
fn session_files_are_private_and_no_temporary_file_is_left() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let file = memory.file(&request("s", None), Path::new("/r")).unwrap();
    memory.write(&file, &Remembered::default()).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o077, 0);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn old_session_files_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..MIN_FILES_TO_SWEEP {
        fs::write(folder.path().join(format!("{n}.json")), "old").unwrap();
    }
    let written = fs::metadata(folder.path().join("0.json")).unwrap().modified().unwrap();
    let later =
        Memory { now: written + MAX_AGE + Duration::from_secs(60), ..memory(folder.path()) };
    let file = later.file(&request("s", None), Path::new("/r")).unwrap();
    later.write(&file, &Remembered::default()).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Checks that a session file that version 0.1.0 wrote can be read.
#[test]
fn a_session_of_version_0_1_0_continues() {
    let written = r#"{"format":1,"n_briefings":2,"subject":{"text":"where is enforce_retry_budget defined?","symbol":"enforce_retry_budget"},"shown":[{"hash":"46d1bc2390372f90","briefing":1,"at":1794825469}]}"#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.json");
    fs::write(&file, written).unwrap();
    let remembered = read(&file);
    assert_eq!((remembered.n_briefings, remembered.shown.len()), (2, 1));
    assert!(remembered.subject.is_some());
}
