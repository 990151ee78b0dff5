//! Tests how a log is parsed, summarised and stored.

use super::log::LogReader;
use super::summary::summarise;
use super::{History, HistoryState};

const DAY: i64 = 24 * 60 * 60;

fn history(log: &str) -> History {
    let mut reader = LogReader::default();
    reader.read(log.as_bytes());
    reader.into_history("abc".into(), HistoryState::Complete)
}

fn sample() -> History {
    let now = 200 * DAY;
    history(&format!(
        "\x01{now}\0Ann\0fix login\0\nM\0a.rs\0M\0b.rs\0\0\x01{}\0Ben\0add login\0\nM\0a.rs\0A\0b.rs\0A\0odd\nname\0\0\x01{}\0Ann\0start\0\nA\0a.rs\0",
        now - DAY,
        now - 150 * DAY
    ))
}

#[test]
fn a_log_gives_churn_authors_and_companions() {
    let history = sample();
    assert_eq!(history.paths, ["a.rs", "b.rs", "odd\nname"]);
    let files = ["a.rs", "b.rs"];
    let summaries = summarise(&history, 2, |path| {
        files.iter().position(|file| *file == path).map(|at| at as u32)
    });
    assert_eq!(
        (summaries[0].commits, summaries[0].recent_commits, summaries[0].n_authors),
        (3, 2, 2)
    );
    assert_eq!(summaries[0].last_commit, 200 * DAY);
    assert_eq!(summaries[0].authors, [0, 1]);
    assert_eq!(summaries[0].days, [200, 199, 50]);
    assert_eq!(summaries[0].co_changes, [(1, 2)]);
    assert_eq!(summaries[1].co_changes, [(0, 2)]);
    assert_eq!(summaries[1].subjects, [0, 1]);
}

#[test]
fn the_complete_part_of_a_truncated_log_is_used() {
    let whole =
        "\x0186400\0Ann\0fix\0\nM\0a.rs\0R100\0c.rs\0b.rs\0\0\x0186401\0Ben\0add\0\nA\0a.rs\0";
    for keep in 0..whole.len() {
        let cut = history(&whole[..keep]);
        assert!(cut.commits.len() <= 2);
    }
}

#[test]
fn a_history_is_decoded_from_its_bytes() {
    let history = sample();
    let bytes = history.encode();
    assert_eq!(History::decode(&bytes), Some(history));
    for keep in 0..bytes.len() {
        assert_eq!(History::decode(&bytes[..keep]), None, "cut at {keep}");
    }
}

#[test]
fn the_commits_before_a_rename_belong_to_the_renamed_file() {
    let history = history(
        "\x0186403\0Ann\0new file\0\nA\0old.rs\0\0\x0186402\0Ann\0move\0\nR100\0old.rs\0new.rs\0\0\x0186401\0Ann\0fix\0\nM\0old.rs\0",
    );
    let path = |commit: usize| history.paths[history.commits[commit].paths[0] as usize].as_str();
    assert_eq!([path(0), path(1), path(2)], ["old.rs", "new.rs", "new.rs"]);
}
