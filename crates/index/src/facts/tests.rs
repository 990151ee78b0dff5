//! Tests the facts of small files, decoded from their records.

use std::fmt::Write;

use syntax::Language;

use super::{Analyser, FactsReader, Reading, counts};
use crate::codec::Cursor;

const SOURCE: &str = r#"//! Opens stores.
use crate::disk::Disk;

/// A place for records.
pub struct RecordStore {
    path: String,
}

impl RecordStore {
    /// Opens the store.
    pub fn open_store(path: &str) -> Self {
        Disk::check(path);
        // never fails
        Self { path: "default place".into() }
    }
}
"#;

fn record(source: &[u8], language: Option<Language>) -> Vec<u8> {
    let reading = language.map_or(Reading::Prose, Reading::Code);
    let mut analyser = Analyser::new(&crate::Parser::linked());
    analyser.analyse(source, reading).unwrap()
}

fn shown(record: &[u8]) -> String {
    let reader = FactsReader::new(record);
    let names = reader.names();
    let mut out = format!(
        "{:?} {} lines, lengths {:?}\n",
        reader.head.mark, reader.head.lines, reader.head.lengths
    );
    reader.terms(|term, encoded| {
        let found = counts::read(&mut Cursor::new(encoded));
        writeln!(out, "term {} {found:?}", String::from_utf8_lossy(term)).unwrap();
    });
    reader.symbols(|it| {
        writeln!(
            out,
            "symbol {:?} {} in {:?} {}-{} `{}`",
            it.kind, it.qualified, it.container, it.first_line, it.last_line, it.doc
        )
        .unwrap();
    });
    reader.references(&names, |it, lines| {
        writeln!(
            out,
            "{:?} {}|{} lines {lines:?} in {:?}",
            it.kind, it.receiver, it.name, it.enclosing
        )
        .unwrap();
    });
    reader.bindings(|kind, scope, [name, value]| {
        let [name, value] = [name, value].map(|number| super::name_at(&names, number));
        writeln!(out, "{kind:?} {name} = {value} in {scope:?}").unwrap();
    });
    reader.imports(&names, |it| writeln!(out, "import {} {}", it.path, it.item).unwrap());
    reader.passages(|it| {
        writeln!(
            out,
            "passage {}-{} of {:?}, {} tokens",
            it.first_line, it.last_line, it.symbol, it.length
        )
        .unwrap();
    });
    out
}

#[test]
fn terms_are_counted_in_their_fields() {
    let facts = shown(&record(SOURCE.as_bytes(), Some(Language::Rust)));
    // The counts are in the order Path, Name, Qualified, Signature, Docs, Strings, Body, History.
    assert!(facts.contains("term recordstore [0, 2, 2, 2, 0, 0, 2, 0]"), "{facts}");
    assert!(facts.contains("term fail [0, 0, 0, 0, 1, 0, 0, 0]"), "{facts}");
    assert!(facts.contains("term default [0, 0, 0, 0, 0, 1, 0, 0]"), "{facts}");
    assert!(facts.contains("term check [0, 0, 0, 0, 0, 0, 1, 0]"), "{facts}");
    assert!(facts.contains("import crate::disk Disk"), "{facts}");
    assert!(facts.contains("`Opens the store.`"), "{facts}");
    assert!(facts.contains("Disk|check"), "{facts}");
}

#[test]
fn a_passage_is_a_definition_with_its_doc() {
    let facts = shown(&record(SOURCE.as_bytes(), Some(Language::Rust)));
    let passages: Vec<&str> = facts.lines().filter(|line| line.starts_with("passage")).collect();
    assert!(passages[0].starts_with("passage 1-3 of None"), "{facts}");
    assert!(passages[1].starts_with("passage 4-7 of Some(0)"), "{facts}");
    assert!(passages.iter().any(|line| line.starts_with("passage 10-15 of")), "{facts}");
}

#[test]
fn a_long_text_is_cut_into_pieces() {
    let facts = shown(&record("word\n".repeat(130).as_bytes(), None));
    let passages: Vec<&str> = facts.lines().filter(|line| line.starts_with("passage")).collect();
    assert_eq!(
        passages,
        [
            "passage 1-60 of None, 60 tokens",
            "passage 61-120 of None, 60 tokens",
            "passage 121-130 of None, 10 tokens",
        ]
    );
}

#[test]
fn binary_files_have_no_terms() {
    let facts = shown(&record(b"\x7fELF\0\0\0word", None));
    assert!(facts.starts_with("Binary 0 lines"), "{facts}");
    assert_eq!(facts.lines().count(), 1);
}

#[test]
fn other_encodings_are_read() {
    let utf16: Vec<u8> = [0xfeff_u16]
        .into_iter()
        .chain("login 登录".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let facts = shown(&record(&utf16, None));
    assert!(facts.contains("term login") && facts.contains("term 登录"), "{facts}");
    let facts = shown(&record(b"good \xff\xfe words", None));
    assert!(facts.contains("term good") && facts.contains("term word "), "{facts}");
}

proptest::proptest! {
    #[test]
    fn any_record_can_be_read(mut bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300), at in 0..600_usize, value: u8) {
        shown(&bytes);
        bytes = record(SOURCE.as_bytes(), Some(Language::Rust));
        if let Some(byte) = bytes.get_mut(at) {
            *byte = value;
        }
        shown(&bytes);
    }

    #[test]
    fn any_bytes_have_facts(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..400)) {
        shown(&record(&bytes, Some(Language::Python)));
        shown(&record(&bytes, None));
    }
}
