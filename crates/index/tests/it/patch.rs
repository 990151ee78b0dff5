//! Tests patches: many changed files that are stored next to a snapshot, as after a switch to another branch.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use index::text::Field;
use index::{
    BuildOptions, HistoryOptions, HistoryState, Node, OpenError, Refreshed, Store, View,
    build_in_memory,
};
use tempfile::TempDir;

use crate::clones::git;
use crate::tree::{edges, files_with, look, look_options, node, options, passages_with, put, tree};

/// The number of files, of which a tenth may be in a patch.
const N_FILES: usize = 1_200;
/// The number of files that the other branch changes.
const N_CHANGED: usize = 100;

struct Fixture {
    tree: TempDir,
    cache: TempDir,
    store: Store,
}

impl Fixture {
    fn root(&self) -> &Path {
        self.tree.path()
    }

    fn patch_path(&self) -> PathBuf {
        self.store.snapshot_path().with_extension("patch")
    }

    fn delta_path(&self) -> PathBuf {
        self.store.snapshot_path().with_extension("delta")
    }

    /// Refreshes the index without completing it.
    fn refresh(&self) -> Refreshed {
        self.store.refresh(&partial(), &|_| {}).unwrap()
    }

    fn switch_to(&self, branch: &str) {
        git(self.root(), &["checkout", "-q", branch]);
    }
}

fn with_history() -> BuildOptions {
    let environment = process::Environment::new(std::env::vars_os());
    BuildOptions { history: Some(HistoryOptions::new(environment)), ..options() }
}

fn partial() -> BuildOptions {
    BuildOptions { complete: false, ..with_history() }
}

/// Returns the path of a file. Each folder contains ten of them.
fn path(number: usize) -> String {
    format!("part_{:03}/module_{number}.py", number / 10)
}

/// Returns a file whose function calls that of another file.
fn content(number: usize, comment: &str) -> String {
    let called = (number * 7 + 3) % N_FILES;
    let module = path(called).trim_end_matches(".py").replace('/', ".");
    format!(
        "{comment}from {module} import function_{called}\n\n\ndef function_{number}():\n    return function_{called}()\n"
    )
}

/// Creates a repository with two branches. The branch `other` changes, deletes, renames and adds files.
fn fixture() -> Fixture {
    let tree = tree(&[]);
    let root = tree.path();
    for number in 0..N_FILES {
        put(root, &path(number), content(number, ""));
    }
    git(root, &["init", "-q", "-b", "main"]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "-qm", "start"]);
    git(root, &["checkout", "-q", "-b", "other"]);
    for number in (0..N_CHANGED * 10).step_by(10) {
        put(root, &path(number), content(number, "# word_of_the_other_branch\n"));
    }
    for number in [1, 11, 21] {
        fs::remove_file(root.join(path(number))).unwrap();
    }
    fs::rename(root.join(path(31)), root.join("part_003/renamed.py")).unwrap();
    put(
        root,
        "added/new.py",
        "from part_004.module_40 import function_40\n\n\ndef added():\n    function_40()\n",
    );
    git(root, &["add", "-A"]);
    git(root, &["commit", "-qm", "other"]);
    git(root, &["checkout", "-q", "main"]);
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), root);
    store.refresh(&with_history(), &|_| {}).unwrap();
    Fixture { tree, cache, store }
}

/// Describes the files, terms, symbols and edges of a view, without the numbers of the view.
fn described(view: &View) -> Vec<String> {
    let mut lines = Vec::new();
    for id in view.files() {
        let file = view.file(id);
        lines.push(format!("{} {} {:?}", file.path, file.lines, file.lengths));
        for symbol in view.symbols_in(id) {
            lines.push(format!("{} {} {:?}", file.path, symbol.qualified, symbol.lines));
            let node_of = Node::Symbol(symbol.id);
            let from = view.edges_from(node_of).map(|edge| ("to", edge.kind, edge.to));
            let into = view.edges_into(node_of).map(|edge| ("from", edge.kind, edge.from));
            for (direction, kind, other) in from.chain(into) {
                let (name, other) = (kind.name(), node(view, other));
                lines.push(format!("{} {name} {direction} {other}", symbol.qualified));
            }
        }
    }
    for term in ["word_of_the_other_branch", "function_40", "function", "added", "return"] {
        for found in files_with(view, term) {
            lines.push(format!("`{term}` in {found}"));
        }
        let passages = passages_with(view, term).into_iter();
        let places =
            passages.map(|it| format!("`{term}` at {}:{:?}", view.path(it.file), it.lines));
        lines.extend(places);
    }
    lines
}

