//! Tests that a damaged index never yields a wrong answer: opening it fails, or the view reports the damage.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use engine::{
    Query, ReadPrompt, SearchMode, SearchOptions, ask_calls, ask_explore, ask_hotspots, ask_impact,
    known_terms, search,
};
use index::{BuildOptions, HistoryOptions, LookOptions, Parser, Store, View};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use serde_json::json;
use tempfile::TempDir;

use crate::questions::Question;

const N_FLIPS: u32 = 2_000;
const N_OTHER_DAMAGES: u32 = 300;

/// A repository with an index and with changes that are not in the index.
struct Fixture {
    folders: [TempDir; 2],
    store: Store,
    answers: String,
    /// The paths and contents of the index files.
    files: Vec<(PathBuf, Vec<u8>)>,
}

fn options() -> BuildOptions {
    let mut options = BuildOptions::new(SystemTime::UNIX_EPOCH, Parser::linked());
    let environment = process::Environment::new(std::env::vars_os());
    options.history = Some(HistoryOptions::new(environment));
    options
}

fn fixture() -> Fixture {
    let (tree, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for number in 0..60 {
        let code: String = (0..12)
            .map(|n| {
                let (other, called) = ((number * 7 + n) % 60, (n * 5 + 1) % 12);
                format!(
                    "/// Handles case {n} of part {number}.\npub fn part_{number}_case_{n}(input: u8) -> u8 {{\n    part_{other}_case_{called}(input)\n}}\n\n"
                )
            })
            .collect();
        fs::write(tree.path().join(format!("part_{number}.rs")), code).unwrap();
    }
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "-A"]);
    git(tree.path(), &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "parts"]);
    let store = Store::new(cache.path(), tree.path());
    store.refresh(&options(), &|_| {}).unwrap();
    let changed = "pub fn part_9_case_0(input: u8) -> u8 {\n    part_3_case_1(input)\n}\n";
    fs::write(tree.path().join("part_9.rs"), changed).unwrap();
    store.refresh(&options(), &|_| {}).unwrap();
    let answers = answer(tree.path(), &store).expect("an intact index answers");
    let files: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(store.folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "snap" || it == "delta"))
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    assert_eq!(files.len(), 2, "a snapshot and a delta");
    Fixture { folders: [tree, cache], store, answers, files }
}

fn git(folder: &Path, arguments: &[&str]) {
    let done = std::process::Command::new("git").args(arguments).current_dir(folder).status();
    assert!(done.unwrap().success());
}

/// Returns the answers to several queries, or `None` if damage was reported.
fn answer(root: &Path, store: &Store) -> Option<String> {
    let glance = store.view_as_written().ok()?;
    let prompt = ReadPrompt::new("what does part 7 do in case 3".to_owned());
    let known = known_terms(&glance, &prompt);
    if glance.damaged() {
        return None;
    }
    let deadline = Instant::now() + Duration::from_secs(600);
    let view = store.view(&LookOptions::until(deadline, Parser::linked())).ok()?;
    let said = ask(root, &view, deadline);
    (!view.damaged()).then(|| format!("{known:?}\n{said}"))
}

fn ask(root: &Path, view: &View, deadline: Instant) -> String {
    let query = Query::read("who calls part_7_case_3 and what handles case 5 of part 9");
    let hits = search(
        view,
        &query,
        &SearchOptions { limit: 10, mode: SearchMode::Hybrid, session: None, deadline },
    );
    // A name in the prompt is not an error if a damaged index does not contain it.
    let prompt = "part_3_case_1";
    let question = Question { prompt, hits: &hits, deadline, ..Question::new(root, view) };
    format!(
        "{hits:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        question.ask(ask_calls, json!({})),
        question.ask(ask_impact, json!({})),
        question.ask(ask_explore, json!({ "top_k": 20 })),
        question.ask(ask_hotspots, json!({ "days": 36_500 })),
    )
}

