use proptest::prelude::*;

use super::{Query, Section};

/// Describes the query of a prompt, one line per item, in the order of the query's fields.
fn describe(prompt: &str) -> String {
    let query = Query::read(prompt);
    let mut out = String::new();
    for identifier in &query.identifiers {
        out += &format!("name {}\n", identifier.name);
    }
    for path in &query.paths {
        out += &format!("path {} {:?}\n", path.text, path.section);
    }
    for name in &query.qualified {
        out += &format!("qualified {} {:?}\n", name.text, name.section);
    }
    for frame in &query.frames {
        out += &format!(
            "frame {}:{} {}\n",
            frame.path,
            frame.line,
            frame.function.as_deref().unwrap_or("-")
        );
    }
    out
}

fn check(prompt: &str, expected: &str) {
    let expected: String = expected.lines().map(str::trim).filter(|line| !line.is_empty()).fold(
        String::new(),
        |mut text, line| {
            text += line;
            text.push('\n');
            text
        },
    );
    assert_eq!(describe(prompt), expected);
}

/// Returns the names of the sections in which a term occurs.
fn sections(prompt: &str, term: &str) -> Vec<&'static str> {
    let query = Query::read(prompt);
    let Some(found) = query.terms.iter().find(|candidate| candidate.text == term) else {
        return Vec::new();
    };
    let named = [
        (Section::Title, "title"),
        (Section::Prose, "prose"),
        (Section::Inline, "inline"),
        (Section::Code, "code"),
        (Section::Trace, "trace"),
        (Section::Error, "error"),
        (Section::Environment, "environment"),
        (Section::Heading, "heading"),
        (Section::Glossary, "glossary"),
        (Section::Border, "border"),
        (Section::Learned, "learned"),
    ];
    named
        .into_iter()
        .filter(|(section, _)| found.sections.in_section(*section) > 0.0)
        .map(|(_, name)| name)
        .collect()
}

#[test]
fn names_paths_and_qualified_names_are_distinguished() {
    check(
        "retry_budget ignored in src/client/pool.rs by Pool::acquire() and pkg.mod.open_file",
        "name retry_budget
         name acquire
         name mod
         name open_file
         path src/client/pool.rs Title
         qualified Pool.acquire Title
         qualified pkg.mod.open_file Title",
    );
}

#[test]
fn a_python_trace_yields_its_frames_in_order() {
    check(
        "It fails\n\nTraceback (most recent call last):\n  File \"/usr/lib/shop/cart.py\", line 12, in add\n    total(x)\n  File \"shop/sum.py\", line 3, in <module>\nValueError: bad",
        "name total
         name ValueError
         path usr/lib/shop/cart.py Trace
         path shop/sum.py Trace
         frame /usr/lib/shop/cart.py:12 add
         frame shop/sum.py:3 -",
    );
}

#[test]
fn frames_of_other_languages() {
    for (line, expected) in [
        ("    at com.shop.Cart.add(Cart.java:31)", "frame Cart.java:31 add"),
        ("    at addItem (/srv/app/src/cart.ts:8:15)", "frame /srv/app/src/cart.ts:8 addItem"),
        ("\t/go/src/shop/cart.go:77 +0x1d", "frame /go/src/shop/cart.go:77 -"),
        ("thread 'main' panicked at src/cart.rs:5:9:", "frame src/cart.rs:5 -"),
        ("lib/cart.rb:14:in `add'", "frame lib/cart.rb:14 add"),
        ("#0 /srv/Cart.php(21): Cart->add()", "frame /srv/Cart.php:21 -"),
        ("in /srv/Cart.php on line 9", "frame /srv/Cart.php:9 -"),
        ("   at Shop.Cart.Add() in C:\\shop\\Cart.cs:line 40", "frame /shop/Cart.cs:40 Add"),
        ("src/cart.c:12:3: error: x", "frame src/cart.c:12 -"),
    ] {
        let found = describe(&format!("title\n{line}"));
        let frame = found.lines().find(|line| line.starts_with("frame"));
        assert_eq!(frame, Some(expected), "{line}");
    }
}

