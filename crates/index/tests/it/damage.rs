//! Tests that a damaged index never returns a wrong result and never crashes the process.

use std::fs;
use std::sync::OnceLock;

use index::text::FIELDS;
use index::{Node, Store, View};
use proptest::prelude::*;

use crate::tree::{passages_with, refresh, symbols_with, tree};

/// Returns the bytes of a snapshot of a small tree.
fn snapshot() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let code: String = (0..60)
            .map(|n| {
                format!(
                    "/// Does thing {n}.\npub fn thing_{n}(x: u8) -> u8 {{\n    helper_{}(x)\n}}\n",
                    n % 7
                )
            })
            .collect();
        let tree = tree(&[
            ("src/a.rs", &code),
            ("src/b.rs", "pub fn helper_1(x: u8) -> u8 { x }\n"),
            ("notes.md", "thing and helper\n"),
        ]);
        let cache = tempfile::tempdir().unwrap();
        let store = Store::new(cache.path(), tree.path());
        refresh(&store);
        fs::read(store.snapshot_path()).unwrap()
    })
}

/// Runs every query and formats the results as one string.
fn ask_everything(view: &View) -> String {
    let mut out = String::new();
    for term in ["thing", "helper", "helper_1", "thing_59", "u8", "nowhere"] {
        let postings: Vec<(u32, [u32; FIELDS])> =
            view.best_postings(term).map(|it| (it.file.0, it.counts)).collect();
        let passages: Vec<u32> =
            passages_with(view, term).into_iter().map(|it| it.length).collect();
        let symbols: Vec<&str> =
            symbols_with(view, term).iter().map(|it| view.symbol(it.symbol).qualified).collect();
        out.push_str(&format!("{term} {postings:?} {passages:?} {symbols:?}\n"));
    }
    for id in view.files() {
        let file = view.file(id);
        out.push_str(&format!("{} {:?} {:?}\n", file.path, file.role, file.symbols));
        for symbol in view.symbols_in(id) {
            let edges: Vec<(f32, u32)> = view
                .edges_from(Node::Symbol(symbol.id))
                .map(|edge| (edge.confidence, edge.line))
                .collect();
            out.push_str(&format!("{} {:?} {edges:?}\n", symbol.qualified, symbol.lines));
        }
        out.push_str(&format!(
            "{:?} {:?}\n",
            view.co_changes(id).count(),
            view.edges_into(Node::File(id)).count()
        ));
    }
    out.push_str(&format!("{:?}", view.symbols_named_like("thing_3")));
    out
}

fn answer(bytes: &[u8]) -> Option<(String, bool)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.snap");
    fs::write(&path, bytes).unwrap();
    let snapshot = index::Snapshot::open(&path).ok()?;
    let view = View::of(snapshot, folder.path());
    let said = ask_everything(&view);
    Some((said, view.damaged()))
}

#[test]
fn an_intact_snapshot_answers() {
    let (said, damaged) = answer(snapshot()).unwrap();
    assert!(said.contains("thing_59") && !damaged);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases * 3 / 2, ..ProptestConfig::default() })]

    #[test]
    fn flipped_bytes_are_noticed_or_harmless(flips in prop::collection::vec((any::<prop::sample::Index>(), 1..=255_u8), 1..4)) {
        let mut bytes = snapshot().to_vec();
        for (at, mask) in &flips {
            let at = at.index(bytes.len());
            bytes[at] ^= mask;
        }
        if let Some((said, damaged)) = answer(&bytes) {
            // The flips may cancel each other out or change unused bytes. If the result is wrong, the damage must be
            // reported.
            prop_assert!(damaged || said == answer(snapshot()).unwrap().0);
        }
    }

    #[test]
    fn a_truncated_snapshot_is_refused(keep in any::<prop::sample::Index>()) {
        let bytes = snapshot();
        prop_assert!(answer(&bytes[..keep.index(bytes.len())]).is_none());
    }
}

#[test]
fn a_damaged_index_is_rebuilt() {
    let tree = tree(&[("a.rs", "fn first() {}\n")]);
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), tree.path());
    refresh(&store);
    for entry in fs::read_dir(store.folder()).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        bytes.truncate(bytes.len() / 2);
        fs::write(&path, bytes).unwrap();
    }
    assert!(store.open().is_err());
    assert_eq!(refresh(&store).analysed, 1);
    assert!(store.open().unwrap().verify());
}
