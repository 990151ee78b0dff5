//! Extends spans to character boundaries.

use crate::outline::{Imported, Outline};
use crate::span::Span;

/// Extends each span that starts or ends inside a multi-byte character to include that character. Nested spans stay
/// nested.
pub(crate) fn extend_to_characters(outline: &mut Outline, source: &[u8]) {
    for span in spans(outline) {
        while span.start > 0 && is_inside(source, span.start as usize) {
            span.start -= 1;
        }
        while is_inside(source, span.end as usize) {
            span.end += 1;
        }
    }
}

/// Returns whether the byte offset `at` is inside a multi-byte character.
pub(crate) fn is_inside(source: &[u8], at: usize) -> bool {
    source.get(at).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000)
}

fn spans(outline: &mut Outline) -> impl Iterator<Item = &mut Span> {
    let definitions = outline.definitions.iter_mut().flat_map(|it| {
        [&mut it.name, &mut it.span, &mut it.signature]
            .into_iter()
            .chain(&mut it.owner)
            .chain(&mut it.doc)
    });
    let references = outline
        .references
        .iter_mut()
        .flat_map(|it| [&mut it.name].into_iter().chain(&mut it.receiver));
    let imports = outline.imports.iter_mut().flat_map(|it| {
        let item = match &mut it.imported {
            Imported::Item(name) => Some(name),
            Imported::Module | Imported::All | Imported::File => None,
        };
        item.into_iter().chain(&mut it.alias)
    });
    let texts = outline.strings.iter_mut().chain(&mut outline.comments).map(|it| &mut it.span);
    definitions.chain(references).chain(imports).chain(texts)
}
