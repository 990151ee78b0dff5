//! Tests extreme input: deeply nested, long, truncated and binary sources, and expired deadlines.

use std::time::{Duration, Instant};

use syntax::{Language, OutlineLimits, ProblemKind};

use crate::render::{NO_LIMITS, outline, render};

fn names(language: Language, source: &[u8]) -> Vec<String> {
    let outline = outline(language, source, NO_LIMITS);
    outline.definitions.iter().map(|it| it.name.text(source).to_owned()).collect()
}

#[test]
fn an_empty_source_has_an_empty_outline() {
    for language in Language::ALL {
        let outline = outline(language, b"", NO_LIMITS);
        assert!(outline.definitions.is_empty() && outline.problems.is_empty(), "{language:?}");
    }
}

#[test]
fn broken_code_gives_a_partial_outline() {
    let source = b"fn first() {}\nfn second( {{{ ]\nstruct Third;\nfn fourth() { first() }\n";
    let outline = outline(Language::Rust, source, NO_LIMITS);
    let found: Vec<_> = outline.definitions.iter().map(|it| it.name.text(source)).collect();
    assert!(found.contains(&"first"), "{found:?}");
    assert_eq!(outline.problems[0].kind, ProblemKind::Syntax);

    assert_eq!(
        names(
            Language::Python,
            b"def a(:\n    pass\n\ndef b():\n    return a(\n\ndef c():\n    pass\n"
        )
        .last()
        .map(String::as_str),
        Some("c")
    );
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    const DEPTH: usize = 100_000;
    let parens = |before: &str, after: &str| {
        format!("{before}{}1{}{after}", "(".repeat(DEPTH), ")".repeat(DEPTH))
    };
    let rust = parens("fn deep() { let x = ", "; }\nfn after() {}");
    assert_eq!(names(Language::Rust, rust.as_bytes()), ["deep", "after"]);
    let python = parens("def deep():\n    return ", "\n\ndef after(): pass\n");
    assert_eq!(names(Language::Python, python.as_bytes()), ["deep", "after"]);
    let javascript = parens("function deep() { return ", "; }\nfunction after() {}");
    assert_eq!(names(Language::JavaScript, javascript.as_bytes()), ["deep", "after"]);

    let nested = format!("fn deep() {{ {}{} }}", "if a { ".repeat(DEPTH), "}".repeat(DEPTH));
    let outline = outline(Language::Rust, nested.as_bytes(), NO_LIMITS);
    assert_eq!(outline.definitions[0].complexity.unwrap().nesting, u16::MAX);
}

#[test]
fn a_chain_of_calls_takes_linear_time() {
    let source = format!("fn chain() {{ f{}; }}", "()".repeat(100_000));
    assert_eq!(names(Language::Rust, source.as_bytes()), ["chain"]);
    let source = format!("x = a{}\n", ".b(1)".repeat(50_000));
    assert_eq!(names(Language::Python, source.as_bytes()), ["x"]);
}

#[test]
fn repetition_in_pages_and_queries_takes_linear_time() {
    const TIMES: usize = 30_000;
    let languages = [Language::Css, Language::Sql, Language::Html, Language::Razor];
    let snippets = [
        "<a ",
        "<a id=\"b\"",
        "<!--",
        "{% block a",
        "{% block a %}",
        "<script>",
        "</script",
        "@code {",
        "@code{}\n",
        "a {",
        "}",
        "/*",
        "//",
        "#{",
        "@mixin a",
        "--a:",
        ".a,",
        "\"",
        "'",
        "create table a",
        "create or",
        "(",
        "$$",
        "[a",
        ";",
        "from a",
        "--",
    ];
    for language in languages {
        for snippet in snippets {
            outline(language, snippet.repeat(TIMES).as_bytes(), NO_LIMITS);
        }
    }
}