/// Damages a random index file `cases` times. Each time, checks the answers and restores the file. Returns how often damage
/// was reported.
fn try_each<D: std::fmt::Debug>(
    fixture: &Fixture,
    cases: u32,
    damage: &impl Strategy<Value = D>,
    apply: impl Fn(&D, &mut Vec<u8>),
) -> u32 {
    let noticed = std::cell::Cell::new(0);
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(13),
        failure_persistence: None,
        ..Config::default()
    };
    let strategy = (0..fixture.files.len(), damage);
    let tried = TestRunner::new(config).run(&strategy, |(file, damage)| {
        let (path, intact) = &fixture.files[file];
        let mut bytes = intact.clone();
        apply(&damage, &mut bytes);
        fs::write(path, &bytes).unwrap();
        let answered = answer(fixture_root(fixture), &fixture.store);
        fs::write(path, intact).unwrap();
        match answered {
            None => noticed.set(noticed.get() + 1),
            Some(said) => prop_assert!(
                said == fixture.answers,
                "a wrong answer was not detected: {}",
                path.display()
            ),
        }
        Ok(())
    });
    tried.unwrap();
    noticed.get()
}

#[test]
fn a40_a_flipped_bit_never_yields_a_wrong_answer() {
    let fixture = fixture();
    let flip = (any::<prop::sample::Index>(), 0..8_u32);
    let noticed = try_each(&fixture, N_FLIPS, &flip, |(at, bit), bytes| {
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
    });
    assert!(noticed > N_FLIPS / 2, "only {noticed} of {N_FLIPS} flips were in a part that is read");
}

#[test]
fn a40_a_truncated_zeroed_or_foreign_page_never_yields_a_wrong_answer() {
    let fixture = fixture();
    let place = any::<prop::sample::Index>();
    let all_files_cut = try_each(&fixture, N_OTHER_DAMAGES, &place, |at, bytes| {
        bytes.truncate(at.index(bytes.len()));
    });
    assert_eq!(all_files_cut, N_OTHER_DAMAGES);
    let longer = try_each(&fixture, 20, &any::<u8>(), |extra, bytes| bytes.push(*extra));
    assert_eq!(longer, 20);
    let _some = try_each(&fixture, N_OTHER_DAMAGES, &place, |at, bytes| {
        let at = at.index(bytes.len());
        let end = (at + 4096).min(bytes.len());
        bytes[at..end].fill(0);
    });
    let places = (any::<prop::sample::Index>(), place);
    let _some = try_each(&fixture, N_OTHER_DAMAGES, &places, |(from, to), bytes| {
        let page = |at: usize| 4096 + (at - at.min(4096)) / 16_384 * 16_384;
        let (from, to) = (page(from.index(bytes.len())), page(to.index(bytes.len())));
        let length = 16_384.min(bytes.len().saturating_sub(from.max(to)));
        bytes.copy_within(from..from + length, to);
    });
}

#[test]
fn a40_damaged_facts_and_history_do_not_reach_a_new_index() {
    let fixture = fixture();
    let sources: Vec<PathBuf> = fs::read_dir(fixture.store.folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "pack" || it == "log"))
        .collect();
    assert!(sources.len() >= 2);
    for path in sources {
        let intact = fs::read(&path).unwrap();
        for step in 0..12 {
            let mut bytes = intact.clone();
            let at = step * (bytes.len() - 1) / 11;
            bytes[at] ^= 0x10;
            fs::write(&path, &bytes).unwrap();
            for (file, _) in &fixture.files {
                let _gone = fs::remove_file(file);
            }
            fixture.store.refresh(&options(), &|_| {}).unwrap();
            let root = fixture_root(&fixture);
            let fresh = index::build_in_memory(root, &options()).unwrap();
            let deadline = Instant::now() + Duration::from_secs(600);
            let view = fixture.store.view(&LookOptions::until(deadline, Parser::linked())).unwrap();
            let (stored, built) = (ask(root, &view, deadline), ask(root, &fresh, deadline));
            assert!(stored == built, "{} at {at}", path.display());
            assert!(!view.damaged());
        }
    }
}

fn fixture_root(fixture: &Fixture) -> &Path {
    fixture.folders[0].path()
}

#[test]
fn a40_truncating_an_open_file_does_not_end_the_process() {
    let fixture = fixture();
    let deadline = Instant::now() + Duration::from_secs(600);
    let view = fixture.store.view(&LookOptions::until(deadline, Parser::linked())).unwrap();
    for (path, _) in &fixture.files {
        fs::write(path, b"").unwrap();
    }
    let _said = ask(fixture_root(&fixture), &view, deadline);
    assert!(view.damaged());
}
