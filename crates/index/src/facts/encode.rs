//! Encodes a record of facts. [`super::decode`] decodes it.

mod references;

use std::borrow::Cow;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use syntax::{BindingKind, DefinitionId, Imported, Kind, Language, Outline, Span};

use super::memo::TermMemo;
use super::passages::PassageRange;
use super::{FactsHead, MAX_SYMBOL_TEXT, counts};
use crate::codec::{put_step, put_text, put_varint, zigzag};
use crate::text::Field;
use references::put_references;

pub(super) fn encode(
    head: FactsHead,
    text: &str,
    outline: Option<&Outline>,
    ranges: &[PassageRange],
    memo: &mut TermMemo,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(1024);
    out.push(head.mark as u8);
    out.push(head.language.map_or(0, Language::number));
    put_varint(&mut out, u64::from(head.lines));
    for length in head.lengths {
        put_varint(&mut out, u64::from(length));
    }
    let symbol_terms =
        outline.map(|it| SymbolTerms::of(it, text.as_bytes(), memo)).unwrap_or_default();
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

/// The terms that occur in the names of definitions.
#[derive(Default)]
struct SymbolTerms {
    /// The terms of all definitions, each with a bit mask of the fields that contain it. The terms of one definition
    /// are sorted by their indices.
    terms: Vec<(u32, u32)>,
    /// For each definition, the end of its terms. They start where the terms of the previous definition end.
    ends: Vec<usize>,
}

impl SymbolTerms {
    /// Finds the terms in each definition's name and in the name of its container or owner.
    fn of(outline: &Outline, source: &[u8], memo: &mut TermMemo) -> Self {
        let mut found = Self::default();
        let mut own: Vec<(u32, u32)> = Vec::new();
        for definition in &outline.definitions {
            let mut note = |part: &str, field: Field| {
                memo.visit(part, |memo, term| {
                    // A term has no position only if it occurs outside the part of the file that was counted.
                    if memo.position_of(term).is_some() {
                        own.push((term, 1 << field.slot()));
                    }
                });
            };
            note(definition.name.text(source), Field::Name);
            let container = definition.container.and_then(|id| outline.definitions.get(id.index()));
            if let Some(container) = container {
                note(container.name.text(source), Field::Qualified);
            }
            if let Some(owner) = definition.owner {
                note(owner.text(source), Field::Qualified);
            }
            own.sort_unstable();
            for same in own.chunk_by(|a, b| a.0 == b.0) {
                let mask = same.iter().fold(0, |mask, (_, field)| mask | field);
                found.terms.push((same[0].0, mask));
            }
            own.clear();
            found.ends.push(found.terms.len());
        }
        found
    }

    fn of_definition(&self, number: usize) -> &[(u32, u32)] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.terms[start..self.ends[number]]
    }
}

fn put_terms(out: &mut Vec<u8>, memo: &mut TermMemo) {
    memo.sort();
    let mut previous: &[u8] = &[];
    for (term, term_counts) in memo.counts() {
        let shared = previous.iter().zip(term).take_while(|(a, b)| a == b).count();
        put_varint(out, shared as u64);
        put_text(out, &term[shared..]);
        counts::put(out, term_counts);
        previous = term;
    }
}

fn put_symbols(
    out: &mut Vec<u8>,
    text: &str,
    outline: &Outline,
    terms: &SymbolTerms,
    memo: &TermMemo,
) {
    let source = text.as_bytes();
    let mut previous_line = 0_i64;
    let mut places: Vec<(u32, u32)> = Vec::new();
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
        let positions = terms.of_definition(at).iter();
        let positions =
            positions.filter_map(|(term, mask)| Some((memo.position_of(*term)?, *mask)));
        places.clear();
        places.extend(positions);
        places.sort_unstable();
        put_term_list(out, &places);
    }
}

fn put_passages(out: &mut Vec<u8>, ranges: &[PassageRange], memo: &mut TermMemo) {
    let all = memo.passage_terms();
    let is_only = all.first().map(|it| it.passage) == all.last().map(|it| it.passage);
    let mut previous_line = 0_i64;
    let mut terms = Vec::new();
    for of_passage in all.chunk_by(|a, b| a.passage == b.passage) {
        let Some(range) = ranges.get(of_passage[0].passage as usize) else { continue };
        put_varint(out, range.symbol.map_or(0, |symbol| u64::from(symbol) + 1));
        put_varint(out, zigzag(i64::from(range.first_line) - previous_line));
        put_varint(out, u64::from(range.last_line.saturating_sub(range.first_line)));
        previous_line = i64::from(range.first_line);
        put_varint(out, of_passage.iter().map(|it| u64::from(it.count)).sum());
        terms.clear();
        if !is_only {
            terms.extend(of_passage.iter().map(|it| (it.term, it.count)));
        }
        put_term_list(out, &terms);
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

/// Writes the qualified name. If it ends with `name`, then writes the length of `name` plus one. Otherwise, writes a
/// zero and `name`.
fn put_names(out: &mut Vec<u8>, name: &str, qualified: String) {
    let is_ending = qualified.ends_with(name);
    put_text(out, qualified.as_bytes());
    put_varint(out, if is_ending { name.len() as u64 + 1 } else { 0 });
    if !is_ending {
        put_text(out, name.as_bytes());
    }
}

fn put_bindings<'t>(out: &mut Vec<u8>, text: &'t str, outline: &'t Outline, names: &mut Names<'t>) {
    let source = text.as_bytes();
    for binding in &outline.bindings {
        out.push(BindingKind::ALL.iter().position(|kind| *kind == binding.kind).unwrap_or(0) as u8);
        put_varint(out, binding.scope.map_or(0, |id| u64::from(id.0) + 1));
        put_varint(out, names.number(binding.name.text(source)));
        put_varint(out, names.number(binding.value.as_str()));
    }
}

fn put_imports<'t>(out: &mut Vec<u8>, text: &'t str, outline: &'t Outline, names: &mut Names<'t>) {
    let source = text.as_bytes();
    for import in &outline.imports {
        put_varint(out, names.number(import.path.as_str()));
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

fn text_of(span: Option<Span>, source: &[u8]) -> &str {
    span.map(|span| span.text(source)).unwrap_or_default()
}

fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MAX_SYMBOL_TEXT)).unwrap_or_default()
}

/// Returns the maximum length of a stored signature, in bytes. For fields, constants and similar symbols, no signature
/// is stored, because their definition is usually one line.
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

/// Replaces each run of white space with one space, and cuts the text after the last word that fits into `max_bytes`.
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

/// The distinct names in a record, numbered in the order of first use.
#[derive(Default)]
struct Names<'t> {
    numbers: FxHashMap<Cow<'t, str>, u64>,
    order: Vec<u8>,
}

impl<'t> Names<'t> {
    fn number(&mut self, name: impl Into<Cow<'t, str>>) -> u64 {
        let next = self.numbers.len() as u64;
        match self.numbers.entry(name.into()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                put_text(&mut self.order, new.key().as_bytes());
                *new.insert(next)
            }
        }
    }

    fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.order);
    }
}
