//! Fuzzes the readers of index snapshots and of the stored history.

use std::path::Path;
use std::sync::OnceLock;
use std::time::SystemTime;

use index::fuzzing::{Patched, Sections, open, read_history, sections_of};
use index::{BuildOptions, FileId, Node, Parser, View};
use tempfile::TempDir;

/// The size of one edit in bytes. It contains a section, an operation, an offset and a value.
const EDIT: usize = 8;
/// The number of items after which a list is considered endless. Every list of the small test tree is shorter.
const MAX_ITEMS: usize = 1 << 20;

/// Reads damaged snapshots. The first byte selects the input: 0 for edits to a valid snapshot, 1 for a whole snapshot
/// file, 3 for edits to a valid patch, and any other value for a stored history.
pub fn snapshots(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    match first {
        0 => edited(rest),
        1 => {
            if let Ok(snapshot) = open(rest.to_vec()) {
                ask_everything(&View::of(snapshot, Path::new("/nonexistent")));
            }
        }
        3 => {
            let mut patched = correct_patch().clone();
            edit(&mut patched.patch, rest);
            if let Ok(view) = patched.open() {
                ask_everything(&view);
            }
        }
        _ => {
            let n_commits = read_history(rest).unwrap_or_default();
            assert!(n_commits <= rest.len(), "more commits than bytes");
        }
    }
}

/// Applies edits to the sections of a valid snapshot, builds a snapshot with valid checksums from the result, and reads
/// it.
fn edited(edits: &[u8]) {
    let mut sections = correct().clone();
    edit(&mut sections, edits);
    if let Ok(snapshot) = open(sections.seal()) {
        ask_everything(&View::of(snapshot, Path::new("/nonexistent")));
    }
}

fn edit(sections: &mut Sections, edits: &[u8]) {
    for edit in edits.chunks_exact(EDIT).take(64) {
        let n_sections = sections.0.len();
        let Some(section) = sections.0.get_mut(usize::from(edit[0]) % n_sections) else { return };
        let offset = usize::from(u16::from_le_bytes([edit[2], edit[3]]));
        let at = if section.is_empty() { 0 } else { offset % section.len() };
        let value = &edit[4..8];
        match edit[1] % 4 {
            0 => section.truncate(at),
            1 => drop(section.splice(at..at, value.iter().copied())),
            2 if at < section.len() => section[at] ^= value[0],
            _ => section.iter_mut().skip(at).zip(value).for_each(|(byte, new)| *byte = *new),
        }
    }
}

const HELPER: &str = "pub struct Helper;\npub fn helper(x: u8) -> u8 { x }\n";

fn correct() -> &'static Sections {
    static SECTIONS: OnceLock<Sections> = OnceLock::new();
    SECTIONS.get_or_init(|| sections_of(tree(HELPER).path(), &options()).expect("it is built"))
}

fn correct_patch() -> &'static Patched {
    static PATCHED: OnceLock<Patched> = OnceLock::new();
    PATCHED.get_or_init(|| {
        let changed = tree("pub fn helper(x: u8) -> u8 { thing(x) }\npub fn added() {}\n");
        std::fs::remove_file(changed.path().join("notes.md")).expect("a file can be removed");
        Patched::of(tree(HELPER).path(), changed.path(), &options()).expect("it is built")
    })
}

fn options() -> BuildOptions {
    BuildOptions::new(SystemTime::UNIX_EPOCH, Parser::linked())
}

/// Creates a folder with a few small files. `helper` is the content of `b.rs`.
fn tree(helper: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let code = "/// Does a thing.\npub fn thing(x: u8) -> u8 {\n    helper(x)\n}\n";
    for (name, text) in [
        ("a.rs", code),
        ("b.rs", helper),
        ("c.py", "import b\nclass Thing:\n    def helper(self):\n        return 'text'\n"),
        ("notes.md", "thing and helper\n"),
    ] {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    folder
}

/// Calls every accessor. No accessor may panic, and every iterator must end.
fn ask_everything(view: &View) {
    for term in ["thing", "helper", "u8", "nowhere"] {
        ends(view.best_postings(term).map(|it| it.counts));
        let (all, mut n_found) = (0..u32::MAX, 0_usize);
        let all = std::slice::from_ref(&all);
        let n_passages = view.for_each_passage_posting_in(term, all, |it| {
            n_found += usize::from(view.passage(it.passage).id == it.passage);
        });
        let n_symbols = view.for_each_symbol_posting_in(term, all, |it| {
            n_found += usize::from(view.symbol(it.symbol).id == it.symbol);
        });
        assert!(n_found <= n_passages + n_symbols, "a list has more items than it states");
        let _frequency = view.document_frequency(term);
        for id in view.symbols_named(term).into_iter().chain(view.symbols_named_like(term)).take(64)
        {
            let _file = view.path(view.file_of(id));
            ends(view.edges_from(Node::Symbol(id)).map(|edge| edge.line));
            ends(view.edges_into(Node::Symbol(id)).map(|edge| edge.line));
        }
    }
    for id in view.files().take(64) {
        ask_file(view, id);
    }
    let _found = (view.file_by_path("a.rs"), view.files_with_name("a.rs"));
    let _found = (view.files_with_suffix("b.rs"), view.damaged());
}

fn ask_file(view: &View, id: FileId) {
    let file = view.file(id);
    assert!(file.path.len() <= view.size(), "a path longer than the file");
    ends(view.symbols_in(id).map(|symbol| symbol.lines));
    ends(view.co_changes(id));
    ends(view.touch_days(id));
    ends(view.edges_from(Node::File(id)).map(|edge| edge.confidence));
    ends(view.edges_into(Node::File(id)).map(|edge| edge.confidence));
    let _found = (view.symbol_at(id, 2), view.authors(id), view.role(id));
    // The folder does not exist, so no file can be read.
    assert!(view.read(id).is_err());
}

fn ends<T>(items: impl Iterator<Item = T>) {
    assert!(items.take(MAX_ITEMS).count() < MAX_ITEMS, "a list without an end");
}
