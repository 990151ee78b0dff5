//! Every question has the same answer on the command line, over MCP and in a briefing. A surface may list fewer places
//! than the command line, but no others.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use testkit::{FakeCodex, Repository};

use super::client::{Setup, setup_on};
use crate::fixture::{ADJUTANT, on};

/// A path, a line and a symbol. A whole file is at line 1.
type Place = (String, u64, String);

const PRICE: &str = "class PriceError(Exception):\n    pass\n\n\ndef price_of_zebra(item):\n    if item < 0:\n        raise PriceError(item)\n    return lookup_zebra(item)\n\n\ndef lookup_zebra(item):\n    return item\n";
const CART: &str = "from shop.price import price_of_zebra\n\n\nclass Cart:\n    def total(self, items):\n        sum = 0\n        for item in items:\n            if item:\n                sum += price_of_zebra(item)\n        return sum\n";
const VIEW: &str =
    "from shop.cart import Cart\n\n\ndef show(items):\n    return Cart().total(items)\n";
const TEST: &str = "from shop.price import price_of_zebra\n\n\ndef test_price():\n    assert price_of_zebra(1) == 1\n";
const TRACE: &str = "Traceback (most recent call last):\n  File \"shop/cart.py\", line 9, in total\n  File \"shop/price.py\", line 7, in price_of_zebra\nshop.price.PriceError: -1";

fn shop() -> Setup {
    let repository = Repository::builder()
        .file("shop/price.py", PRICE)
        .file("shop/cart.py", CART)
        .file("shop/view.py", VIEW)
        .file("tests/test_price.py", TEST)
        .commit("init")
        .build();
    setup_on(on(repository), FakeCodex::answering("done"))
}

fn place(item: &Value) -> Place {
    let symbol = item["symbol"].as_str().unwrap_or_default();
    let path = item["path"].as_str().unwrap_or_default();
    (path.to_owned(), item["line"].as_u64().unwrap_or(1), symbol.to_owned())
}

/// Returns the places of an item of a command. A file that a search finds has a list of its definitions instead of a line.
fn places_of(item: &Value) -> Vec<Place> {
    let Some(symbols) = item["symbols"].as_array() else { return vec![place(item)] };
    let name = |symbol: &Value| symbol["name"].as_str().unwrap().to_owned();
    let path = || item["path"].as_str().unwrap().to_owned();
    let places = symbols.iter().map(|it| (path(), it["line"].as_u64().unwrap(), name(it)));
    places.collect()
}

/// Returns all places in the JSON of a command.
fn on_command_line(setup: &Setup, arguments: &[&str]) -> BTreeSet<Place> {
    let launch = setup.fixture.launch(ADJUTANT).arguments(arguments).argument("--json");
    let json: Value = serde_json::from_str(&launch.run().expect_success().stdout).unwrap();
    let lists = match json.as_object() {
        Some(fields) => fields.values().filter_map(Value::as_array).collect(),
        None => vec![json.as_array().unwrap()],
    };
    lists.into_iter().flatten().flat_map(places_of).collect()
}

/// The minimum confidence of a finding that a briefing contains if there are stronger ones.
const MIN_CONFIDENCE: f64 = 0.1;

/// Returns the places that a tool lists over MCP, those of them that a briefing must contain, those that the tool lists in the
/// briefing, and all places in the briefing.
fn elsewhere(setup: &Setup, tool: &str, query: &str, prompt: &str) -> [Vec<Place>; 4] {
    let arguments = if query.is_empty() { json!({}) } else { json!({ "query": query }) };
    let over_mcp = setup.client().ok(tool, arguments);
    let items = over_mcp["data"]["items"].as_array().unwrap();
    let is_strong =
        |item: &&Value| item["confidence"].as_f64().is_none_or(|it| it >= MIN_CONFIDENCE);
    let strong = items.iter().filter(is_strong).map(place).collect();
    let launch = setup.fixture.launch(ADJUTANT).env("CI_AUTO_TOOLS_TIER_MAX", "2");
    let finished = launch.arguments(["brief", "--json", prompt]).run().expect_success();
    let briefing: Value = serde_json::from_str(&finished.stdout).unwrap();
    let all = briefing["fused_context"]["for_model"]["structured"]["items"].as_array().unwrap();
    let cited = |is_shown: &dyn Fn(&Value) -> bool| {
        let cited = all.iter().filter(|item| item["path"].is_string());
        cited.filter(|item| is_shown(item)).map(place).collect()
    };
    let listed = items.iter().map(place).collect();
    [listed, strong, cited(&|item| item["tool"] == tool), cited(&|_| true)]
}

