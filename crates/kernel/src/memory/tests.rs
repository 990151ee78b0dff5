use std::time::Duration;

use super::*;

fn memory(folder: &Path) -> Memory {
    Memory { folder: folder.to_owned(), now: SystemTime::UNIX_EPOCH, most_units: 9_500 }
}

fn request(session: &str, agent: Option<&str>) -> Request {
    Request {
        session_id: Some(session.to_owned()),
        agent_id: agent.map(str::to_owned),
        ..Request::default()
    }
}

#[test]
fn a_session_of_a_client_an_agent_and_a_repository_has_a_file_of_its_own() {
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
fn what_is_written_is_read_and_garbage_is_nothing() {
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
fn only_the_user_reads_it_and_nothing_is_left_behind() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let file = memory.file(&request("s", None), Path::new("/r")).unwrap();
    memory.write(&file, &Remembered::default()).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o077, 0);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn sessions_of_last_week_are_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..MANY {
        fs::write(folder.path().join(format!("{n}.json")), "old").unwrap();
    }
    let written = fs::metadata(folder.path().join("0.json")).unwrap().modified().unwrap();
    let later = Memory { now: written + KEPT + Duration::from_secs(60), ..memory(folder.path()) };
    let file = later.file(&request("s", None), Path::new("/r")).unwrap();
    later.write(&file, &Remembered::default()).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
