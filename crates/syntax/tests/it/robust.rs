//! Checks properties that hold for every input: no panic, and all spans are inside the source, on character
//! boundaries.

use proptest::prelude::*;
use syntax::{Language, Outline, Span};

use crate::render::{NO_LIMITS, outline};

const SAMPLES: [(Language, &str); 24] = [
    (Language::Rust, include_str!("fixtures/sample.rs")),
    (Language::Python, include_str!("fixtures/sample.py")),
    (Language::TypeScript, include_str!("fixtures/sample.ts")),
    (Language::Tsx, include_str!("fixtures/sample.tsx")),
    (Language::JavaScript, include_str!("fixtures/sample.js")),
    (Language::Go, include_str!("fixtures/sample.go")),
    (Language::Java, include_str!("fixtures/sample.java")),
    (Language::C, include_str!("fixtures/sample.c")),
    (Language::Cpp, include_str!("fixtures/sample.cpp")),
    (Language::CSharp, include_str!("fixtures/sample.cs")),
    (Language::Ruby, include_str!("fixtures/sample.rb")),
    (Language::Php, include_str!("fixtures/sample.php")),
    (Language::Bash, include_str!("fixtures/sample.sh")),
    (Language::Kotlin, include_str!("fixtures/sample.kt")),
    (Language::Swift, include_str!("fixtures/sample.swift")),
    (Language::Scala, include_str!("fixtures/sample.scala")),
    (Language::Vue, include_str!("fixtures/sample.vue")),
    (Language::Svelte, include_str!("fixtures/sample.svelte")),
    (Language::Dart, include_str!("fixtures/sample.dart")),
    (Language::Elixir, include_str!("fixtures/sample.ex")),
    (Language::Razor, include_str!("fixtures/sample.razor")),
    (Language::Sql, include_str!("fixtures/sample.sql")),
    (Language::Css, include_str!("fixtures/sample.scss")),
    (Language::Html, include_str!("fixtures/sample.html")),
];

fn check(language: Language, source: &[u8]) {
    let outline = outline(language, source, NO_LIMITS);
    let text = std::str::from_utf8(source).ok();
    for span in spans(&outline) {
        assert!(span.start <= span.end && span.end as usize <= source.len(), "{span:?}");
        if let Some(text) = text {
            assert!(text.get(span.range()).is_some(), "{span:?} splits a character");
        }
    }
    let n_lines = source.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
    for (index, it) in outline.definitions.iter().enumerate() {
        assert!(it.container.is_none_or(|container| container.index() < index));
        assert!(it.name.start >= it.span.start && it.name.end <= it.span.end, "{it:?}");
        assert!(it.lines.first >= 1 && it.lines.first <= it.lines.last, "{:?}", it.lines);
        assert!(it.lines.last <= n_lines, "{:?} of {n_lines}", it.lines);
        let qualified = outline.qualified_name(syntax::DefinitionId(index as u32), source);
        assert!(text.is_none_or(|_| !qualified.contains("::")));
    }
    for it in &outline.references {
        assert!(it.enclosing.is_none_or(|id| id.index() < outline.definitions.len()));
        assert!(it.line >= 1 && it.line <= n_lines);
    }
}

fn spans(outline: &Outline) -> Vec<Span> {
    let mut spans = Vec::new();
    for it in &outline.definitions {
        spans.extend([it.name, it.span, it.signature]);
        spans.extend([it.owner, it.doc].into_iter().flatten());
    }
    for it in &outline.references {
        spans.push(it.name);
        spans.extend(it.receiver);
    }
    for it in &outline.imports {
        spans.extend(it.alias);
        if let syntax::Imported::Item(name) = it.imported {
            spans.push(name);
        }
    }
    spans.extend(outline.strings.iter().chain(&outline.comments).map(|it| it.span));
    spans
}

/// Generates strings with brackets, quotes, string prefixes of several languages, and characters of all widths.
fn odd_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        proptest::sample::select(PIECES.to_vec()).prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|it| it.concat())
}

#[rustfmt::skip]
const PIECES: [&str; 55] = [
    "{", "}", "(", ")", "[", "]", "<", ">", ":", ";", ",", "=", "=>", "->", ".", "::", "#", "//", "/*", "*/",
    "\"", "'", "`", "\\", "\n", "\n    ", "\r\n", "\t", "\"\"\"", "'''", "r#\"", "$", "${", "$((", "<<EOF\n",
    "<<-'A'\n", "%q(", "%w[", "<<~X\n", "@", "&&", "||", "?", "!", "0", "1.5", "\0", "\u{feff}", "ä", "名前",
    "\u{e0127}", "😀", "fn", "class", "end",
];

