//! Tests the answer to each query about a small Python repository.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use engine::{
    ChainOptions, ComplexityOptions, Direction, HotspotOptions, ImpactOptions, call_chain,
    call_path, complexity, find_nodes, hotspots, impact, index_report,
};
use index::{BuildOptions, HistoryOptions, Node, Parser, View, build_in_memory};
use tempfile::TempDir;

const CART: &str = "from shop.price import price_of\n\n\nclass Cart:\n    def total(self, items):\n        sum = 0\n        for item in items:\n            if item:\n                sum += price_of(item)\n        return sum\n";
const PRICE: &str = "class PriceError(Exception):\n    pass\n\n\ndef price_of(item):\n    if item < 0:\n        raise PriceError(item)\n    return lookup(item)\n\n\ndef lookup(item):\n    return item\n";
const VIEW: &str =
    "from shop.cart import Cart\n\n\ndef show(items):\n    return Cart().total(items)\n";
const TEST: &str =
    "from shop.price import price_of\n\n\ndef test_price():\n    assert price_of(1) == 1\n";

pub(crate) fn shop() -> (TempDir, View) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("shop/cart.py", CART),
        ("shop/price.py", PRICE),
        ("shop/view.py", VIEW),
        ("tests/test_price.py", TEST),
        ("README.md", "A shop.\n"),
    ] {
        fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
        fs::write(folder.path().join(path), text).unwrap();
    }
    let view = built(folder.path());
    (folder, view)
}

pub(crate) fn built(root: &Path) -> View {
    let mut options = BuildOptions::new(SystemTime::now(), Parser::linked());
    let environment = process::Environment::new(std::env::vars_os());
    options.history = Some(HistoryOptions::new(environment));
    build_in_memory(root, &options).unwrap()
}

pub(crate) fn later() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

pub(crate) fn names<'a>(locations: impl Iterator<Item = &'a engine::Location>) -> Vec<String> {
    locations
        .map(|location| location.symbol.clone().unwrap_or_else(|| location.path.clone()))
        .collect()
}

#[test]
fn callers_and_callees_have_lines() {
    let (_folder, view) = shop();
    let options = ChainOptions { depth: 3, limit: 20, min_confidence: 0.0, deadline: later() };
    let callers = call_chain(&view, &find_nodes(&view, "price_of"), Direction::Callers, options);
    assert_eq!(
        names(callers.steps.iter().map(|step| &step.location)),
        ["Cart.total", "test_price", "show"]
    );
    assert_eq!(
        (callers.steps[0].line, callers.steps[0].depth, callers.steps[2].from),
        (9, 1, Some(0))
    );
    assert!(callers.complete && callers.steps[2].confidence < callers.steps[0].confidence);
    let callees = call_chain(
        &view,
        &find_nodes(&view, "shop/price.py::price_of"),
        Direction::Callees,
        options,
    );
    assert_eq!(names(callees.steps.iter().map(|step| &step.location)), ["PriceError", "lookup"]);
}

#[test]
fn a_callee_is_at_its_definition() {
    let (_folder, view) = shop();
    let options = ChainOptions { depth: 1, limit: 20, min_confidence: 0.0, deadline: later() };
    let starts = find_nodes(&view, "Cart.total");
    let ends = find_nodes(&view, "price_of");
    for chain in [
        call_chain(&view, &starts, Direction::Callees, options),
        call_path(&view, &starts, &ends, options),
    ] {
        let places: Vec<_> = chain
            .steps
            .iter()
            .map(|step| (step.location.path.as_str(), step.line, step.call.as_str()))
            .collect();
        assert_eq!(places, [("shop/price.py", 5, "shop/cart.py:9")]);
    }
}

#[test]
fn a_path_of_calls_is_found_if_it_exists() {
    let (_folder, view) = shop();
    let options = ChainOptions { depth: 5, limit: 20, min_confidence: 0.0, deadline: later() };
    let node = |name: &str| find_nodes(&view, name);
    let path = call_path(&view, &node("show"), &node("lookup"), options);
    assert_eq!(
        names(path.steps.iter().map(|step| &step.location)),
        ["Cart.total", "price_of", "lookup"]
    );
    assert_eq!(call_path(&view, &node("lookup"), &node("show"), options).steps, []);
}

