use std::time::{Duration, Instant, SystemTime};

use index::{BuildOptions, Parser, View, build_in_memory};

use super::SYMBOL_SIGNALS;
use crate::query::Query;
use crate::rank::measure_symbols;
use crate::search::{SearchMode, SearchOptions, search};

const SHOP: &[(&str, &str)] = &[
    (
        "shop/cart.py",
        "class Cart:\n    def total_price(self):\n        return add_taxes(self.prices)\n\n    def empty(self):\n        self.prices = []\n\n\ndef add_taxes(prices):\n    def rate(price):\n        return price * 2\n    return [rate(price) for price in prices]\n",
    ),
    (
        "shop/mail.py",
        "def send_mail(text):\n    connect()\n    return text\n\n\ndef connect():\n    pass\n",
    ),
];

fn shop() -> (tempfile::TempDir, View) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in SHOP {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let view = build_in_memory(
        folder.path(),
        &BuildOptions::new(SystemTime::UNIX_EPOCH, Parser::linked()),
    )
    .unwrap();
    (folder, view)
}

fn late() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

/// Checks which definitions have a positive value of `signal`. `expected` lists their names, highest value first.
fn check(signal: &str, prompt: &str, expected: &str) {
    let (_folder, view) = shop();
    let slot = SYMBOL_SIGNALS.iter().position(|known| known.name == signal).unwrap();
    let mut marked: Vec<(f32, String)> = measure_symbols(&view, &Query::read(prompt), 20, late())
        .into_iter()
        .map(|(symbol, values)| (values[slot], view.symbol(symbol).qualified.to_owned()))
        .filter(|(value, _)| *value > 0.0)
        .collect();
    marked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let found: Vec<&str> = marked.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(found.join(" "), expected, "{signal}: {prompt}");
}

#[test]
fn a_named_definition_is_marked_by_section() {
    check("named_title", "total_price fails\n\nbut `add_taxes` works", "Cart.total_price");
    check("named_prose", "total_price fails\n\nbut `add_taxes` works", "add_taxes");
    check("owner_named", "`Cart` is wrong about the price", "Cart.empty Cart.total_price");
}

#[test]
fn a_name_is_marked_by_its_share_of_prompt_words() {
    check("name_covered", "price in total", "Cart.total_price");
    check("name_covered", "we add taxes to prices", "add_taxes Cart.total_price");
}

#[test]
fn a_function_of_the_trace_is_marked_after_its_line_moved() {
    let trace = "It breaks\n\nTraceback (most recent call last):\n  File \"/srv/shop/mail.py\", line 90, in send_mail\n    x\nOSError: refused";
    check("frame", trace, "send_mail");
}

#[test]
fn callees_of_the_best_function_are_marked() {
    check("called", "total_price", "add_taxes");
}

#[test]
fn a_nested_function_is_part_of_the_outer_function() {
    let (_folder, view) = shop();
    let measured = measure_symbols(&view, &Query::read("the `rate` of a price"), 20, late());
    let names: Vec<&str> =
        measured.iter().map(|(symbol, _)| view.symbol(*symbol).qualified).collect();
    assert!(names.contains(&"add_taxes"), "{names:?}");
    assert!(!names.contains(&"add_taxes.rate"), "{names:?}");
}

#[test]
fn the_best_function_comes_first_with_its_lines() {
    let (_folder, view) = shop();
    let options =
        SearchOptions { limit: 5, mode: SearchMode::Hybrid, session: None, deadline: late() };
    let found = search(&view, &Query::read("we add taxes to the prices twice"), &options);
    assert_eq!(found[0].symbols[0].name, "add_taxes");
    assert!(
        found[0].lines.clone().is_some_and(|lines| lines.contains(&10)),
        "{:?}",
        found[0].lines
    );
}
