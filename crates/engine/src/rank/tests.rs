use std::time::{Duration, Instant, SystemTime};

use index::{BuildOptions, Parser, build_in_memory};

use super::{SIGNALS, measure, rank};
use crate::query::Query;
use crate::search::{SearchMode, SessionContext, SessionFile};

/// Checks which files have a positive value of `signal`. `expected` lists their paths, highest value first.
fn check(signal: &str, files: &[(&str, &str)], prompt: &str, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let view = build_in_memory(
        folder.path(),
        &BuildOptions::new(SystemTime::UNIX_EPOCH, Parser::linked()),
    )
    .unwrap();
    let measured = measure(
        &view,
        &Query::read(prompt),
        &SessionContext::default(),
        Instant::now() + Duration::from_secs(60),
    );
    let slot = SIGNALS.iter().position(|known| known.name == signal).unwrap();
    let mut marked: Vec<(f32, &str)> = measured
        .iter()
        .map(|(file, values)| (values[slot], view.path(*file)))
        .filter(|(value, _)| *value > 0.0)
        .collect();
    marked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let found: Vec<&str> = marked.into_iter().map(|(_, path)| path).collect();
    assert_eq!(found.join(" "), expected, "{signal}: {prompt}");
}

#[test]
fn a26_a_short_prompt_in_a_session_finds_the_file_that_was_edited_last() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["a.py", "b.py", "c.py", "d.py"] {
        std::fs::write(folder.path().join(path), "def run(): pass\n").unwrap();
    }
    let options = BuildOptions::new(SystemTime::UNIX_EPOCH, Parser::linked());
    let view = build_in_memory(folder.path(), &options).unwrap();
    let file = |path: &str, is_edit| SessionFile { path: path.to_owned(), is_edit, prompts_ago: 0 };
    let session = SessionContext {
        files: vec![file("b.py", false), file("d.py", true), file("gone.py", true)],
        prompts: vec!["make it faster".to_owned()],
        outputs: vec!["Traceback:\n  File \"c.py\", line 1, in run".to_owned()],
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    let ranked =
        rank(&view, &Query::read("again"), &session, SearchMode::Hybrid, &[3], deadline).remove(0);
    let paths: Vec<&str> = ranked.iter().map(|ranked| view.path(ranked.file)).collect();
    assert_eq!(paths[0], "d.py");
    assert!(paths.contains(&"b.py") && paths.contains(&"c.py"), "{paths:?}");
}

#[test]
fn mentioned_marks_files_by_the_longest_suffix() {
    let files =
        [("a/pool.rs", "fn x() {}"), ("b/pool.rs", "fn y() {}"), ("b/other.rs", "fn z() {}")];
    check("mentioned", &files, "see src/b/pool.rs", "b/pool.rs");
    check("mentioned", &files, "see pool.rs", "a/pool.rs b/pool.rs");
    check("mentioned", &files, "see nothing.rs", "");
}

#[test]
fn frames_of_other_projects_are_ignored() {
    let files = [("shop/cart.py", "def add(): pass"), ("shop/util.py", "def total(): pass")];
    let trace = "broken\n  File \"/x/shop/cart.py\", line 1, in add\n  File \"/usr/lib/json/util.py\", line 1, in dump";
    check("frame_innermost", &files, trace, "shop/cart.py");
}

#[test]
fn definitions_are_marked_by_the_section_of_their_name() {
    let files = [("a.py", "def open_door(): pass"), ("b.py", "def close_door(): pass")];
    check("defines_title", &files, "open_door fails\n\nalso close_door", "a.py");
    check("defines_prose", &files, "open_door fails\n\nalso close_door", "b.py");
}

#[test]
fn a_qualified_name_marks_its_module() {
    let files = [("src/shop/cart.py", "def add(): pass"), ("src/bank/cart.py", "def add(): pass")];
    check("module", &files, "shop.cart.add is slow", "src/shop/cart.py");
}

#[test]
fn roles_are_marked() {
    let files = [
        ("src/cart.ts", "export const cart = 1"),
        ("src/lang/en.ts", "export const cart = 2"),
        ("src/cart.test.ts", "cart"),
    ];
    check("role_locale", &files, "cart", "src/lang/en.ts");
    check("role_test", &files, "cart", "src/cart.test.ts");
}

#[test]
fn files_that_the_best_file_uses_are_marked() {
    let files = [
        (
            "report.py",
            "from shop import total_price\n\ndef monthly_report():\n    return total_price()\n",
        ),
        ("shop.py", "def total_price():\n    return 1\n"),
    ];
    check("used", &files, "monthly report total_price", "shop.py");
}