#[test]
fn a_link_to_a_line_is_a_frame_and_other_links_are_dropped() {
    check(
        "see https://github.com/o/r/blob/main/src/a.rs#L12 and [docs](https://example.org/some_page.html)",
        "frame src/a.rs:12 -",
    );
}

#[test]
fn the_lines_of_an_issue_are_assigned_to_sections() {
    let issue = "Cart loses items\n\nThe basket is `frozenset` sometimes.\n\n```\nimport shop\n```\n\nValueError: wrong currency\n\n<!-- please\nread the template -->\n### Environment\nplatform linux\n### Extra\nindeed";
    assert_eq!(sections(issue, "cart"), ["title"]);
    assert_eq!(sections(issue, "basket"), ["prose"]);
    assert_eq!(sections(issue, "frozenset"), ["prose", "inline"]);
    assert_eq!(sections(issue, "shop"), ["code"]);
    assert_eq!(sections(issue, "currency"), sections(issue, "wrong"));
    assert_eq!(sections(issue, "wrong"), ["error"]);
    assert_eq!(sections(issue, "linux"), ["environment"]);
    assert_eq!(sections(issue, "extra"), ["heading"]);
    assert_eq!(sections(issue, "indeed"), ["prose"]);
    assert!(sections(issue, "template").is_empty(), "comments are dropped");
    let compiler = "The build stops\n\nfatal error: checkout.h is missing\n";
    assert_eq!(sections(compiler, "checkout"), ["error"]);
}

#[test]
fn a_chinese_prompt_yields_english_words() {
    assert_eq!(sections("登录接口 500 了", "login"), ["glossary", "learned"]);
    assert_eq!(sections("登录接口 500 了", "登录"), ["title"]);
    assert_eq!(sections("登录接口 500 了", "500"), ["title"]);
    assert_eq!(sections("登录接口 500 了", "录接"), ["border"]);
}

#[test]
fn a_prompt_may_mix_languages() {
    let prompt = "证书 renew 后 nginx 没有 reload，报 ECONNRESET";
    assert_eq!(sections(prompt, "cert"), ["glossary", "learned"]);
    assert_eq!(sections(prompt, "nginx"), ["title"]);
    assert_eq!(sections(prompt, "reload"), ["title"]);
    assert_eq!(sections("login 登录", "login"), ["title", "glossary", "learned"]);
}

#[test]
fn the_number_of_terms_is_bounded() {
    let flood: String = (0..50_000).map(|n| format!("word{n}x ")).collect();
    let query = Query::read(&flood);
    assert!(query.terms.len() <= super::MAX_TERMS);
    assert!(query.identifiers.len() <= super::MAX_TERMS);
}

proptest! {
    #[test]
    fn any_prompt_is_accepted(prompt in "\\PC{0,300}") {
        Query::read(&prompt);
    }

    #[test]
    fn any_mixture_of_marks_is_accepted(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "<!--", "-->", "```", "`", "**", "# ", "\n", " ", "http://", "/blob/", "#L", ":", "12", "(", ")", ".", "a.b", "::",
                "登录", "龘", "é", "\u{e0100}", "File \"", "\", line ", " in ", "at ", "\\", "x.py", "C:\\", "..", "_", "$", "-",
            ]),
            0..60,
        )
    ) {
        Query::read(&pieces.concat());
    }
}

#[test]
fn stop_words_of_another_language_are_dropped_only_in_that_language() {
    let terms = |prompt: &str| {
        let query = Query::read(prompt);
        query.search_terms().map(|term| term.written.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        terms("¿dónde se valida la contraseña del usuario?"),
        ["valida", "contraseña", "usuario"]
    );
    assert_eq!(
        terms("wo wird die Sitzung nach dem Login geöffnet?"),
        ["sitzung", "login", "geöffnet"]
    );
    assert_eq!(terms("rename die() to es_client in para.rs")[..2], ["rename", "die"]);
}
