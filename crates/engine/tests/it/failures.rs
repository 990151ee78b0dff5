//! Tests the suspects for error messages and stack traces.

use std::fs::File;

use engine::{
    BugOptions, BugReport, FileHit, Mode, Query, SearchOptions, Source, Suspicion, ToQuote,
    bug_locate, search,
};
use index::View;
use tempfile::TempDir;

use crate::questions::{built, later, names, shop};

fn located(folder: &TempDir, view: &View, text: &str, found: &[FileHit]) -> BugReport {
    let root = folder.path();
    let source = Source {
        root,
        admits: &|_| true,
        open: &|path| File::open(root.join(path)),
        to_quote: &|_| ToQuote::Nothing,
    };
    bug_locate(view, &source, text, found, BugOptions { limit: 5, deadline: later() })
}

#[test]
fn a_trace_from_another_machine_finds_the_code() {
    let (folder, view) = shop();
    let trace = "Traceback (most recent call last):\n  File \"/usr/lib/python3/site-packages/shop/view.py\", line 5, in show\n  File \"C:\\work\\shop\\price.py\", line 70, in price_of\nshop.price.PriceError: -1";
    let report = located(&folder, &view, trace, &[]);
    assert_eq!((report.frames.len(), report.mapped), (2, 2));
    let suspects = names(report.suspects.iter().map(|it| &it.location));
    assert_eq!(suspects, ["price_of", "show", "PriceError"]);
    assert_eq!(report.suspects[0].why, Suspicion::Frame(0));
    // Line 70 does not exist: the function is found by its name, and the line is dropped.
    assert_eq!(report.suspects[0].line, None);
    assert_eq!(report.suspects[1].line, Some(5));
}

#[test]
fn without_frames_the_search_results_are_the_suspects() {
    let (folder, view) = shop();
    let options = SearchOptions { limit: 1, mode: Mode::Hybrid, session: None, deadline: later() };
    let found = search(&view, &Query::read("the total is wrong"), &options);
    let report = located(&folder, &view, "the total is wrong", &found);
    assert_eq!(names(report.suspects.iter().map(|it| &it.location)), ["Cart.total"]);
    assert_eq!(report.suspects[0].why, Suspicion::Search);
}

#[test]
fn the_line_that_contains_the_message_is_the_first_suspect() {
    let folder = tempfile::tempdir().unwrap();
    let text = "import json\n\n\ndef read(text):\n    if not text:\n        raise ValueError(\"Cannot read an empty order.\")\n    return json.loads(text)\n";
    std::fs::write(folder.path().join("orders.py"), text).unwrap();
    std::fs::write(folder.path().join("readme.md"), "Cannot read an empty order.\n").unwrap();
    let view = built(folder.path());
    for text in ["Cannot read an empty order.", "ValueError: Cannot read an empty order."] {
        let report = located(&folder, &view, text, &[]);
        let first = &report.suspects[0];
        assert_eq!((first.line, first.why), (Some(6), Suspicion::Message), "{text}");
        assert_eq!(first.location.symbol.as_deref(), Some("read"), "{text}");
    }
    assert_eq!(located(&folder, &view, "Cannot write a whole shelf.", &[]).suspects, []);
}

#[test]
fn frames_of_other_projects_are_not_mapped_to_files_with_the_same_name() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["src/app/query.py", "src/error.rs", "tool.py"] {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "x = 1\n").unwrap();
    }
    let view = built(folder.path());
    let check = |path: &str, expected: &[&str]| {
        let files = engine::files_like(&view, path);
        let found: Vec<&str> = files.iter().map(|file| view.path(*file)).collect();
        assert_eq!(found, expected, "{path}");
    };
    for path in [
        "/opt/other/db/query.py",
        "/usr/lib/python3.12/json/tool.py",
        "/usr/lib/python3/site-packages/django/db/query.py",
        "/root/.cargo/registry/src/index.crates.io-1/serde-1.0.0/src/error.rs",
        "/rustc/90b35a6/library/core/src/error.rs",
    ] {
        check(path, &[]);
    }
    check("query.py", &["src/app/query.py"]);
    check("/usr/lib/python3/site-packages/app/query.py", &["src/app/query.py"]);
    check("/home/ci/project/src/error.rs", &["src/error.rs"]);
    check("/home/ci/project/tool.py", &["tool.py"]);
}
