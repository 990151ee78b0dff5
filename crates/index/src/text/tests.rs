use super::{TokenKind, for_each_token};

fn check(text: &str, expected: &str) {
    let mut shown = Vec::new();
    for_each_token(text, |token| {
        let mark = match token.kind {
            TokenKind::Whole => "=",
            TokenKind::Part => "",
            TokenKind::Cjk => "~",
        };
        shown.push(format!("{mark}{}", token.term));
    });
    assert_eq!(shown.join(" "), expected, "terms of `{text}`");
}

#[test]
fn an_identifier_yields_itself_and_its_parts() {
    check("HttpServer", "=httpserver http server");
    check("HTTPServer", "=httpserver http server");
    check("parse_config_file", "=parse_config_file pars config fil");
    check("__init__", "init");
    check("utf8Decode", "=utf8decode utf decod");
    check("http2", "=http2 http");
    check("E0308", "=e0308 0308");
    check("x", "x");
    check("getX", "=getx get");
    check("a.b::c_d", "a b =c_d");
}

#[test]
fn inflected_forms_have_one_stem() {
    check("parse parses parsed parsing", "pars pars pars pars");
    check("cache caches cached caching", "cach cach cach cach");
    check("query queries", "query query");
    check("class classes", "class class");
    check("running stopped", "run stop");
    check("string thing status speed this", "string thing status speed this");
    check("file files", "fil fil");
}

#[test]
fn cjk_runs_yield_bigrams() {
    check("用户登录", "~用户 ~户登 ~登录");
    check("把login改掉", "~把 login ~改掉");
    check("登", "~登");
}

#[test]
fn other_scripts_are_words() {
    check("Größe größen", "größe größen");
    check("привет_Мир", "=привет_мир привет мир");
}

#[test]
fn hashes_and_long_numbers_are_skipped() {
    check(&"a".repeat(65), "");
    check("1234567890123", "");
    check("404 v1", "404 =v1");
    check("", "");
    check("___ ... !!", "");
}

proptest::proptest! {
    #[test]
    fn the_tokenizer_accepts_any_text(text in "\\PC{0,80}") {
        for_each_token(&text, |token| assert!(!token.term.is_empty()));
    }

    #[test]
    fn a_lower_case_query_matches_the_indexed_identifier(text in "[a-zA-Z0-9_]{1,30}") {
        let lower = super::terms(&text.to_lowercase());
        let mut wholes = Vec::new();
        for_each_token(&text, |token| if token.kind == TokenKind::Whole { wholes.push(token.term.to_owned()); });
        for whole in wholes {
            proptest::prop_assert!(lower.contains(&whole) || whole.bytes().all(|byte| byte.is_ascii_lowercase()));
        }
    }
}
