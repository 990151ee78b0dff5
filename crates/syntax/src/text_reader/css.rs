//! Reads the rules, mixins, variables and imports in CSS, SCSS and Less. A rule is named after its selector.

use super::{Reader, after, after_string, trimmed};
use crate::definition::{DefinitionId, Kind};
use crate::span::Span;

/// The maximum length of a selector that is used as a name. A longer selector is cut at the last space within this
/// length.
const MAX_SELECTOR: usize = 80;
/// The maximum depth of nested rules.
const MAX_DEPTH: usize = 64;

/// A block whose closing brace has not been reached.
struct Block {
    definition: Option<DefinitionId>,
    enclosing: Option<DefinitionId>,
}

pub(super) fn read(reader: &mut Reader<'_>) {
    let source = reader.source;
    let mut open: Vec<Block> = Vec::new();
    let mut enclosing = None;
    let mut start = 0;
    let mut at = 0;
    while at < source.len() {
        match source[at] {
            // `//` is a comment in SCSS and Less, and part of a URL elsewhere.
            b'/' if source.get(at + 1) == Some(&b'*')
                || source.get(at + 1) == Some(&b'/') && (at == 0 || source[at - 1] != b':') =>
            {
                let closing: &[u8] = if source[at + 1] == b'*' { b"*/" } else { b"\n" };
                let end = after(source, at + 2, closing);
                reader.comment(at, end);
                start = if trimmed(source, start, at).is_empty() { end } else { start };
                at = end;
                continue;
            }
            b'"' | b'\'' => {
                at = after_string(source, at);
                continue;
            }
            b'{' => {
                let interpolates = at > 0 && matches!(source[at - 1], b'#' | b'$' | b'@');
                if !interpolates || trimmed(source, start, at - 1).is_empty() {
                    let definition = header(reader, start, at, enclosing);
                    if open.len() < MAX_DEPTH {
                        open.push(Block { definition, enclosing });
                        enclosing = definition.or(enclosing);
                    }
                    start = at + 1;
                } else {
                    at = after(source, at, b"}");
                    continue;
                }
            }
            b'}' => {
                statement(reader, start, at, enclosing);
                if let Some(block) = open.pop() {
                    if let Some(definition) = block.definition {
                        reader.end_definition(definition, at + 1);
                    }
                    enclosing = block.enclosing;
                }
                start = at + 1;
            }
            b';' => {
                statement(reader, start, at, enclosing);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    for definition in open.into_iter().rev().filter_map(|block| block.definition) {
        reader.end_definition(definition, source.len());
    }
}

/// Records the rule, mixin, function or animation whose header lies between `start` and the brace at `brace`. Returns
/// its definition, or `None` for other blocks, such as `@media`.
fn header(
    reader: &mut Reader<'_>,
    start: usize,
    brace: usize,
    container: Option<DefinitionId>,
) -> Option<DefinitionId> {
    let text = trimmed(reader.source, start, brace);
    let bytes = text.of(reader.source);
    let around = container.and_then(|id| reader.outline.definitions.get(id.index()));
    // The steps of `@keyframes` are not rules.
    if around.is_some_and(|it| it.kind == Kind::Constant) {
        return None;
    }
    let (kind, name) = match bytes.first()? {
        b'@' => {
            let word_end = bytes.iter().position(|byte| !is_name_byte(*byte) && *byte != b'@')?;
            let kind = match &bytes[1..word_end] {
                b"mixin" | b"function" => Kind::Function,
                b"keyframes" => Kind::Constant,
                _ => return None,
            };
            let from = text.start as usize + word_end;
            let rest = &bytes[word_end..];
            let skipped = rest.len() - rest.trim_ascii_start().len();
            let length = rest[skipped..].iter().take_while(|byte| is_name_byte(**byte)).count();
            (kind, Span::new(from + skipped..from + skipped + length))
        }
        _ => (Kind::Class, first_selector(reader.source, text)),
    };
    let header = (text.start as usize, text.end as usize, brace + 1);
    (!name.is_empty()).then(|| reader.define(kind, name, header, container))
}

/// Returns the first selector in a list, without its leading dot or `#`. A selector that is longer than
/// [`MAX_SELECTOR`] is cut at a space.
fn first_selector(source: &[u8], text: Span) -> Span {
    let bytes = text.of(source);
    let mut end = bytes.iter().position(|byte| *byte == b',').unwrap_or(bytes.len());
    if end > MAX_SELECTOR {
        let short = &bytes[..MAX_SELECTOR];
        end = short.iter().rposition(u8::is_ascii_whitespace).unwrap_or(0);
    }
    // The dot of a class selector and the `#` of an id selector are not part of the name.
    let sign = usize::from(end > 1 && matches!(bytes[0], b'.' | b'#'));
    trimmed(source, text.start as usize + sign, text.start as usize + end)
}

/// Records a variable (`--gap: 4px`, `$gap: 4px`) or an import.
fn statement(reader: &mut Reader<'_>, start: usize, end: usize, container: Option<DefinitionId>) {
    let text = trimmed(reader.source, start, end);
    let bytes = text.of(reader.source);
    let is_import =
        [b"@import".as_slice(), b"@use", b"@forward"].iter().any(|word| bytes.starts_with(word));
    if is_import {
        let quotes = |byte: &u8| matches!(byte, b'"' | b'\'');
        if let Some(open) = bytes.iter().position(quotes) {
            let from = text.start as usize + open;
            let to = after_string(reader.source, from);
            reader.import(Span::new(from + 1..to.saturating_sub(1).max(from + 1)));
        }
    } else if bytes.starts_with(b"--") || bytes.starts_with(b"$") {
        let length = bytes.iter().take_while(|byte| is_name_byte(**byte) || **byte == b'$').count();
        let name = Span::new(text.start as usize..text.start as usize + length);
        if bytes[length..].trim_ascii_start().starts_with(b":") {
            let whole = (text.start as usize, text.end as usize, text.end as usize);
            reader.define(Kind::Variable, name, whole, container);
        }
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || byte >= 0x80
}