#[test]
fn the_first_start_decides_between_paths_of_the_same_length() {
    let (_folder, view) = shop();
    let options = ChainOptions { depth: 5, limit: 20, min_confidence: 0.0, deadline: later() };
    let starts: Vec<Node> =
        ["Cart.total", "test_price"].iter().flat_map(|name| find_nodes(&view, name)).collect();
    let ends = find_nodes(&view, "price_of");
    for _ in 0..20 {
        let path = call_path(&view, &starts, &ends, options);
        assert_eq!(path.steps[0].call, "shop/cart.py:9");
    }
}

#[test]
fn impact_finds_dependents_and_tests_with_decreasing_confidence() {
    let (_folder, view) = shop();
    let answer = impact(
        &view,
        &find_nodes(&view, "lookup"),
        ImpactOptions { depth: 4, limit: 20, min_confidence: 0.0, deadline: later() },
    );
    let affected = names(answer.affected.iter().map(|item| &item.location));
    assert_eq!(affected.first().map(String::as_str), Some("price_of"));
    assert!(
        affected.contains(&"Cart.total".to_owned()) && affected.contains(&"show".to_owned()),
        "{affected:?}"
    );
    assert!(answer.affected.windows(2).all(|pair| pair[0].confidence >= pair[1].confidence));
    assert!(
        names(answer.tests.iter().map(|item| &item.location)).contains(&"test_price".to_owned())
    );
    let shallow = impact(
        &view,
        &find_nodes(&view, "lookup"),
        ImpactOptions { depth: 1, limit: 20, min_confidence: 0.0, deadline: later() },
    );
    assert_eq!(names(shallow.affected.iter().map(|item| &item.location)), ["price_of"]);
}

#[test]
fn the_limit_of_impact_counts_code_and_tests_together() {
    let (_folder, view) = shop();
    let options = ImpactOptions { depth: 4, limit: 2, min_confidence: 0.0, deadline: later() };
    let answer = impact(&view, &find_nodes(&view, "lookup"), options);
    assert_eq!(answer.affected.len() + answer.tests.len(), 2);
    assert!(!answer.complete);
}

#[test]
fn complexity_lists_the_most_complex_functions() {
    let (_folder, view) = shop();
    let all = ComplexityOptions { path: String::new(), top_k: 10, deadline: later() };
    let report = complexity(&view, &all);
    assert_eq!(report.functions[0].location.symbol.as_deref(), Some("Cart.total"));
    assert_eq!(
        (report.functions[0].figures.cyclomatic, report.functions[0].figures.cognitive),
        (3, 3)
    );
    assert_eq!(report.files[0].path, "shop/cart.py");
    let one = complexity(&view, &ComplexityOptions { path: "shop/price.py".into(), ..all });
    assert_eq!(
        one.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(),
        ["shop/price.py"]
    );
    let none = complexity(&view, &ComplexityOptions { path: "sho".into(), ..all });
    assert_eq!(none.files, []);
}

fn git(folder: &Path, arguments: &[&str]) {
    let environment =
        process::Environment::new(std::env::vars_os()).with("GIT_CONFIG_GLOBAL", "/dev/null");
    let program = process::Program::new("git", environment)
        .directory(folder)
        .arguments(["-c", "user.name=Ann", "-c", "user.email=a@b.c"])
        .arguments(arguments.iter().map(|it| (*it).to_owned()));
    let bounds =
        process::Bounds { deadline: later(), stdout_bytes: 1 << 16, stderr_bytes: 1 << 16 };
    let finished = process::run(&program, &bounds).unwrap();
    assert_eq!(finished.end, process::End::Exited(0), "{}", finished.stderr.text());
}

