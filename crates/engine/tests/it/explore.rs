//! Tests what `adjutant explore` shows for names, files and questions.

use contract::Arguments;
use engine::{
    Answer, Asking, MATCHED_CODE, RELATED_CODE, ReadPrompt, SearchMode, SearchOptions, UnknownName,
    ask_explore, ask_working_set, search,
};
use index::View;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::direct_questions::with_source;
use crate::questions::{built, later, shop};

fn explore(arguments: Value) -> Answer {
    ask(arguments, ask_explore)
}

fn ask(arguments: Value, ask: fn(&Asking<'_>) -> Result<Answer, UnknownName>) -> Answer {
    ask_in(&shop(), arguments, ask)
}

fn ask_in(
    (folder, view): &(TempDir, View),
    arguments: Value,
    ask: fn(&Asking<'_>) -> Result<Answer, UnknownName>,
) -> Answer {
    let Value::Object(arguments) = arguments else { panic!("not an object") };
    let arguments = Arguments::from(arguments);
    let prompt = ReadPrompt::new(arguments.text("query").unwrap().to_owned());
    let options =
        SearchOptions { limit: 8, mode: SearchMode::Hybrid, session: None, deadline: later() };
    with_source(folder.path(), |source| {
        let asking = Asking {
            view,
            source,
            prompt: &prompt,
            arguments: &arguments,
            search: &|| search(view, &prompt.query, &options),
            today: 0,
            deadline: later(),
        };
        ask(&asking).unwrap()
    })
}

/// Returns each item as `path:line role`, followed by `+` and the number of quoted lines.
fn places(answer: &Answer) -> Vec<String> {
    let place = |item: &engine::Item| {
        let n_lines = item.snippet.as_ref().map_or(0, |snippet| snippet.lines.len());
        format!("{}:{} {}+{n_lines}", item.path, item.line.unwrap(), item.role)
    };
    answer.items.iter().map(place).collect()
}

#[test]
fn a_name_shows_its_code_call_sites_tests_and_what_it_uses() {
    let answer = explore(json!({ "query": "price_of" }));
    assert_eq!(
        places(&answer),
        [
            "shop/price.py:5 +4",
            "shop/cart.py:9 calls `price_of`+0",
            "tests/test_price.py:5 tests `price_of`+0",
            "shop/price.py:1 called by `price_of`+2",
            "shop/price.py:11 called by `price_of`+2",
        ]
    );
    assert_eq!(answer.items[1].quote, "sum += price_of(item)");
    let code = &answer.items[0].snippet.as_ref().unwrap().lines;
    assert_eq!(code[3], (8, "    return lookup(item)".to_owned()));
}

#[test]
fn several_names_and_a_line_are_shown_one_after_the_other() {
    let answer = explore(json!({ "query": "Cart.total shop/view.py:5", "depth": 1 }));
    let definitions: Vec<&str> = answer
        .items
        .iter()
        .filter(|item| item.snippet.is_some())
        .filter_map(|item| item.symbol.as_deref())
        .collect();
    assert_eq!(definitions, ["Cart.total", "show"]);
}

#[test]
fn a_file_shows_its_outline() {
    let answer = explore(json!({ "query": "shop/price.py" }));
    let symbols: Vec<&str> =
        answer.items.iter().filter_map(|item| item.symbol.as_deref()).collect();
    assert_eq!(symbols, ["PriceError", "price_of", "lookup"]);
    assert!(answer.items.iter().all(|item| item.snippet.is_none()));
}

#[test]
fn a_question_shows_the_code_that_matches_it_once() {
    let answer = explore(json!({ "query": "how is the total of a cart computed?" }));
    let first = &answer.items[0];
    assert_eq!((first.symbol.as_deref(), first.snippet.is_some()), (Some("Cart.total"), true));
    let mut places = places(&answer);
    let n_places = places.len();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), n_places, "{places:?}");
}

#[test]
fn the_code_fits_the_budget() {
    let bytes = |answer: &Answer| {
        let lines =
            answer.items.iter().filter_map(|item| item.snippet.as_ref()).flat_map(|it| &it.lines);
        lines.map(|(_, line)| line.len()).sum::<usize>()
    };
    let whole = explore(json!({ "query": "price_of" }));
    let small = explore(json!({ "query": "price_of", "budget": 40 }));
    assert!(bytes(&small) <= 160 && bytes(&small) < bytes(&whole), "{small:?}");
    assert!(!small.completeness.is_complete());
}

#[test]
fn a_question_without_a_match_has_no_items() {
    assert_eq!(explore(json!({ "query": "qqxyzzy wvutsr" })).items, []);
}

#[test]
fn a_briefing_shows_a_part_of_the_same_code_and_first_what_matches() {
    let query = json!({ "query": "how is the total of a cart computed?" });
    let (explored, briefed) = (explore(query.clone()), ask(query, ask_working_set));
    let first = &briefed.items[0];
    assert_eq!((first.symbol.as_deref(), first.snippet.is_some()), (Some("Cart.total"), true));
    let sources: Vec<&str> = briefed.items.iter().map(|item| item.source.as_str()).collect();
    let n_matches = sources.iter().filter(|source| **source == MATCHED_CODE).count();
    assert!(n_matches > 0 && sources[n_matches..].iter().all(|source| *source == RELATED_CODE));
    let places = |answer: &Answer| -> Vec<(String, Option<u32>)> {
        answer.items.iter().map(|item| (item.path.clone(), item.line)).collect()
    };
    let (explored, briefed) = (places(&explored), places(&briefed));
    assert!(briefed.iter().all(|place| explored.contains(place)), "{briefed:?} {explored:?}");
}

/// The code is quoted around the text. A test and a comment that contain the text do not precede it.
#[test]
fn a_briefing_quotes_the_code_that_contains_a_text_which_the_prompt_quotes() {
    let folder = tempfile::tempdir().unwrap();
    let steps = |n: u32| (0..n).map(|at| format!("    step_{at}(order)\n")).collect::<String>();
    for (path, text) in [
        (
            "refund.py",
            format!(
                "def settle(order):\n{}    fail(f\"cannot settle order {{order}} twice\")\n{}",
                steps(70),
                steps(70)
            ),
        ),
        ("view.py", "def draw(page):\n    page.button(\"Pay later\")\n".to_owned()),
        ("note.py", "def note(page):\n    # see \"Pay later\"\n    return page\n".to_owned()),
        (
            "tests/test_view.py",
            "def test_draw():\n    assert \"Pay later\" in shown()\n".to_owned(),
        ),
    ] {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let view = built(folder.path());
    let tree = (folder, view);
    let first = |prompt: &str| {
        ask_in(&tree, json!({ "query": prompt }), ask_working_set).items.into_iter().next().unwrap()
    };
    let button = first("the button \"Pay later\" must be green");
    assert!(button.path == "view.py" && button.relevance >= Some(0.6), "{button:?}");
    let message = first("why is it \"cannot settle order 7 twice\" although it was paid once?");
    assert_eq!(message.symbol.as_deref(), Some("settle"));
    let lines: Vec<u64> = message.snippet.unwrap().lines.iter().map(|(line, _)| *line).collect();
    assert!(lines.contains(&1) && lines.contains(&72) && !lines.contains(&141), "{lines:?}");
}
