//! An outline as text, for tests to compare.

use std::fmt::Write;

use syntax::{DefinitionId, Imported, Language, Limits, Outline, Reference, Span, outline};

pub(crate) const NO_LIMITS: Limits = Limits { max_bytes: usize::MAX, deadline: None };

/// Everything in the outline, one thing per line.
pub(crate) fn render(language: Language, source: &[u8]) -> String {
    let outline = outline(language, source, NO_LIMITS);
    let mut text = format!("{}\n", outline.language.name());
    definitions(&mut text, &outline, source);
    references(&mut text, &outline, source);
    imports(&mut text, &outline, source);
    for it in &outline.strings {
        writeln!(text, "{} string {}", it.lines.first, one_line(it.span, source)).unwrap();
    }
    for it in &outline.comments {
        writeln!(text, "{} comment {}", it.lines.first, one_line(it.span, source)).unwrap();
    }
    for it in &outline.problems {
        writeln!(text, "{} problem {:?}", it.line, it.kind).unwrap();
    }
    text
}

fn definitions(text: &mut String, outline: &Outline, source: &[u8]) {
    for (index, it) in outline.definitions.iter().enumerate() {
        let name = outline.qualified_name(DefinitionId(index as u32), source);
        write!(text, "{}-{} {} {name}", it.lines.first, it.lines.last, it.kind.name()).unwrap();
        if let Some(it) = it.complexity {
            write!(text, " [{} {} {}]", it.cyclomatic, it.cognitive, it.nesting).unwrap();
        }
        writeln!(text, " | {}", one_line(it.signature, source)).unwrap();
        if let Some(doc) = it.doc {
            writeln!(text, "    doc {}", one_line(doc, source)).unwrap();
        }
    }
}

fn references(text: &mut String, outline: &Outline, source: &[u8]) {
    for Reference { kind, name, receiver, line, enclosing } in &outline.references {
        write!(text, "{line} {} {}", kind.name(), name.text(source)).unwrap();
        if let Some(receiver) = receiver {
            write!(text, " of {}", receiver.text(source)).unwrap();
        }
        if let Some(enclosing) = enclosing {
            write!(text, " in {}", outline.qualified_name(*enclosing, source)).unwrap();
        }
        text.push('\n');
    }
}

fn imports(text: &mut String, outline: &Outline, source: &[u8]) {
    for it in &outline.imports {
        write!(text, "{} import {}", it.line, it.path).unwrap();
        match it.imported {
            Imported::Module => {}
            Imported::All => text.push_str(" *"),
            Imported::Item(name) => write!(text, " {}", name.text(source)).unwrap(),
        }
        if let Some(alias) = it.alias {
            write!(text, " as {}", alias.text(source)).unwrap();
        }
        text.push('\n');
    }
}

fn one_line(span: Span, source: &[u8]) -> String {
    span.text(source).split_whitespace().collect::<Vec<_>>().join(" ")
}