/// Checks that the stored index answers as a full build of the same tree.
fn assert_same_as_a_full_build(fixture: &Fixture) {
    let view = look(&fixture.store);
    assert!(view.freshness().is_current(), "{:?}", view.freshness());
    assert_same_answers(fixture, &view);
}

fn assert_same_answers(fixture: &Fixture, view: &View) {
    let full = build_in_memory(fixture.root(), &options()).unwrap();
    let (found, expected) = (described(view), described(&full));
    assert_eq!(found.len(), expected.len(), "an answer is repeated");
    let (found, expected): (BTreeSet<String>, BTreeSet<String>) =
        (found.into_iter().collect(), expected.into_iter().collect());
    let lacking: Vec<&String> = expected.difference(&found).take(5).collect();
    let surplus: Vec<&String> = found.difference(&expected).take(5).collect();
    assert_eq!((lacking, surplus), (Vec::new(), Vec::new()));
    assert!(!view.damaged());
}

#[test]
fn branches_are_switched_with_a_patch() {
    let fixture = fixture();
    let snapshot = fs::read(fixture.store.snapshot_path()).unwrap();
    fixture.switch_to("other");
    let refreshed = fixture.refresh();
    // The renamed file has a known content.
    assert_eq!((refreshed.files, refreshed.analysed), (N_FILES - 2, N_CHANGED + 1));
    assert!(fixture.patch_path().exists());
    assert_same_as_a_full_build(&fixture);
    assert!(fixture.store.is_partial(&with_history()));
    // A second refresh finds nothing to do.
    assert_eq!(
        fixture.refresh(),
        Refreshed { analysed: 0, bytes: fixture.refresh().bytes, ..refreshed }
    );
    for branch in ["main", "other", "main"] {
        fixture.switch_to(branch);
        assert_eq!(fixture.refresh().analysed, 0, "{branch}");
        assert_same_as_a_full_build(&fixture);
    }
    assert!(fs::read(fixture.store.snapshot_path()).unwrap() == snapshot);
}

#[test]
fn a_complete_refresh_replaces_the_patch() {
    let fixture = fixture();
    fixture.switch_to("other");
    fixture.refresh();
    let before = fixture.store.view_as_written().unwrap();
    assert_eq!((before.has_patch(), before.meta().commits), (true, 1));
    let refreshed = fixture.store.refresh(&with_history(), &|_| {}).unwrap();
    assert_eq!((refreshed.files, refreshed.analysed), (N_FILES - 2, 0));
    assert!(!fixture.patch_path().exists());
    let view = fixture.store.view_as_written().unwrap();
    assert_eq!((view.has_patch(), view.meta().commits), (false, 2));
    assert_eq!(view.meta().history, HistoryState::Complete);
    assert!(!fixture.store.is_partial(&with_history()));
    assert_same_as_a_full_build(&fixture);
}

#[test]
fn small_changes_after_a_patch_go_into_a_delta() {
    let fixture = fixture();
    fixture.switch_to("other");
    fixture.refresh();
    let patch = fs::read(fixture.patch_path()).unwrap();
    let root = fixture.root();
    // A file of the patch, a file of the base, and a file that the patch added.
    put(root, &path(0), content(0, "# changed_again\n"));
    put(root, &path(2), content(2, "# changed_again\n"));
    fs::remove_file(root.join("added/new.py")).unwrap();
    let view = look(&fixture.store);
    assert_eq!(files_with(&view, "changed_again"), [path(0), path(2)]);
    assert_eq!(view.freshness().deleted, ["added/new.py"]);
    assert_same_answers(&fixture, &view);
    assert_eq!(fixture.refresh().analysed, 2);
    assert!(fs::read(fixture.patch_path()).unwrap() == patch);
    assert!(fixture.delta_path().exists());
    assert_same_as_a_full_build(&fixture);
    // A file that the patch deleted is created again.
    put(root, &path(1), content(1, "# changed_again\n"));
    assert_eq!(look(&fixture.store).freshness().added, [path(1)]);
    assert_eq!(fixture.refresh().files, N_FILES - 2);
    let view = fixture.store.view_as_written().unwrap();
    assert_eq!(files_with(&view, "changed_again"), [path(0), path(1), path(2)]);
    // More changes make a new patch, which contains those of the delta.
    for number in (0..400).step_by(10) {
        put(root, &path(number), content(number, "# third_version\n"));
    }
    fixture.refresh();
    assert!(fs::read(fixture.patch_path()).unwrap() != patch);
    assert_same_as_a_full_build(&fixture);
}