#[test]
fn repetition_takes_linear_time() {
    const TIMES: usize = 30_000;
    let languages = [Language::Rust, Language::Python, Language::Go, Language::Java];
    let snippets = [
        "<;",
        "new A<",
        "a<b,",
        "fn a(",
        "fn a;",
        "func a(",
        "type a[",
        "@a(b)",
        "@a ",
        "x: int;",
        "impl a ",
        "match a;",
        "def a(b):",
        "f'{\"' ",
        "a.b(c)",
        "a = b,",
        "class A ",
        "|a",
        "enum a{b,",
        "case a:",
        "if a ",
        "'a ",
        "\"a\" ",
        "/*a*/",
        "#[a]",
        "use a::{",
        "import a,",
        "var a,",
        "a->",
        "?a:",
        "else if",
        "do{}while",
    ];
    for language in languages {
        for snippet in snippets {
            let source = snippet.repeat(TIMES);
            // The test only checks that reading ends. The grammar may be slow, so reading has a deadline.
            let deadline = Some(Instant::now() + Duration::from_millis(30));
            outline(language, source.as_bytes(), OutlineLimits { max_bytes: usize::MAX, deadline });
        }
    }
}

#[test]
fn one_long_line_is_read_like_many_short_ones() {
    let source = "fn same() { call(1); } ".repeat(20_000);
    assert_eq!(names(Language::Rust, source.as_bytes()).len(), 20_000);
}

#[test]
fn invalid_utf8_is_skipped() {
    assert!(names(Language::Python, b"\0\0\0def a():\n    pass\n").len() <= 1);
    let latin = b"def gr\xfc\xdfe():\n    return '\xe4\xf6'\n\ndef after(): pass\n";
    assert!(names(Language::Python, latin).contains(&"after".to_owned()));
    assert_eq!(names(Language::Rust, b"\xef\xbb\xbffn after_bom() {}"), ["after_bom"]);
}

#[test]
fn windows_line_ends_change_only_offsets() {
    for (language, source) in [
        (Language::Rust, &include_str!("fixtures/sample.rs")),
        (Language::Python, &include_str!("fixtures/sample.py")),
        (Language::Go, &include_str!("fixtures/sample.go")),
    ] {
        let windows = source.replace('\n', "\r\n");
        assert_eq!(render(language, source.as_bytes()), render(language, windows.as_bytes()));
    }
}

#[test]
fn a_file_beyond_the_limit_is_not_read() {
    let limits = OutlineLimits { max_bytes: 10, deadline: None };
    let outline = outline(Language::Rust, b"fn longer_than_ten() {}", limits);
    assert!(outline.definitions.is_empty());
    assert_eq!(outline.problems[0].kind, ProblemKind::TooLarge);
}

#[test]
fn reading_stops_at_the_deadline() {
    let source = "fn same() { call(1); }\n".repeat(20_000);
    let limits = OutlineLimits { max_bytes: usize::MAX, deadline: Some(Instant::now()) };
    let late = outline(Language::Kotlin, source.as_bytes(), limits);
    assert_eq!(late.problems[0].kind, ProblemKind::OutOfTime);
    assert!(late.definitions.len() < 20_000);
    // After an interrupted parse, the same parser must read the next file from its start.
    let mut outliner = syntax::Outliner::default();
    outliner.outline(Language::Kotlin, source.as_bytes(), limits);
    let next = outliner.outline(Language::Kotlin, b"fun next() {}", NO_LIMITS);
    assert_eq!(next.definitions.len(), 1);
}

#[test]
fn languages_are_known_by_name_and_by_first_line() {
    for (path, expected) in [
        ("src/main.rs", Some(Language::Rust)),
        ("a\\b\\C.PY", Some(Language::Python)),
        ("lib/Rakefile", Some(Language::Ruby)),
        ("include/x.hpp", Some(Language::Cpp)),
        ("types.d.ts", Some(Language::TypeScript)),
        ("README.md", None),
        ("rs", None),
        ("", None),
    ] {
        assert_eq!(Language::of_path(path), expected, "{path}");
    }
    for (line, expected) in [
        ("#!/usr/bin/env python3.12\n", Some(Language::Python)),
        ("#!/usr/bin/env -S VAR=1 node --flag", Some(Language::JavaScript)),
        ("#!/bin/sh", Some(Language::Bash)),
        ("#!", None),
        ("#!/bin/cat", None),
        ("", None),
    ] {
        assert_eq!(Language::of_shebang(line.as_bytes()), expected, "{line}");
    }
    for language in Language::ALL {
        assert_eq!(Language::of_name(language.name()), Some(language));
    }
}

#[test]
fn a_header_of_cpp_is_not_read_as_c() {
    let source = b"namespace a {\nclass B { void c(); };\n}\n";
    assert_eq!(outline(Language::C, source, NO_LIMITS).language, Language::Cpp);
    assert_eq!(outline(Language::C, b"struct a { int b; };", NO_LIMITS).language, Language::C);
}
