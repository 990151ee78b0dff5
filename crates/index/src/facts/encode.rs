//! Encodes a record of facts. [`super::decode`] decodes it.

use rustc_hash::FxHashMap;
use syntax::{
    BindingKind, Definition, DefinitionId, Imported, Kind, Language, Outline, Reference, Span,
};

use super::memo::TermMemo;
use super::passages::PassageRange;
use super::{FactsHead, LITERAL, MAX_SYMBOL_TEXT, UNNAMED, counts};
use crate::codec::{put_step, put_text, put_varint, zigzag};
use crate::text::Field;

pub(super) fn encode(
    head: FactsHead,
    text: &str,
    outline: Option<&Outline>,
    ranges: &[PassageRange],
    memo: &mut TermMemo,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(1024);
    out.push(head.mark.code());
    out.push(head.language.map_or(0, Language::number));
    put_varint(&mut out, u64::from(head.lines));
    for length in head.lengths {
        put_varint(&mut out, u64::from(length));
    }
    let symbol_terms = outline.map(|outline| symbol_terms(memo, text, outline)).unwrap_or_default();
    let mut parts: [Vec<u8>; 7] = Default::default();
    let [terms, names, symbols, references, imports, bindings, passages] = &mut parts;
    put_terms(terms, memo);
    let mut numbered = Names::default();
    if let Some(outline) = outline {
        put_symbols(symbols, text, outline, &symbol_terms, memo);
        put_references(references, text, outline, &mut numbered);
        put_imports(imports, text, outline, &mut numbered);
        put_bindings(bindings, text, outline, &mut numbered);
    }
    numbered.put(names);
    put_passages(passages, ranges, memo);
    // The lengths precede the parts, so that a reader can skip to the part it needs.
    for part in &parts {
        put_varint(&mut out, part.len() as u64);
    }
    for part in &parts {
        out.extend_from_slice(part);
    }
    out
}

/// Returns, for each definition, the terms of its name and of its container's or owner's name, each with a mask of
/// fields.
fn symbol_terms(memo: &mut TermMemo, text: &str, outline: &Outline) -> Vec<Vec<(u32, u32)>> {
    let source = text.as_bytes();
    let of_definition = |memo: &mut TermMemo, definition: &Definition| {
        let mut found: Vec<(u32, u32)> = Vec::new();
        let mut note = |memo: &mut TermMemo, part: &str, field: Field| {
            memo.visit(part, |memo, term| {
                // A term has no position only if it occurs outside the part of the file that was counted.
                if memo.position_of(term).is_some() {
                    found.push((term, 1 << field.slot()));
                }
            });
        };
        note(memo, definition.name.text(source), Field::Name);
        if let Some(container) =
            definition.container.and_then(|id| outline.definitions.get(id.index()))
        {
            note(memo, container.name.text(source), Field::Qualified);
        }
        if let Some(owner) = definition.owner {
            note(memo, owner.text(source), Field::Qualified);
        }
        found.sort_unstable();
        found.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 |= later.1;
            }
            same
        });
        found
    };
    outline.definitions.iter().map(|definition| of_definition(memo, definition)).collect()
}

fn put_terms(out: &mut Vec<u8>, memo: &mut TermMemo) {
    let sorted = memo.sorted();
    let mut previous: &str = "";
    for (term, _, term_counts) in sorted {
        let shared = previous.bytes().zip(term.bytes()).take_while(|(a, b)| a == b).count();
        put_varint(out, shared as u64);
        put_text(out, &term.as_bytes()[shared..]);
        counts::put(out, &term_counts);
        previous = term;
    }
}

