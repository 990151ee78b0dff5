//! Formats an outline as text for comparison.

use syntax::{
    DefinitionId, Imported, Language, Outline, OutlineLimits, Outliner, Reference, Span,
    TokenOutliner,
};

pub(crate) const NO_LIMITS: OutlineLimits = OutlineLimits { max_bytes: usize::MAX, deadline: None };

/// Returns the outline of a source file, which is read as in the product: with the grammar only if no other reader
/// supports it.
pub(crate) fn outline(language: Language, source: &[u8], limits: OutlineLimits) -> Outline {
    let without_grammar = TokenOutliner::default().outline(language, source, limits);
    without_grammar.unwrap_or_else(|| Outliner::default().outline(language, source, limits))
}

/// Returns the outline as text, with one line for each element.
pub(crate) fn render(language: Language, source: &[u8]) -> String {
    text_of(&outline(language, source, NO_LIMITS), source)
}

pub(crate) fn render_by_grammar(language: Language, source: &[u8]) -> String {
    text_of(&Outliner::default().outline(language, source, NO_LIMITS), source)
}

fn text_of(outline: &Outline, source: &[u8]) -> String {
    let mut text = format!("{}\n", outline.language.name());
    definitions(&mut text, outline, source);
    references(&mut text, outline, source);
    imports(&mut text, outline, source);
    for it in &outline.strings {
        text.push_str(&format!("{} string {}\n", it.lines.first, one_line(it.span, source)));
    }
    for it in &outline.comments {
        text.push_str(&format!("{} comment {}\n", it.lines.first, one_line(it.span, source)));
    }
    for it in &outline.problems {
        text.push_str(&format!("{} problem {:?}\n", it.line, it.kind));
    }
    text
}

fn definitions(text: &mut String, outline: &Outline, source: &[u8]) {
    for (index, it) in outline.definitions.iter().enumerate() {
        let name = outline.qualified_name(DefinitionId(index as u32), source);
        text.push_str(&format!("{}-{} {} {name}", it.lines.first, it.lines.last, it.kind.name()));
        if let Some(it) = it.complexity {
            text.push_str(&format!(" [{} {} {}]", it.cyclomatic, it.cognitive, it.nesting));
        }
        text.push_str(&format!(" | {}\n", one_line(it.signature, source)));
        if let Some(doc) = it.doc {
            text.push_str(&format!("    doc {}\n", one_line(doc, source)));
        }
    }
}

fn references(text: &mut String, outline: &Outline, source: &[u8]) {
    for Reference { kind, name, receiver, line, enclosing } in &outline.references {
        let kind = format!("{kind:?}").to_lowercase();
        text.push_str(&format!("{line} {kind} {}", name.text(source)));
        if let Some(receiver) = receiver {
            text.push_str(&format!(" of {}", receiver.text(source)));
        }
        if let Some(enclosing) = enclosing {
            text.push_str(&format!(" in {}", outline.qualified_name(*enclosing, source)));
        }
        text.push('\n');
    }
}

fn imports(text: &mut String, outline: &Outline, source: &[u8]) {
    for it in &outline.imports {
        text.push_str(&format!("{} import {}", it.line, it.path));
        match it.imported {
            Imported::Module => {}
            Imported::All => text.push_str(" *"),
            Imported::File => text.push_str(" file"),
            Imported::Item(name) => text.push_str(&format!(" {}", name.text(source))),
        }
        if let Some(alias) = it.alias {
            text.push_str(&format!(" as {}", alias.text(source)));
        }
        text.push('\n');
    }
}

fn one_line(span: Span, source: &[u8]) -> String {
    span.text(source).split_whitespace().collect::<Vec<_>>().join(" ")
}
