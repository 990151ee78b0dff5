use super::*;

const NOON: &str = "2026-11-18T12:00:00Z";
const NOON_SECONDS: u64 = 1_795_003_200;

fn run(session: &str, places: &[(&str, u64)]) -> LoggedRun {
    let findings = places.iter().map(|(path, line)| LoggedFinding {
        path: Some((*path).to_owned()),
        line: Some(*line),
        ..LoggedFinding::default()
    });
    LoggedRun {
        session_id: Some(session.to_owned()),
        client: "claude-code".to_owned(),
        created_at: NOON.to_owned(),
        repo_root: "/repo".to_owned(),
        characters: 100 * places.len(),
        findings: findings.collect(),
        ..LoggedRun::default()
    }
}

fn touched(path: &str, action: FileAction, lines: Option<(u32, u32)>, after: i64) -> TouchedFile {
    let at = NOON_SECONDS.checked_add_signed(after);
    TouchedFile { path: path.to_owned(), action, lines, at, ..TouchedFile::default() }
}

fn read(path: &str) -> TouchedFile {
    touched(path, FileAction::Read, None, 5)
}

/// Returns the used places, the places, the other reads and the reads of one session with one briefing.
fn counts(places: &[(&str, u64)], files: &[TouchedFile]) -> (usize, usize, usize, usize) {
    let benefit = Benefit::of(&[run("s", places)], |_, _, _| Transcript::Read(files.to_vec()));
    (benefit.used_places, benefit.places, benefit.other_reads, benefit.reads)
}

#[test]
fn a_place_is_used_if_its_line_is_read_or_its_file_edited_afterwards() {
    let place = [("src/a.rs", 12)];
    let part = |lines| touched("src/a.rs", FileAction::Read, Some(lines), 5);
    for (file, expected) in [
        (read("src/a.rs"), (1, 1, 0, 1)),
        (part((1, 20)), (1, 1, 0, 1)),
        (part((13, 20)), (0, 1, 0, 1)),
        (touched("src/a.rs", FileAction::Edited, None, 5), (1, 1, 0, 0)),
        (touched("src/a.rs", FileAction::Listed, None, 5), (0, 1, 0, 0)),
        (touched("src/a.rs", FileAction::Read, None, -5), (0, 1, 0, 0)),
        (read("src/b.rs"), (0, 1, 1, 1)),
        (read("/elsewhere/src/a.rs"), (0, 1, 0, 0)),
    ] {
        assert_eq!(counts(&place, std::slice::from_ref(&file)), expected, "{file:?}");
    }
    assert_eq!(counts(&[], &[read("src/a.rs")]), (0, 0, 1, 1), "nothing was cited");
}

#[test]
fn a_place_that_was_cited_twice_counts_once() {
    let runs = [run("s", &[("a.rs", 1), ("b.rs", 2)]), run("s", &[("a.rs", 1)])];
    let benefit = Benefit::of(&runs, |_, _, _| Transcript::Read(vec![read("a.rs")]));
    assert_eq!((benefit.used_places, benefit.places), (1, 2));
    let expected = (1, 2, 2, 300);
    let found = (benefit.sessions, benefit.prompts, benefit.briefings, benefit.characters);
    assert_eq!(found, expected);
}

#[test]
fn sessions_are_counted_by_the_state_of_their_transcripts() {
    let place = [("a.rs", 1)];
    let mut runs = ["read", "missing", "unsupported"].map(|name| run(name, &place)).to_vec();
    runs.push(LoggedRun { session_id: None, ..run("", &place) });
    let benefit = Benefit::of(&runs, |_, session, _| match session {
        "read" => Transcript::Read(Vec::new()),
        "missing" => Transcript::Missing,
        _ => Transcript::Unsupported,
    });
    let one = TranscriptCounts { read: 1, missing: 1, unsupported: 1 };
    assert_eq!((benefit.sessions, benefit.transcripts), (3, one));
    assert_eq!((benefit.prompts, benefit.places), (4, 1), "only a read transcript shows places");
    assert_eq!(Benefit::of(&[], |_, _, _| Transcript::Missing), Benefit::default());
}