fn put_symbols(
    out: &mut Vec<u8>,
    text: &str,
    outline: &Outline,
    terms: &[Vec<(u32, u32)>],
    memo: &TermMemo,
) {
    let source = text.as_bytes();
    let mut previous_line = 0_i64;
    for (at, definition) in outline.definitions.iter().enumerate() {
        out.push(definition.kind as u8);
        put_names(
            out,
            definition.name.text(source),
            outline.qualified_name(DefinitionId(at as u32), source),
        );
        put_varint(out, definition.container.map_or(0, |id| u64::from(id.0) + 1));
        put_varint(out, zigzag(i64::from(definition.lines.first) - previous_line));
        put_varint(out, u64::from(definition.lines.count() - 1));
        previous_line = i64::from(definition.lines.first);
        let signature = one_line(definition.signature.text(source), max_signature(definition.kind));
        put_text(out, signature.as_bytes());
        put_text(
            out,
            cut(clean_doc(definition.doc.map(|doc| doc.text(source)).unwrap_or_default()).trim())
                .as_bytes(),
        );
        match definition.complexity {
            None => out.push(0),
            Some(complexity) => {
                out.push(1);
                for figure in [complexity.cyclomatic, complexity.cognitive, complexity.nesting] {
                    put_varint(out, u64::from(figure));
                }
            }
        }
        let mut places: Vec<(u32, u32)> = terms[at]
            .iter()
            .filter_map(|(term, mask)| Some((memo.position_of(*term)?, *mask)))
            .collect();
        places.sort_unstable();
        put_term_list(out, &places);
    }
}

fn put_passages(out: &mut Vec<u8>, ranges: &[PassageRange], memo: &mut TermMemo) {
    let passages = memo.passage_terms();
    let is_only = passages.len() == 1;
    let mut previous_line = 0_i64;
    for (number, terms) in passages {
        let Some(range) = ranges.get(number as usize) else { continue };
        put_varint(out, range.symbol.map_or(0, |symbol| u64::from(symbol) + 1));
        put_varint(out, zigzag(i64::from(range.first_line) - previous_line));
        put_varint(out, u64::from(range.last_line.saturating_sub(range.first_line)));
        previous_line = i64::from(range.first_line);
        put_varint(out, terms.iter().map(|(_, count)| u64::from(*count)).sum());
        put_term_list(out, if is_only { &[] } else { &terms });
    }
}

fn put_term_list(out: &mut Vec<u8>, terms: &[(u32, u32)]) {
    let mut encoded = Vec::with_capacity(terms.len() * 3);
    let mut last = 0;
    for (place, number) in terms {
        put_step(&mut encoded, place - last, *number);
        last = *place;
    }
    put_varint(out, terms.len() as u64);
    put_text(out, &encoded);
}

/// Writes the qualified name. If it ends with the name, the length of the name plus one follows. Otherwise a zero and
/// the name follow.
fn put_names(out: &mut Vec<u8>, name: &str, qualified: String) {
    let is_ending = qualified.ends_with(name);
    put_text(out, qualified.as_bytes());
    put_varint(out, if is_ending { name.len() as u64 + 1 } else { 0 });
    if !is_ending {
        put_text(out, name.as_bytes());
    }
}

/// The maximum number of lines that are stored for repeated references from the same definition.
const MAX_REPETITIONS: usize = 20;

