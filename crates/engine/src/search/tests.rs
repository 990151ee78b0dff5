use std::time::{Duration, Instant, SystemTime};

use index::{BuildOptions, Parser, View, build_in_memory};
use proptest::prelude::*;

use super::{SearchMode, SearchOptions, search, search_each};
use crate::query::Query;

/// A repository whose tests and docs repeat the words of its code.
const SHOP: &[(&str, &str)] = &[
    (
        "shop/cart.py",
        "class Cart:\n    def add_item(self, item):\n        self.items.append(item)\n\n    def total_price(self):\n        return sum(item.price for item in self.items)\n",
    ),
    (
        "shop/login.py",
        "def sign_in(user, password):\n    if not check_password(user, password):\n        raise LoginError('wrong password')\n    return open_session(user)\n",
    ),
    (
        "shop/session.py",
        "SESSIONS = {}\n\ndef open_session(user):\n    SESSIONS[user] = object()\n    return SESSIONS[user]\n",
    ),
    (
        "shop/report.py",
        "from shop.cart import Cart\n\ndef monthly_report(carts):\n    return [cart.total_price() for cart in carts]\n",
    ),
    ("shop/mail.py", "def send_mail(address, text):\n    connect().deliver(address, text)\n"),
    (
        "tests/test_cart.py",
        "from shop.cart import Cart\n\ndef test_total_price():\n    cart = Cart()\n    cart.add_item(1)\n    assert cart.total_price() == 1\n",
    ),
    (
        "docs/cart.md",
        "# The cart\n\nThe total price of the cart is the sum of the price of its items. total price, cart, items.\n",
    ),
];

fn paths(files: &[(&str, &str)], prompt: &str, mode: SearchMode) -> Vec<String> {
    hits(files, prompt, mode).into_iter().map(|hit| hit.path).collect()
}

fn hits(files: &[(&str, &str)], prompt: &str, mode: SearchMode) -> Vec<super::FileHit> {
    let options = SearchOptions { mode, ..options(10) };
    search(&view(files), &Query::read(prompt), &options)
}

fn options(limit: usize) -> SearchOptions<'static> {
    let deadline = Instant::now() + Duration::from_secs(60);
    SearchOptions { limit, mode: SearchMode::Hybrid, session: None, deadline }
}

fn view(files: &[(&str, &str)]) -> View {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let options = BuildOptions::new(SystemTime::UNIX_EPOCH, Parser::linked());
    build_in_memory(folder.path(), &options).unwrap()
}

fn first(prompt: &str) -> String {
    paths(SHOP, prompt, SearchMode::Hybrid).into_iter().next().unwrap_or_default()
}

#[test]
fn several_limits_give_the_results_of_several_searches() {
    let (view, query) = (view(SHOP), Query::read("total price of the cart"));
    let limits = [3, 10, 1, 0];
    let all = search_each(&view, &query, &options(2), &limits);
    assert_eq!(all.len(), limits.len());
    for (limit, hits) in limits.into_iter().zip(all) {
        assert_eq!(hits, search(&view, &query, &options(limit)));
        assert_eq!(hits.is_empty(), limit == 0);
    }
}

#[test]
fn the_confidence_of_a_file_does_not_depend_on_the_limit() {
    let (view, query) = (view(SHOP), Query::read("fix the total price of the cart"));
    let confidence = |limit: usize| search(&view, &query, &options(limit))[0].confidence;
    assert_eq!(confidence(1).to_bits(), confidence(10).to_bits());
    assert!(confidence(1) < 0.9, "{}", confidence(1));
}

#[test]
fn a_name_that_occurs_in_most_files_finds_the_file_with_this_name() {
    let mut files = vec![("src/HTTPHeaders.rs".to_owned(), "pub struct HTTPHeaders;\n".to_owned())];
    files.extend((0..60).map(|number| {
        let text = format!("use http::HTTPHeaders;\nfn send{number}(headers: HTTPHeaders) {{}}\n");
        (format!("src/part{number}.rs"), text)
    }));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert_eq!(paths(&files, "HTTPHeaders", SearchMode::Hybrid)[0], "src/HTTPHeaders.rs");
    assert_eq!(paths(&files, "what is it?", SearchMode::Hybrid), [""; 0]);
}

