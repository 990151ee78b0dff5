//! Tests the lookup of files, passages and symbols by term.

use index::text::{Field, terms};
use index::{Kind, Role};

use crate::tree::{built, files_with, passages_with, symbols_with, tree};

#[test]
fn a_term_leads_to_its_files_with_counts_per_field() {
    let tree = tree(&[
        (
            "src/login.py",
            "# checks a password\ndef check_password(user):\n    return user.secret == 'password'\n",
        ),
        ("src/other.py", "def nothing():\n    pass\n"),
        ("README.md", "How to log in with a password.\n"),
    ]);
    let view = built(tree.path());
    assert_eq!(files_with(&view, "password"), ["README.md", "src/login.py"]);
    let posting =
        view.best_postings("password").find(|it| view.path(it.file) == "src/login.py").unwrap();
    let count = |field: Field| posting.counts[field.slot()];
    assert_eq!(
        (count(Field::Name), count(Field::Docs), count(Field::Strings), count(Field::Body)),
        (1, 1, 1, 1)
    );
    assert_eq!(files_with(&view, "login"), ["src/login.py"]);
    assert_eq!(view.document_frequency("password"), 2);
    assert_eq!(view.best_postings("nowhere").count(), 0);
    assert!(!view.damaged());
}

#[test]
fn every_term_of_a_file_is_found_again() {
    let text = "fn outer() { let answer = Thing::make_one(\"hello 世界\"); } // why\nstruct Thing { field: u8 }\n";
    let tree = tree(&[("a.rs", text)]);
    let view = built(tree.path());
    for term in terms(text) {
        assert_eq!(files_with(&view, &term), ["a.rs"], "term `{term}`");
        assert!(!passages_with(&view, &term).is_empty(), "term `{term}` has no passage");
    }
}

#[test]
fn symbols_are_found_by_name_and_part_of_it() {
    let tree = tree(&[(
        "a.rs",
        "/// Keeps records.\npub struct RecordStore;\nimpl RecordStore {\n    /// Opens it.\n    pub fn open_all(&self, path: &str) -> u8 {\n        if path.is_empty() { 1 } else { 2 }\n    }\n}\n",
    )]);
    let view = built(tree.path());
    let found = view.symbols_named("open_all");
    assert_eq!(found.len(), 1);
    let symbol = view.symbol(found[0]);
    assert_eq!(
        (symbol.qualified, symbol.kind, symbol.lines.clone()),
        ("RecordStore.open_all", Kind::Method, 5..=7)
    );
    assert_eq!(symbol.doc, "Opens it.");
    assert!(symbol.signature.contains("path: &str"));
    assert_eq!(symbol.complexity.map(|it| it.cyclomatic), Some(2));
    assert_eq!(view.symbols_named("recordstore"), []);
    assert_eq!(view.symbols_named_like("recordstore").len(), 1);
    let by_part: Vec<&str> = symbols_with(&view, "record")
        .into_iter()
        .filter(|it| it.is_in(Field::Name))
        .map(|it| view.symbol(it.symbol).qualified)
        .collect();
    assert!(by_part.contains(&"RecordStore"), "{by_part:?}");
    let file = view.file_by_path("a.rs").unwrap();
    assert_eq!(view.symbol_at(file, 6), Some(found[0]));
    assert_eq!(view.symbol_at(file, 99), None);
    assert_eq!(passages_with(&view, "empty")[0].symbol, Some(found[0]));
}

#[test]
fn files_are_found_by_path_name_and_ending() {
    let tree = tree(&[
        ("app/models/query.py", "a = 1\n"),
        ("lib/query.py", "b = 1\n"),
        ("lib/jquery.py", "c = 1\n"),
    ]);
    let view = built(tree.path());
    let paths = |ids: Vec<index::FileId>| {
        ids.into_iter().map(|id| view.path(id).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(paths(view.files_with_name("Query.py")), ["app/models/query.py", "lib/query.py"]);
    assert_eq!(paths(view.files_with_suffix("models/query.py")), ["app/models/query.py"]);
    assert_eq!(paths(view.files_with_suffix("/lib/query.py")), ["lib/query.py"]);
    assert_eq!(view.file_by_path("query.py"), None);
    assert_eq!(view.files().count(), 3);
}

#[test]
fn roles_languages_and_sizes_are_known() {
    let tree = tree(&[
        ("src/a.rs", "fn a() {}\n"),
        ("tests/a.rs", "fn t() {}\n"),
        ("Cargo.lock", "x\n"),
        ("logo.png", "\u{0}PNG"),
    ]);
    let view = built(tree.path());
    let role = |path: &str| view.file(view.file_by_path(path).unwrap()).role;
    assert_eq!(role("src/a.rs"), Role::Source);
    assert_eq!(role("tests/a.rs"), Role::Test);
    assert_eq!(role("Cargo.lock"), Role::Lock);
    assert_eq!(role("logo.png"), Role::Binary);
    let file = view.file(view.file_by_path("src/a.rs").unwrap());
    assert_eq!((file.bytes, file.lines, file.symbols.len()), (10, 2, 1));
    assert_eq!(file.language, Some(index::Language::Rust));
}

#[test]
fn ignored_files_are_left_out() {
    let tree = tree(&[
        (".gitignore", "build/\n*.log\n"),
        ("build/out.rs", "fn hidden_thing() {}\n"),
        ("x.log", "hidden_thing\n"),
        ("src/a.rs", "fn seen() {}\n"),
    ]);
    let view = built(tree.path());
    assert_eq!(files_with(&view, "hidden_thing"), Vec::<String>::new());
    assert_eq!(files_with(&view, "seen"), ["src/a.rs"]);
}

#[test]
fn a_view_can_be_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<index::View>();
    shared::<index::Store>();
}