/// Writes the references. Repeated references from the same definition are written once, with the line of each.
fn put_references(out: &mut Vec<u8>, text: &str, outline: &Outline, names: &mut Names) {
    let source = text.as_bytes();
    let mut positions = FxHashMap::default();
    let mut grouped: Vec<(ReferenceKey, Vec<u32>)> = Vec::new();
    for Reference { kind, name, receiver, line, enclosing } in &outline.references {
        let code = super::REFERENCE_KINDS.iter().position(|known| known == kind).unwrap_or(0);
        let name = names.number(name.text(source));
        let receiver = match receiver {
            Some(receiver) => names.number(&receiver_chain(receiver.text(source))),
            None => names.number(""),
        };
        let enclosing = enclosing.map_or(0, |id| u64::from(id.0) + 1);
        let key = ReferenceKey { code, name, receiver, enclosing };
        let at = *positions.entry(key).or_insert_with(|| {
            grouped.push((key, Vec::new()));
            grouped.len() - 1
        });
        let lines = &mut grouped[at].1;
        if lines.last() != Some(line) && lines.len() < MAX_REPETITIONS {
            lines.push(*line);
        }
    }
    let mut previous_line = 0_i64;
    for (key, lines) in grouped {
        out.push(key.code as u8);
        put_varint(out, key.name);
        put_varint(out, key.receiver);
        put_varint(out, key.enclosing);
        put_varint(out, lines.len() as u64);
        for line in lines {
            put_varint(out, zigzag(i64::from(line) - previous_line));
            previous_line = i64::from(line);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ReferenceKey {
    code: usize,
    name: u64,
    receiver: u64,
    enclosing: u64,
}

/// Returns a receiver as a chain, [`LITERAL`] for a literal, or [`UNNAMED`] for any other expression.
fn receiver_chain(receiver: &str) -> String {
    if receiver.starts_with(['"', '\'', '`', '[', '{'])
        || receiver.starts_with(|it: char| it.is_ascii_digit())
    {
        return LITERAL.to_owned();
    }
    let whole = syntax::read_chain(receiver.as_bytes(), 0)
        .filter(|chain| receiver[chain.end..].trim_matches(['?', '!', ' ']).is_empty());
    whole.map_or_else(|| plain_receiver(receiver).to_owned(), |chain| chain.text)
}

/// Returns the last name of a receiver that is not a chain. The name often identifies a type or a module.
fn plain_receiver(receiver: &str) -> &str {
    let receiver = receiver.trim_end_matches(['?', '!', '(', ')']);
    let last = receiver.rsplit(['.', ':', '/', '\\', '>']).next().unwrap_or(receiver);
    let is_name = last.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '$' | '@'));
    if is_name && !last.is_empty() { last } else { UNNAMED }
}

fn put_bindings(out: &mut Vec<u8>, text: &str, outline: &Outline, names: &mut Names) {
    let source = text.as_bytes();
    for binding in &outline.bindings {
        out.push(BindingKind::ALL.iter().position(|kind| *kind == binding.kind).unwrap_or(0) as u8);
        put_varint(out, binding.scope.map_or(0, |id| u64::from(id.0) + 1));
        put_varint(out, names.number(binding.name.text(source)));
        put_varint(out, names.number(&binding.value));
    }
}

fn put_imports(out: &mut Vec<u8>, text: &str, outline: &Outline, names: &mut Names) {
    let source = text.as_bytes();
    for import in &outline.imports {
        put_varint(out, names.number(&import.path));
        let item = match import.imported {
            Imported::Module => "",
            Imported::All => "*",
            Imported::File => super::ImportFact::FILE,
            Imported::Item(name) => name.text(source),
        };
        put_varint(out, names.number(item));
        put_varint(out, names.number(text_of(import.alias, source)));
        put_varint(out, u64::from(import.line));
    }
}

/// The distinct names in a record, numbered in the order of first use.
#[derive(Default)]
struct Names {
    numbers: FxHashMap<String, u64>,
    order: Vec<u8>,
}

impl Names {
    fn number(&mut self, name: &str) -> u64 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.numbers.len() as u64;
        self.numbers.insert(name.to_owned(), number);
        put_text(&mut self.order, name.as_bytes());
        number
    }

    fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.order);
    }
}

fn text_of(span: Option<Span>, source: &[u8]) -> &str {
    span.map(|span| span.text(source)).unwrap_or_default()
}

fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MAX_SYMBOL_TEXT)).unwrap_or_default()
}

/// Returns the maximum length of a stored signature. Fields and constants have no signature, because their definition
/// is one line.
fn max_signature(kind: Kind) -> usize {
    match kind {
        Kind::Field | Kind::Property | Kind::Variant | Kind::Variable | Kind::Constant => 0,
        Kind::Module
        | Kind::Class
        | Kind::Struct
        | Kind::Enum
        | Kind::Interface
        | Kind::Trait
        | Kind::Extension
        | Kind::TypeAlias
        | Kind::Function
        | Kind::Method
        | Kind::Constructor
        | Kind::Test
        | Kind::Macro => 140,
    }
}

/// Replaces each run of white space by one space, and cuts the text after the last word that fits into `max_bytes`.
fn one_line(text: &str, max_bytes: usize) -> String {
    let mut line = String::with_capacity(text.len().min(max_bytes));
    for word in text.split_whitespace() {
        if line.len() + word.len() >= max_bytes {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Returns a doc comment on one line, without comment markers.
fn clean_doc(doc: &str) -> String {
    let marks = |character: char| {
        matches!(character, '/' | '*' | '#' | '!' | '"' | '\'') || character.is_whitespace()
    };
    let lines = doc.lines().map(|line| line.trim_matches(marks)).filter(|line| !line.is_empty());
    let mut clean = String::new();
    for line in lines {
        if !clean.is_empty() {
            clean.push(' ');
        }
        clean.push_str(line);
        if clean.len() > MAX_SYMBOL_TEXT {
            break;
        }
    }
    clean
}