#[test]
fn the_symbol_mode_lists_the_exact_name_first() {
    let files = [
        (
            "a/create.py",
            "def get_or_create_session():\n    return get_or_create()\n\ndef create_or_get():\n    return get_or_create()\n",
        ),
        (
            "b/manager.py",
            "def create_manager():\n    def get_or_create(self):\n        return 1\n    def create(self):\n        return get_or_create()\n    return get_or_create, create\n",
        ),
        (
            "c/query.py",
            "class Query:\n    def get(self):\n        return 1\n\n    def get_or_create(self):\n        return 2\n",
        ),
    ];
    let names: Vec<(String, String)> = hits(&files, "get_or_create", SearchMode::Symbol)
        .into_iter()
        .map(|hit| (hit.path, hit.symbols[0].name.clone()))
        .collect();
    let expected =
        [("c/query.py", "Query.get_or_create"), ("b/manager.py", "create_manager.get_or_create")];
    let first: Vec<(&str, &str)> =
        names.iter().take(2).map(|(path, name)| (path.as_str(), name.as_str())).collect();
    assert_eq!(first, expected);
    assert_eq!(hits(&files, "Query", SearchMode::Symbol)[0].symbols[0].name, "Query");
}

#[test]
fn a_prompt_that_is_a_name_lists_its_definition_first() {
    let files = [
        (
            "shop/cart.py",
            "from tests.helpers import _make_cart\n\ndef make():\n    return _make_cart()\n",
        ),
        (
            "shop/status.py",
            "class Status:\n    def code(self):\n        return 1\n\n    def text(self):\n        return 2\n",
        ),
        (
            "shop/order.py",
            "class Status: pass\n\ndef status(order):\n    return Status()\n\ndef status_of(order):\n    return status(order)\n",
        ),
        ("tests/helpers.py", "def _make_cart():\n    return 1\n"),
    ];
    for mode in [SearchMode::Hybrid, SearchMode::Symbol] {
        assert_eq!(paths(&files, "_make_cart", mode)[0], "tests/helpers.py");
        assert_eq!(paths(&files, "Status", mode)[0], "shop/status.py");
    }
    let symbol = &hits(&files, "Status.code", SearchMode::Hybrid)[0].symbols[0];
    assert_eq!(symbol.name, "Status.code");
}

#[test]
fn words_of_a_question_match_a_name_that_joins_them() {
    let files = [
        ("src/locks.rs", "/// Locks a file.\npub fn acquire(lock: &File) {}\n"),
        ("src/resolution.rs", "/// Parses a lockfile.\npub fn from_toml(text: &str) {}\n"),
    ];
    let found = |prompt: &str| paths(&files, prompt, SearchMode::Hybrid);
    assert!(found("the lock file").contains(&"src/resolution.rs".to_owned()));
    assert!(!found("the file of the lock").contains(&"src/resolution.rs".to_owned()));
}

#[test]
fn code_comes_before_the_tests_and_docs_about_it() {
    let found = paths(SHOP, "total price of the cart is wrong", SearchMode::Hybrid);
    assert_eq!(found[0], "shop/cart.py");
    let place = |path: &str| found.iter().position(|found| found == path);
    assert!(place("tests/test_cart.py") > place("shop/cart.py"));
}

#[test]
fn a_name_finds_its_definition() {
    assert_eq!(first("what does `open_session` do"), "shop/session.py");
}

#[test]
fn a_path_finds_its_file() {
    assert_eq!(first("explain src/shop/mail.py please"), "shop/mail.py");
}

#[test]
fn a_qualified_name_finds_its_module() {
    assert_eq!(first("error in shop.report.monthly_report"), "shop/report.py");
}

#[test]
fn a_trace_finds_its_innermost_frame_in_the_repository() {
    let trace = "It breaks\n\nTraceback (most recent call last):\n  File \"/srv/shop/report.py\", line 4, in monthly_report\n    x\n  File \"/srv/shop/mail.py\", line 2, in send_mail\n    y\n  File \"/usr/lib/python3/smtplib.py\", line 9, in connect\nOSError: refused";
    assert_eq!(first(trace), "shop/mail.py");
}

#[test]
fn a_chinese_prompt_finds_english_code() {
    assert_eq!(first("登录时密码错误"), "shop/login.py");
}

#[test]
fn a_hit_has_symbols_lines_and_reasons() {
    let found = hits(SHOP, "`total_price` of Cart is wrong", SearchMode::Hybrid);
    let hit = &found[0];
    assert!(
        hit.symbols.iter().any(|symbol| symbol.name == "Cart.total_price" && symbol.line == 5),
        "{:?}",
        hit.symbols
    );
    assert!(
        hit.lines.clone().is_some_and(|lines| lines.contains(&5) || lines.contains(&1)),
        "{:?}",
        hit.lines
    );
    assert!(!hit.why.is_empty());
    assert!(hit.confidence > 0.0 && hit.confidence <= 1.0);
    assert!(found.is_sorted_by(|a, b| a.confidence >= b.confidence));
}