/// Returns the settings of the property tests, with at least 300 cases. `PROPTEST_CASES=100000` runs more cases;
/// `PROPTEST_RNG_SEED` selects other cases.
fn config() -> ProptestConfig {
    let asked = ProptestConfig::default();
    ProptestConfig { cases: asked.cases.max(300), failure_persistence: None, ..asked }
}

fn language() -> impl Strategy<Value = Language> {
    proptest::sample::select(Language::ALL.to_vec())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes(language in language(), source in proptest::collection::vec(any::<u8>(), 0..400)) {
        check(language, &source);
    }

    #[test]
    fn any_text(language in language(), source in "\\PC{0,200}") {
        check(language, source.as_bytes());
    }

    #[test]
    fn tokens_in_any_order(
        language in language(),
        words in proptest::collection::vec(proptest::sample::select(vec![
            "fn", "def", "class", "struct", "impl", "for", "if", "else", "match", "{", "}", "(", ")",
            "[", "]", "<", ">", ":", ";", ",", "=", "=>", "->", ".", "::", "#", "//", "/*", "*/", "\"",
            "'", "`", "\\", "\n", "\n    ", "ä", "名前", "x", "Name", "import", "use", "from", "@",
            "\"\"\"", "r#\"", "$", "&&", "||", "?", "!", "0", "1.5", "export", "function", "return",
        ]), 0..80),
    ) {
        check(language, words.join(" ").as_bytes());
        check(language, words.concat().as_bytes());
    }

    #[test]
    fn samples_with_odd_text(
        (language, sample) in proptest::sample::select(SAMPLES.to_vec()),
        from in 0_usize..3000,
        length in 0_usize..200,
        inserted in odd_text(),
    ) {
        let from = sample.floor_char_boundary(from.min(sample.len()));
        let to = sample.floor_char_boundary((from + length).min(sample.len()));
        let mut source = sample.to_owned();
        source.replace_range(from..to, &inserted);
        check(language, source.as_bytes());
    }

    #[test]
    fn samples_cut_and_spliced(
        (language, sample) in proptest::sample::select(SAMPLES.to_vec()),
        from in 0_usize..3000,
        length in 0_usize..200,
        inserted in proptest::collection::vec(any::<u8>(), 0..6),
    ) {
        let mut source = sample.as_bytes().to_vec();
        let from = from.min(source.len());
        let to = (from + length).min(source.len());
        source.splice(from..to, inserted);
        check(language, &source);
    }
}

#[test]
fn samples_in_other_scripts() {
    for (language, sample) in SAMPLES {
        let chinese =
            sample.replace("Cart", "购物车").replace("item", "商品").replace("note", "笔记");
        check(language, chinese.as_bytes());
    }
}

#[test]
fn inputs_that_failed_before() {
    let java = include_str!("fixtures/sample.java").replace("@Service", "@\u{e}<Service");
    let mut html = include_str!("fixtures/sample.html").to_owned();
    html.replace_range(207..214, "");
    let cases = [
        // The reader skipped an opening bracket as part of a header, so the closing bracket ended the file level.
        (Language::Java, java.as_str()),
        // The attributes of an unterminated tag extend into a script, in which the name of a region is not a region.
        (Language::Html, html.as_str()),
        // A constant without a name: the reader searched for the name in the next declarations.
        (Language::Php, "<?php\nconst,=\n\nclass Cart\n{\n    const MAX = 10;\n}\n"),
        (
            Language::Php,
            "<?php\nconst A = 1\n\nclass B implements C, D\n{\n    const MAX = 10;\n}\n",
        ),
        // The string starts with three quotes and ends with one.
        (Language::Swift, "= \n \"\"\" ä \""),
        // In Bash, a digit may follow a brace. The scanner's table of digits ends before this character.
        (Language::Bash, "{\u{e0127}"),
        // A backslash escapes the whole character and not only its first byte.
        (Language::Bash, "log() {\n\\\r\u{e000}\n}\n"),
        // A field name is missing; the reader searched for it after the end of the line.
        (Language::Go, "package jobs\n\ntype Queue struct {\n\tjobs, ;\n}\n"),
    ];
    for (language, source) in cases {
        check(language, source.as_bytes());
    }
}
