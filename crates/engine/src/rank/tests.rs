//! What single signals say of a small repository.

use std::time::{Duration, Instant, SystemTime};

use index::{BuildOptions, build_in_memory};

use super::{SIGNALS, WEIGHTS, measure};
use crate::query::Query;

/// The files a signal marks, strongest first, for a prompt before a tree of files.
fn check(signal: &str, files: &[(&str, &str)], prompt: &str, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let view = build_in_memory(folder.path(), &BuildOptions::new(SystemTime::UNIX_EPOCH)).unwrap();
    let measured = measure(&view, &Query::read(prompt), Instant::now() + Duration::from_secs(60));
    let slot = SIGNALS.iter().position(|known| known.name == signal).unwrap();
    let mut marked: Vec<(f32, &str)> = measured
        .files
        .iter()
        .map(|(file, values)| (values[slot], view.path(*file)))
        .filter(|(value, _)| *value > 0.0)
        .collect();
    marked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let found: Vec<&str> = marked.into_iter().map(|(_, path)| path).collect();
    assert_eq!(found.join(" "), expected, "{signal}: {prompt}");
}

#[test]
fn every_signal_has_one_weight_and_every_weight_a_signal() {
    let signals: Vec<&str> = SIGNALS.iter().map(|signal| signal.name).collect();
    let weights: Vec<&str> = WEIGHTS.iter().map(|(name, _)| *name).collect();
    assert_eq!(signals, weights);
}

#[test]
fn a_named_file_is_marked_as_far_as_its_path_is_spelled() {
    let files =
        [("a/pool.rs", "fn x() {}"), ("b/pool.rs", "fn y() {}"), ("b/other.rs", "fn z() {}")];
    check("mentioned", &files, "see src/b/pool.rs", "b/pool.rs");
    check("mentioned", &files, "see pool.rs", "a/pool.rs b/pool.rs");
    check("mentioned", &files, "see nothing.rs", "");
}

#[test]
fn frames_of_other_projects_mark_nothing() {
    let files = [("shop/cart.py", "def add(): pass"), ("shop/util.py", "def total(): pass")];
    let trace = "broken\n  File \"/x/shop/cart.py\", line 1, in add\n  File \"/usr/lib/json/util.py\", line 1, in dump";
    check("frame_innermost", &files, trace, "shop/cart.py");
}

#[test]
fn a_definition_is_marked_by_the_zone_of_its_name() {
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
fn what_the_best_file_uses_is_near() {
    let files = [
        (
            "report.py",
            "from shop import total_price\n\ndef monthly_report():\n    return total_price()\n",
        ),
        ("shop.py", "def total_price():\n    return 1\n"),
    ];
    check("near_out", &files, "monthly report total_price", "shop.py");
}
