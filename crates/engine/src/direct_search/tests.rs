use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use super::*;

fn repository(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

fn search(root: &Path, prompt: &str) -> DirectAnswer {
    let source = Source {
        root,
        admits: &|path| path.file_name().is_none_or(|name| name != ".env"),
        open: &|path| File::open(root.join(path)),
        to_quote: &|path| match path.to_str() {
            Some("src/notes.txt") => ToQuote::Nothing,
            Some("src/blob.txt") => ToQuote::Path,
            _ => fs::read_to_string(root.join(path))
                .map_or(ToQuote::Path, |text| ToQuote::Text(text.into())),
        },
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    direct_search(&source, &Query::read(prompt), 10, deadline)
}

/// Returns the searchable terms of a prompt in the form used in the prompt.
fn words(prompt: &str) -> String {
    let query = Query::read(prompt);
    query.search_terms().map(|term| term.written.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a26_prompts_in_both_languages_have_searchable_terms() {
    assert_eq!(words("where is parseHTTPHeader used?"), "parsehttpheader parse http header");
    assert_eq!(words("src/auth/login_form.rs fails"), "src auth login_form login form rs fails");
    assert_eq!(words("修复 UserService 的登录"), "userservice user service 的登 登录");
    assert_eq!(words("what is this for?"), "");
    assert_eq!(words("登录接口 500 了"), "登录 录接 接口");
}

#[test]
fn a_definition_ranks_above_its_uses_and_tests() {
    let root = repository(&[
        ("src/budget.rs", "// money\nfn enforce_retry_budget(n: u32) {}\n"),
        ("src/main.rs", "fn main() { enforce_retry_budget(3); enforce_retry_budget(4); }\n"),
        ("tests/budget.rs", "fn enforce_retry_budget_works() {}\n"),
        ("README.md", "enforce_retry_budget enforces the retry budget\n"),
    ]);
    let answer = search(root.path(), "where is enforce_retry_budget enforced?");
    let first = &answer.hits[0];
    assert_eq!((first.path.as_str(), first.line), ("src/budget.rs", 2));
    assert_eq!(first.defines.as_deref(), Some("enforce_retry_budget"));
    let snippet = first.snippet.as_ref().unwrap();
    assert_eq!((snippet.lines[0].0, snippet.lines.len()), (1, 2));
    assert_eq!(answer.end, WalkEnd::Complete);
}

#[test]
fn chinese_comments_are_found() {
    let root = repository(&[
        ("auth.py", "# 用户登录校验\ndef verify(): pass\n"),
        ("other.py", "# 导出报表\n"),
    ]);
    let answer = search(root.path(), "登录校验在哪里?");
    assert_eq!(answer.hits.iter().map(|hit| hit.path.as_str()).collect::<Vec<_>>(), ["auth.py"]);
}

#[test]
fn inflected_words_match_as_in_the_index() {
    let root = repository(&[
        ("header.py", "def parse_headers(text): pass\n"),
        ("sparse.py", "def sparse_header_like(text): pass\n"),
        ("query.py", "queries = 1\n"),
    ]);
    let paths = |prompt: &str| -> Vec<String> {
        search(root.path(), prompt).hits.into_iter().map(|hit| hit.path).collect()
    };
    assert_eq!(paths("parsing fails"), ["header.py"]);
    assert_eq!(paths("the query is slow"), ["query.py"]);
}

#[test]
fn a51_files_that_are_not_admitted_are_not_read() {
    let root = repository(&[(".env", "login_token=hunter2\n"), ("a.rs", "let login_token = 1;\n")]);
    let answer = search(root.path(), "where is login_token set");
    assert_eq!(answer.hits.iter().map(|hit| hit.path.as_str()).collect::<Vec<_>>(), ["a.rs"]);
}

#[test]
fn hits_are_deterministic() {
    let files: Vec<(String, String)> = (0..200)
        .map(|n| (format!("src/f{n}.rs"), "fn login() {}\nlet user = 1;\n".to_owned()))
        .collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let root = repository(&files);
    assert_eq!(search(root.path(), "login user"), search(root.path(), "login user"));
}

#[test]
fn empty_binary_and_long_files_are_accepted() {
    let root = repository(&[("empty.rs", ""), ("a b\nc.rs", "login here\n")]);
    fs::write(root.path().join("binary"), b"login\0\xff\xfe").unwrap();
    fs::write(root.path().join("latin1.c"), b"// caf\xe9 login\n").unwrap();
    fs::write(root.path().join("long.js"), "login ".repeat(100_000)).unwrap();
    let answer = search(root.path(), "login");
    let paths: Vec<&str> = answer.hits.iter().map(|hit| hit.path.as_str()).collect();
    assert!(paths.contains(&"latin1.c") && paths.contains(&"a b\nc.rs"), "{paths:?}");
    assert!(answer.hits.iter().all(|hit| hit.text.len() <= 1200));
}

#[test]
fn a51_the_content_of_a_file_can_forbid_quoting_it() {
    let root = repository(&[
        ("src/notes.txt", "okapi_charge key material\n"),
        ("src/blob.txt", "okapi_charge\u{1}\u{2}\n"),
        ("src/charge.rs", "fn okapi_charge() {}\n"),
    ]);
    let answer = search(root.path(), "okapi_charge");
    let shown: Vec<(&str, &str)> =
        answer.hits.iter().map(|hit| (hit.path.as_str(), hit.text.as_str())).collect();
    assert_eq!(shown, [("src/charge.rs", "fn okapi_charge() {}"), ("src/blob.txt", "")]);
    let snippets = answer.hits.iter().filter(|hit| hit.snippet.is_some()).count();
    assert_eq!(snippets, 1);
}

#[test]
fn files_that_are_shown_on_request_only_are_not_searched() {
    let minified = "var okapi_charge=1;".repeat(200);
    let root = repository(&[
        (".specstory/history/a.md", "charge the okapi: okapi_charge\n"),
        ("CLAUDE.md", "okapi_charge\n"),
        ("dist/app.js", "okapi_charge\n"),
        ("yarn.lock", "okapi_charge\n"),
        ("static/all.js", &minified),
        ("src/charge.rs", "fn okapi_charge() {}\n"),
    ]);
    let shown = |prompt: &str| -> Vec<String> {
        let mut hits: Vec<String> =
            search(root.path(), prompt).hits.into_iter().map(|hit| hit.path).collect();
        hits.sort();
        hits
    };
    assert_eq!(shown("okapi_charge"), ["src/charge.rs"]);
    assert_eq!(shown("okapi_charge in yarn.lock"), ["src/charge.rs", "yarn.lock"]);
    assert_eq!(shown("okapi_charge in static/all.js"), ["src/charge.rs", "static/all.js"]);
    let history = "okapi_charge in the specstory history";
    assert_eq!(shown(history), [".specstory/history/a.md", "src/charge.rs"]);
}

#[test]
fn the_file_with_the_prompt_itself_is_not_shown() {
    let prompt = "the invoice export writes the wrong currency symbol when a customer has several \
                  billing addresses, the shipping country differs and the discount rounding applies";
    let root = repository(&[
        ("notes/todo.md", prompt),
        ("src/invoice.rs", "fn export_invoice(currency: Symbol, customer: Customer) {}\n"),
    ]);
    let paths: Vec<String> =
        search(root.path(), prompt).hits.into_iter().map(|hit| hit.path).collect();
    assert_eq!(paths, ["src/invoice.rs"]);
}