#[test]
fn a_stored_view_can_be_compared_with_the_tree_later() {
    let fixture = fixture();
    fixture.switch_to("other");
    fixture.refresh();
    put(fixture.root(), &path(0), content(0, "# in_the_delta\n"));
    fixture.refresh();
    assert!(fixture.patch_path().exists() && fixture.delta_path().exists());
    // A file of the delta and a file of the base change after the view was opened.
    let stored = fixture.store.view_as_written().unwrap();
    put(fixture.root(), &path(0), content(0, "# changed_later\n"));
    put(fixture.root(), &path(2), content(2, "# changed_later\n"));
    let options = look_options();
    let later = stored.compared(&options);
    assert_eq!(files_with(&later, "changed_later"), [path(0), path(2)]);
    assert!(files_with(&later, "in_the_delta").is_empty());
    assert_same_answers(&fixture, &later);
    let at_once = fixture.store.view(&options).unwrap();
    assert_eq!(later.freshness(), at_once.freshness());
    // A view that has been compared stays as it is.
    put(fixture.root(), &path(3), content(3, "# changed_later\n"));
    assert_eq!(files_with(&later.compared(&options), "changed_later"), [path(0), path(2)]);
}

#[test]
fn a_commit_alone_does_not_need_a_full_build() {
    let fixture = fixture();
    let snapshot = fs::read(fixture.store.snapshot_path()).unwrap();
    put(fixture.root(), &path(5), content(5, "# word_in_a_commit\n"));
    git(fixture.root(), &["commit", "-qam", "second"]);
    assert_eq!(fixture.refresh().analysed, 1);
    assert!(fs::read(fixture.store.snapshot_path()).unwrap() == snapshot);
    assert!(!fixture.patch_path().exists() && fixture.store.is_partial(&with_history()));
    assert_eq!(files_with(&look(&fixture.store), "word_in_a_commit"), [path(5)]);
    fixture.store.refresh(&with_history(), &|_| {}).unwrap();
    assert!(!fixture.store.is_partial(&with_history()));
    assert_eq!(fixture.store.view_as_written().unwrap().meta().commits, 2);
}

#[test]
fn too_many_changes_and_changed_ignore_files_need_a_full_build() {
    let fixture = fixture();
    fixture.switch_to("other");
    put(fixture.root(), ".gitignore", "unrelated/\n");
    fixture.refresh();
    assert!(!fixture.patch_path().exists());
    assert_same_as_a_full_build(&fixture);
    for number in 0..N_FILES / 5 {
        put(fixture.root(), &path(number), content(number, "# rewritten\n"));
    }
    fixture.refresh();
    assert!(!fixture.patch_path().exists());
    assert_same_as_a_full_build(&fixture);
}

#[test]
fn a_damaged_patch_is_reported_and_rebuilt() {
    let fixture = fixture();
    fixture.switch_to("other");
    fixture.refresh();
    let intact = fs::read(fixture.patch_path()).unwrap();
    fs::write(fixture.patch_path(), &intact[..intact.len() / 2]).unwrap();
    assert!(matches!(fixture.store.view_as_written(), Err(OpenError::Damaged { .. })));
    assert!(fixture.store.verify().is_err());
    // A flipped bit in the middle is found when the page is read, or by a refresh.
    let mut flipped = intact;
    let at = flipped.len() / 2;
    flipped[at] ^= 1;
    fs::write(fixture.patch_path(), &flipped).unwrap();
    assert!(fixture.store.verify().is_err());
    assert_eq!(fixture.refresh().analysed, 0);
    assert!(!fixture.patch_path().exists());
    assert_same_as_a_full_build(&fixture);
}