#[test]
fn symbol_mode_ranks_by_names() {
    let found = paths(SHOP, "send_mail", SearchMode::Symbol);
    assert_eq!(found.first().map(String::as_str), Some("shop/mail.py"));
}

#[test]
fn keyword_mode_ranks_by_words() {
    let found = paths(SHOP, "wrong password", SearchMode::Keyword);
    assert_eq!(found.first().map(String::as_str), Some("shop/login.py"));
}

#[test]
fn unknown_words_have_no_hits() {
    assert!(paths(SHOP, "zzqx", SearchMode::Hybrid).is_empty());
    assert!(paths(SHOP, "", SearchMode::Hybrid).is_empty());
    assert!(paths(&[("empty.py", "")], "anything", SearchMode::Hybrid).is_empty());
}

#[test]
fn files_that_are_shown_on_request_only_need_a_request() {
    let files = [
        SHOP[0],
        (".specstory/history/2025-total-price.md", "total price of the cart: total_price\n"),
        (".cursor/rules/cart.mdc", "the cart has a total price\n"),
        ("AGENTS.md", "the cart has a total price\n"),
        ("dist/cart.js", "function total_price() { return cart }\n"),
        ("cart.lock", "total price cart\n"),
    ];
    let shown = |prompt: &str| paths(&files, prompt, SearchMode::Hybrid);
    assert_eq!(shown("total price of the cart is wrong"), ["shop/cart.py"]);
    let has = |prompt: &str, path: &str| shown(prompt).iter().any(|shown| shown == path);
    assert!(has("total price in AGENTS.md", "AGENTS.md"));
    assert!(has("total price in dist/cart.js", "dist/cart.js"));
    assert!(has("the specstory history about the total price", files[1].0));
    assert!(has("total price: add a rule to .cursor/rules", ".cursor/rules/cart.mdc"));
    assert!(!has("move the cursor to the total price", ".cursor/rules/cart.mdc"));
}

#[test]
fn the_file_with_the_prompt_itself_is_not_found() {
    let prompt = "the invoice export writes the wrong currency symbol when a customer has several \
                  billing addresses, the shipping country differs and the discount rounding applies";
    let files =
        [("notes/todo.md", prompt), ("src/invoice.rs", "fn export_invoice(c: Currency) {}\n")];
    assert_eq!(paths(&files, prompt, SearchMode::Hybrid), ["src/invoice.rs"]);
    assert_eq!(paths(&files, "export invoice", SearchMode::Hybrid).len(), 2);
}

#[test]
fn an_expired_deadline_still_has_hits() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cart.py"), "def total(): pass\n").unwrap();
    let view = build_in_memory(
        folder.path(),
        &BuildOptions::new(SystemTime::UNIX_EPOCH, Parser::linked()),
    )
    .unwrap();
    let options = SearchOptions {
        limit: 10,
        mode: SearchMode::Hybrid,
        session: None,
        deadline: Instant::now(),
    };
    let found = search(&view, &Query::read("see cart.py"), &options);
    assert_eq!(found.len(), 1);
}

/// Returns the view of a repository with names that are not ASCII.
fn shop_view() -> &'static index::View {
    static VIEW: std::sync::OnceLock<(tempfile::TempDir, index::View)> = std::sync::OnceLock::new();
    let (_, view) = VIEW.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("cart.py"), SHOP[0].1).unwrap();
        std::fs::write(folder.path().join("größe İ.py"), "def größe_İ():\n    登录()\n").unwrap();
        let options = BuildOptions::new(SystemTime::UNIX_EPOCH, Parser::linked());
        let view = build_in_memory(folder.path(), &options).unwrap();
        (folder, view)
    });
    view
}

proptest! {
    #[test]
    fn any_prompt_can_be_searched(
        prompt in "(\\PC{0,40}|(?s:.){0,9}|cart|total_price|größe_İ|登录|shop/cart.py:3|File \"cart.py\", line 99999999999|\n|`|::|/|#L){0,9}",
        mode in prop::sample::select(vec![SearchMode::Hybrid, SearchMode::Symbol, SearchMode::Keyword]),
    ) {
        let options = SearchOptions { limit: 3, mode, session: None, deadline: Instant::now() + Duration::from_secs(600) };
        for hit in search(shop_view(), &Query::read(&prompt), &options) {
            prop_assert!(hit.score.is_finite() && (0.0..=1.0).contains(&hit.confidence));
        }
    }
}
