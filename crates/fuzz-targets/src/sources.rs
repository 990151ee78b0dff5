//! Fuzzes the readers of source files in every known language.

use syntax::{
    DefinitionId, Imported, Language, Outline, OutlineLimits, Outliner, Span, TokenOutliner,
};

const LIMITS: OutlineLimits = OutlineLimits { max_bytes: 1 << 20, deadline: None };

/// Reads the bytes as a source file, with the token reader and with the grammar. The first byte selects the language.
pub fn sources(bytes: &[u8]) {
    let Some((first, source)) = bytes.split_first() else { return };
    let language = Language::ALL[usize::from(*first) % Language::ALL.len()];
    let (mut tokens, mut grammar) = (TokenOutliner::default(), Outliner::default());
    let mut both = || {
        let by_tokens = tokens.outline(language, source, LIMITS);
        [by_tokens, Some(grammar.outline(language, source, LIMITS))]
    };
    let outlines = both();
    outlines.iter().flatten().for_each(|outline| check(outline, source));
    assert_eq!(outlines, both(), "an outliner remembers the file before");
}

fn check(outline: &Outline, source: &[u8]) {
    let text = std::str::from_utf8(source).ok();
    for span in spans(outline) {
        assert!(span.start <= span.end && span.end as usize <= source.len(), "{span:?}");
        assert!(
            text.is_none_or(|text| text.get(span.range()).is_some()),
            "{span:?} splits a character"
        );
    }
    let n_lines = source.iter().filter(|byte| **byte == b'\n').count() + 1;
    for (at, it) in outline.definitions.iter().enumerate() {
        assert!(it.container.is_none_or(|container| container.index() < at), "{it:?}");
        assert!(it.lines.first >= 1 && it.lines.first <= it.lines.last, "{it:?}");
        assert!(it.lines.last as usize <= n_lines, "{it:?} of {n_lines} lines");
        let id = DefinitionId(u32::try_from(at).unwrap_or(u32::MAX));
        assert!(text.is_none() || !outline.qualified_name(id, source).contains("::"));
    }
    for it in &outline.references {
        assert!(it.enclosing.is_none_or(|id| id.index() < outline.definitions.len()), "{it:?}");
        assert!(it.line >= 1 && it.line as usize <= n_lines, "{it:?} of {n_lines} lines");
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
        if let Imported::Item(name) = it.imported {
            spans.push(name);
        }
    }
    spans.extend(outline.strings.iter().chain(&outline.comments).map(|it| it.span));
    spans
}