#[test]
fn explore_shows_the_same_code_on_the_command_line_and_over_mcp() {
    let setup = shop();
    for query in ["price_of_zebra", "how is the cart total computed?"] {
        let over_mcp = setup.client().ok("ci_graph_rag", json!({ "query": query }));
        let items = over_mcp["data"]["items"].as_array().unwrap();
        let known: BTreeSet<Place> =
            on_command_line(&setup, &["explore", query]).into_iter().collect();
        assert!(!items.is_empty(), "nothing over MCP for {query}");
        assert!(items[0]["snippet"].is_string(), "no code: {}", items[0]);
        for item in items {
            assert!(known.contains(&place(item)), "{item} is not in {known:#?}");
        }
    }
}

#[test]
fn a_question_has_one_answer_on_three_surfaces() {
    let setup = shop();
    let name = "price_of_zebra";
    let who = format!("who calls {name}?");
    let callers: &[&[&str]] = &[&["callers", name], &["callers", name, "--callees"]];
    for (commands, tool, query, prompt) in [
        (callers, "ci_call_chain", name, who.as_str()),
        (
            &[&["impact", name]],
            "ci_impact",
            name,
            "what is the impact of a change of price_of_zebra?",
        ),
        (
            &[&["complexity"]],
            "ci_complexity",
            "which functions are the most complex?",
            "which functions are the most complex?",
        ),
        (&[&["hotspots"]], "ci_hotspot", "", "which files are the hotspots of the code?"),
        (&[&["locate", TRACE]], "ci_bug_locate", TRACE, TRACE),
        (
            &[&["search", "how is the cart total computed?"]],
            "ci_search",
            "how is the cart total computed?",
            "how is the cart total computed?",
        ),
    ] {
        let all: BTreeSet<Place> =
            commands.iter().flat_map(|command| on_command_line(&setup, command)).collect();
        let [over_mcp, strong, of_tool, in_briefing] = elsewhere(&setup, tool, query, prompt);
        assert!(!strong.is_empty(), "{tool} lists nothing over MCP");
        assert!(!of_tool.is_empty(), "the briefing contains nothing of {tool}");
        for found in over_mcp.iter().chain(&of_tool) {
            assert!(all.contains(found), "{tool}: {found:?} is not in {all:#?}");
        }
        // A finding of several tools is listed once. Weak findings may be left out.
        for found in strong.iter().take(3) {
            assert!(in_briefing.contains(found), "{tool}: {found:?} is not in {in_briefing:#?}");
        }
    }
}

/// The briefing answers "who calls …?" itself. It lists the same callers.
#[test]
fn direct_callers_are_the_same_on_three_surfaces() {
    let setup = shop();
    let name = "price_of_zebra";
    let listed = on_command_line(&setup, &["callers", name, "--depth", "1"]);
    let expected = [
        ("shop/cart.py".to_owned(), 9, "Cart.total".to_owned()),
        ("tests/test_price.py".to_owned(), 5, "test_price".to_owned()),
    ];
    assert_eq!(listed, BTreeSet::from(expected));
    let [direct, _, in_briefing, _] = elsewhere(
        &setup,
        "ci_graph_rag",
        &format!("who calls {name}?"),
        &format!("who calls {name}?"),
    );
    for places in [direct, in_briefing] {
        let is_definition = |place: &Place| place.2 == name;
        let callers =
            places.into_iter().filter(|place| !place.0.is_empty() && !is_definition(place));
        assert_eq!(callers.collect::<BTreeSet<_>>(), listed);
    }
    let over_mcp = setup.client().ok("ci_call_chain", json!({ "query": name, "depth": 1 }));
    let items = over_mcp["data"]["items"].as_array().unwrap().iter();
    let callers = items.filter(|item| item["summary"].as_str().unwrap().starts_with("caller, "));
    assert_eq!(callers.map(place).collect::<BTreeSet<_>>(), listed);
}
