//! Tests the answer to each query about a small Python repository.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use contract::Arguments;
use engine::{
    Answer, Asking, FileHit, Item, ReadPrompt, Source, SymbolHit, ToQuote, UnknownName, ask_calls,
    ask_complexity, ask_explore, ask_hotspots, ask_impact, find_nodes,
};
use index::{BuildOptions, HistoryOptions, Node, Parser, View, build_in_memory};
use serde_json::{Value, json};
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

/// A question about a tree. Nothing is quoted from its files.
pub(crate) struct Question<'a> {
    pub(crate) root: &'a Path,
    pub(crate) view: &'a View,
    pub(crate) prompt: &'a str,
    pub(crate) hits: &'a [FileHit],
    pub(crate) deadline: Instant,
}

impl<'a> Question<'a> {
    pub(crate) fn new(root: &'a Path, view: &'a View) -> Self {
        Self { root, view, prompt: "", hits: &[], deadline: later() }
    }

    /// Answers the question with these arguments, which are a JSON object.
    pub(crate) fn ask(
        &self,
        answer: impl Fn(&Asking<'_>) -> Result<Answer, UnknownName>,
        arguments: Value,
    ) -> Answer {
        let asking = Asking {
            view: self.view,
            source: &Source {
                root: self.root,
                admits: &|_| true,
                open: &|path| File::open(self.root.join(path)),
                to_quote: &|_| ToQuote::Nothing,
            },
            prompt: &ReadPrompt::new(self.prompt.to_owned()),
            arguments: &Arguments::from_client_input(arguments),
            search: &|| self.hits.to_vec(),
            today: 0,
            deadline: self.deadline,
        };
        answer(&asking).unwrap()
    }
}

pub(crate) fn names(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.symbol.as_deref().unwrap_or(&item.path)).collect()
}

/// Returns the items of one list of an answer.
fn list(answer: &Answer, name: &str) -> Vec<Item> {
    answer.items.iter().filter(|item| item.list == name).cloned().collect()
}

#[test]
fn callers_and_callees_have_lines() {
    let (folder, view) = shop();
    let question = Question::new(folder.path(), &view);
    let callers = question.ask(ask_calls, json!({ "name": "price_of", "callees": false }));
    assert_eq!(names(&callers.items), ["Cart.total", "test_price", "show"]);
    let steps: Vec<_> = callers.items.iter().map(|item| &item.fields).collect();
    assert_eq!((&steps[0]["line"], &steps[0]["depth"]), (&json!(9), &json!(1)));
    assert_eq!(steps[2]["from"], 0);
    assert!(callers.completeness.is_complete());
    assert!(callers.items[2].certainty < callers.items[0].certainty);
    let name = "shop/price.py::price_of";
    let callees = question.ask(ask_calls, json!({ "name": name, "callees": true }));
    assert_eq!(names(&callees.items), ["PriceError", "lookup"]);
}

#[test]
fn a_callee_is_at_its_definition() {
    let (folder, view) = shop();
    let question = Question::new(folder.path(), &view);
    for arguments in [
        json!({ "name": "Cart.total", "callees": true, "depth": 1 }),
        json!({ "name": "Cart.total", "to": "price_of", "depth": 1 }),
    ] {
        let answer = question.ask(ask_calls, arguments);
        let places: Vec<_> = answer
            .items
            .iter()
            .map(|item| (item.path.as_str(), item.line, item.fields["call"].as_str()))
            .collect();
        assert_eq!(places, [("shop/price.py", Some(5), Some("shop/cart.py:9"))]);
    }
}

#[test]
fn a_path_of_calls_is_found_if_it_exists() {
    let (folder, view) = shop();
    let question = Question::new(folder.path(), &view);
    let path = |from: &str, to: &str| {
        question.ask(ask_calls, json!({ "name": from, "to": to, "depth": 5 })).items
    };
    assert_eq!(names(&path("show", "lookup")), ["Cart.total", "price_of", "lookup"]);
    assert_eq!(path("lookup", "show"), []);
}

#[test]
fn the_first_start_decides_between_paths_of_the_same_length() {
    let (folder, view) = shop();
    let prompt = "from Cart.total or test_price";
    let question = Question { prompt, ..Question::new(folder.path(), &view) };
    for _ in 0..20 {
        let path = question.ask(ask_calls, json!({ "to": "price_of", "depth": 5 }));
        assert_eq!(path.items[0].fields["call"], "shop/cart.py:9");
    }
}