#[test]
fn a_flipped_byte_in_a_patch_is_noticed_or_harmless() {
    let fixture = fixture();
    fixture.switch_to("other");
    fixture.refresh();
    let intact = fs::read(fixture.patch_path()).unwrap();
    let expected = described(&fixture.store.view_as_written().unwrap());
    let mut n_noticed = 0;
    for step in 0..40 {
        let mut flipped = intact.clone();
        flipped[step * (intact.len() - 1) / 39] ^= 1 << (step % 8);
        fs::write(fixture.patch_path(), &flipped).unwrap();
        let view = fixture.store.view_as_written().ok();
        let answer = view.as_ref().map(described);
        let is_noticed = view.is_none_or(|view| view.damaged());
        n_noticed += usize::from(is_noticed);
        assert!(is_noticed || answer.is_some_and(|answer| answer == expected), "flip {step}");
    }
    assert!(n_noticed > 20, "only {n_noticed} flips were in a part that is read");
}

#[test]
fn a_patch_of_another_snapshot_is_ignored() {
    let fixture = fixture();
    fixture.switch_to("other");
    fixture.refresh();
    let patch = fs::read(fixture.patch_path()).unwrap();
    fixture.store.refresh(&with_history(), &|_| {}).unwrap();
    // As if the process was killed before it removed the patch.
    fs::write(fixture.patch_path(), patch).unwrap();
    assert_same_as_a_full_build(&fixture);
    assert!(!fixture.store.view_as_written().unwrap().has_patch());
}

#[test]
fn a_second_worktree_on_another_branch_gets_a_patch() {
    let fixture = fixture();
    let folder = tempfile::tempdir().unwrap();
    let second = folder.path().join("second");
    git(fixture.root(), &["worktree", "add", "-q", second.to_str().unwrap(), "other"]);
    let store = Store::new(fixture.cache.path(), &second);
    let refreshed = store.refresh(&partial(), &|_| {}).unwrap();
    assert_eq!((refreshed.files, refreshed.analysed), (N_FILES - 2, N_CHANGED + 1));
    let view = look(&store);
    assert!(view.has_patch() && view.freshness().is_current(), "{:?}", view.freshness());
    assert_eq!(files_with(&view, "word_of_the_other_branch").len(), N_CHANGED);
    assert_eq!(edges(&view, "added"), ["calls function_40"]);
}

/// The user most likely asks about a file that was just changed.
#[test]
fn a_changed_file_keeps_the_words_of_its_commits() {
    let fixture = fixture();
    let root = fixture.root();
    let changed = [path(4), path(10)];
    for (number, path) in [4, 10].into_iter().zip(&changed) {
        put(root, path, content(number, "# first_version\n"));
    }
    git(root, &["commit", "-qam", "limit the flamingo retries"]);
    fixture.store.refresh(&with_history(), &|_| {}).unwrap();
    let assert_found = |what: &str| {
        let view = look(&fixture.store);
        assert_eq!(files_with(&view, "flamingo"), changed, "{what}");
        let files: Vec<_> = view.files().collect();
        let found = view.postings_in("flamingo", &files);
        let counts: Vec<_> =
            view.best_postings("flamingo").map(|it| (it.file, it.counts)).collect();
        assert_eq!(
            found.iter().map(|it| (it.file, it.counts)).collect::<Vec<_>>(),
            counts,
            "{what}"
        );
        for (file, counts) in counts {
            let history = Field::History.slot();
            assert!(counts[history] == 1 && view.profile(file).lengths[history] > 1, "{what}");
            assert_eq!(view.file(file).lengths[history], view.profile(file).lengths[history]);
        }
    };
    assert_found("as committed");
    put(root, &changed[0], content(4, "# second_version with a flamingo\n"));
    assert_found("not stored");
    fixture.refresh();
    assert!(fixture.delta_path().exists());
    assert_found("delta");
    git(root, &["checkout", "-qf", "other"]);
    fixture.refresh();
    assert!(fixture.patch_path().exists());
    assert_found("patch");
}
