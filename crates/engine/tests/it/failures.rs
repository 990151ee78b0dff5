//! Tests the suspects for error messages and stack traces.

use engine::{Answer, FileHit, Query, SearchMode, SearchOptions, ask_failure, search};
use index::View;
use serde_json::json;
use tempfile::TempDir;

use crate::questions::{Question, built, later, names, shop};

fn located(folder: &TempDir, view: &View, prompt: &str, hits: &[FileHit]) -> Answer {
    let question = Question { prompt, hits, ..Question::new(folder.path(), view) };
    question.ask(ask_failure, json!({ "limit": 5 }))
}

#[test]
fn a_trace_from_another_machine_finds_the_code() {
    let (folder, view) = shop();
    let trace = "Traceback (most recent call last):\n  File \"/usr/lib/python3/site-packages/shop/view.py\", line 5, in show\n  File \"C:\\work\\shop\\price.py\", line 70, in price_of\nshop.price.PriceError: -1";
    let answer = located(&folder, &view, trace, &[]);
    assert_eq!(answer.summary, "3 suspects, 2 of 2 frames are in this repository");
    assert_eq!(names(&answer.items), ["price_of", "show", "PriceError"]);
    assert_eq!(answer.items[0].fields["why"], "frame 1");
    // Line 70 does not exist: the function is found by its name, and the item is at its first line.
    assert_eq!(answer.items[0].line, Some(5));
    assert_eq!((answer.items[1].path.as_str(), answer.items[1].line), ("shop/view.py", Some(5)));
}

#[test]
fn without_frames_the_search_results_are_the_suspects() {
    let (folder, view) = shop();
    let options =
        SearchOptions { limit: 1, mode: SearchMode::Hybrid, session: None, deadline: later() };
    let found = search(&view, &Query::read("the total is wrong"), &options);
    let answer = located(&folder, &view, "the total is wrong", &found);
    assert_eq!(names(&answer.items), ["Cart.total"]);
    assert_eq!(answer.items[0].fields["why"], "matches the text");
}

#[test]
fn the_line_that_contains_the_message_is_the_first_suspect() {
    let folder = tempfile::tempdir().unwrap();
    let text = "import json\n\n\ndef read(text):\n    if not text:\n        raise ValueError(\"Cannot read an empty order.\")\n    return json.loads(text)\n";
    std::fs::write(folder.path().join("orders.py"), text).unwrap();
    std::fs::write(folder.path().join("readme.md"), "Cannot read an empty order.\n").unwrap();
    let view = built(folder.path());
    for text in ["Cannot read an empty order.", "ValueError: Cannot read an empty order."] {
        let first = &located(&folder, &view, text, &[]).items[0];
        assert_eq!(first.line, Some(6), "{text}");
        assert_eq!(first.fields["why"], "contains the message", "{text}");
        assert_eq!(first.symbol.as_deref(), Some("read"), "{text}");
    }
    assert_eq!(located(&folder, &view, "Cannot write a whole shelf.", &[]).items, []);
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