#[test]
fn impact_finds_dependents_and_tests_with_decreasing_confidence() {
    let (folder, view) = shop();
    let question = Question::new(folder.path(), &view);
    let impact = |depth: u32| {
        question.ask(ask_impact, json!({ "name": "lookup", "depth": depth, "limit": 20 }))
    };
    let answer = impact(4);
    let affected = list(&answer, "affected");
    assert_eq!(names(&affected)[0], "price_of");
    assert!(
        ["Cart.total", "show"].iter().all(|name| names(&affected).contains(name)),
        "{affected:?}"
    );
    assert!(affected.windows(2).all(|pair| pair[0].certainty >= pair[1].certainty));
    assert!(names(&list(&answer, "tests")).contains(&"test_price"));
    assert_eq!(names(&list(&impact(1), "affected")), ["price_of"]);
}

#[test]
fn the_limit_of_impact_counts_code_and_tests_together() {
    let (folder, view) = shop();
    let question = Question::new(folder.path(), &view);
    let arguments = json!({ "name": "lookup", "depth": 4, "limit": 2 });
    let answer = question.ask(ask_impact, arguments);
    assert_eq!(answer.items.len(), 2);
    assert!(!answer.completeness.is_complete());
}

/// Returns a search result that is the definition at this line.
fn hit(path: &str, name: &str, line: u32) -> FileHit {
    let symbol = SymbolHit {
        name: name.to_owned(),
        line,
        lines: line..=line,
        score: 1.0,
        probability: 1.0,
        headline: String::new(),
    };
    FileHit {
        path: path.to_owned(),
        score: 1.0,
        confidence: 1.0,
        symbols: vec![symbol],
        lines: None,
        why: Vec::new(),
    }
}

#[test]
fn complexity_lists_the_most_complex_functions() {
    let (folder, view) = shop();
    let question = Question::new(folder.path(), &view);
    let complexity = |path: &str| question.ask(ask_complexity, json!({ "path": path }));
    let files = |path: &str| {
        let files = complexity(path).more["files"].as_array().unwrap().clone();
        files.iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let most = &complexity("").items[0];
    assert_eq!(most.symbol.as_deref(), Some("Cart.total"));
    assert_eq!((&most.fields["cyclomatic"], &most.fields["cognitive"]), (&json!(3), &json!(3)));
    assert_eq!(files("")[0], "shop/cart.py");
    assert_eq!(files("shop/price.py"), ["shop/price.py"]);
    assert_eq!(files("sho"), Vec::<String>::new());
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
    let prompt = "shop/cart.py and shop/price.py";
    let question = Question { prompt, ..Question::new(folder.path(), &view) };
    let companions = question.ask(ask_impact, json!({ "depth": 1 })).more;
    let expected =
        json!([{ "commits": 3, "path": "shop/view.py" }, { "commits": 2, "path": "README.md" }]);
    assert_eq!(companions["changes_together"], expected);
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
    let hotspots = Question::new(folder.path(), &view).ask(ask_hotspots, json!({}));
    let [hottest, next, ..] = &hotspots.items[..] else { panic!("{hotspots:?}") };
    assert_eq!((hottest.path.as_str(), &hottest.fields["commits"]), ("shop/cart.py", &json!(4)));
    assert_eq!(hottest.fields["authors"], json!(["Ann"]));
    assert!(next.relevance < Some(1.0));
    // Words of commit subjects are counted in a separate field.
    let history = view.best_postings("discount").next().unwrap();
    assert_eq!(
        (view.path(history.file), history.counts[index::text::Field::History.slot()]),
        ("shop/cart.py", 3)
    );
}

#[test]
fn an_expired_deadline_yields_an_incomplete_answer() {
    let (folder, view) = shop();
    let hits = [hit("shop/price.py", "price_of", 5)];
    let deadline = Instant::now();
    let question = Question { hits: &hits, deadline, ..Question::new(folder.path(), &view) };
    for (number, ask) in
        [ask_calls, ask_explore, ask_impact, ask_complexity, ask_hotspots].iter().enumerate()
    {
        let answer = question.ask(ask, json!({ "name": "price_of" }));
        assert!(!answer.completeness.is_complete(), "question {number}: {answer:?}");
    }
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