/// `view.py` changed with `cart.py` three times and with `price.py` twice, and `README.md` twice with both.
#[test]
fn each_companion_is_listed_once() {
    let (folder, _) = shop();
    let git = |arguments: &[&str]| git(folder.path(), arguments);
    git(&["init", "-q"]);
    for round in 0..3 {
        let always = [("shop/cart.py", CART), ("shop/view.py", VIEW)];
        let later = [("shop/price.py", PRICE), ("README.md", "A shop.\n")];
        for (path, text) in always.into_iter().chain(later.into_iter().filter(|_| round > 0)) {
            fs::write(folder.path().join(path), format!("{text}# {round}\n")).unwrap();
            git(&["add", path]);
        }
        git(&["commit", "-qm", "change"]);
    }
    let view = built(folder.path());
    let nodes = [find_nodes(&view, "shop/cart.py"), find_nodes(&view, "shop/price.py")].concat();
    let options = ImpactOptions { depth: 1, limit: 20, min_confidence: 0.0, deadline: later() };
    let companions = impact(&view, &nodes, options).companions;
    assert_eq!(companions, [("shop/view.py".to_owned(), 3), ("README.md".to_owned(), 2)]);
}

#[test]
fn hotspots_need_change_and_complexity() {
    let (folder, _) = shop();
    let git = |arguments: &[&str]| git(folder.path(), arguments);
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "start"]);
    for round in 0..3 {
        fs::write(folder.path().join("shop/cart.py"), format!("{CART}# {round}\n")).unwrap();
        git(&["commit", "-qam", "raise the discount"]);
    }
    let view = built(folder.path());
    let report = hotspots(&view, &HotspotOptions { days: 30, top_k: 10, deadline: later() });
    assert_eq!((report.hotspots[0].path.as_str(), report.hotspots[0].commits), ("shop/cart.py", 4));
    assert_eq!(report.hotspots[0].authors, ["Ann"]);
    assert!(report.hotspots[1].score < 1.0);
    // Words of commit subjects are counted in a separate field.
    let history = view.postings("discount").next().unwrap();
    assert_eq!(
        (view.path(history.file), history.counts[index::text::Field::History.slot()]),
        ("shop/cart.py", 3)
    );
}

#[test]
fn an_expired_deadline_yields_an_incomplete_answer() {
    let (_folder, view) = shop();
    let past = Instant::now();
    let nodes = find_nodes(&view, "price_of");
    assert!(
        !call_chain(
            &view,
            &nodes,
            Direction::Callers,
            ChainOptions { depth: 3, limit: 9, min_confidence: 0.0, deadline: past }
        )
        .complete
    );
    assert!(
        !impact(
            &view,
            &nodes,
            ImpactOptions { depth: 3, limit: 9, min_confidence: 0.0, deadline: past }
        )
        .complete
    );
    assert!(
        !complexity(&view, &ComplexityOptions { path: String::new(), top_k: 9, deadline: past })
            .complete
    );
    assert!(!hotspots(&view, &HotspotOptions { days: 9, top_k: 9, deadline: past }).complete);
}

#[test]
fn the_report_counts_files_and_symbols() {
    let (_folder, view) = shop();
    let report = index_report(&view, view.meta().built_at + 60);
    assert_eq!((report.files, report.age), (5, 60));
    assert!(report.symbols > 5 && report.edges > 5 && !report.damaged);
}

#[test]
fn names_are_found_in_every_notation() {
    let (_folder, view) = shop();
    let one = |text: &str| {
        let nodes = find_nodes(&view, text);
        nodes.first().map(|node| match node {
            Node::Symbol(id) => view.symbol(*id).qualified.to_owned(),
            Node::File(id) => view.path(*id).to_owned(),
        })
    };
    assert_eq!(one("Cart.total"), Some("Cart.total".into()));
    assert_eq!(one("Cart::total()"), Some("Cart.total".into()));
    assert_eq!(one("`price_of`"), Some("price_of".into()));
    assert_eq!(one("shop/price.py:8"), Some("price_of".into()));
    assert_eq!(one("price.py"), Some("shop/price.py".into()));
    assert_eq!(one("nothing_like_it"), None);
}
