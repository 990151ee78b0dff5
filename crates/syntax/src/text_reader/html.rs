//! Reads pages and templates. Finds the regions that start at an element with an id or at a template block, and the
//! files that the page refers to. The scripts in a page are read with the grammar of their language.

use super::{Reader, after, trimmed};
use crate::definition::{Definition, DefinitionId, Kind};
use crate::languages::Language;
use crate::outline::{Import, Imported, Outline};
use crate::span::Span;

/// The start of a region.
struct Mark {
    kind: Kind,
    name: Span,
    start: usize,
    header_end: usize,
}

/// Adds the page's regions, and the files that the page refers to, to `outline`, which already contains the page's
/// scripts. A region ends where the next region or script starts.
pub(crate) fn add_regions(source: &[u8], outline: Outline) -> Outline {
    let mut reader = Reader::new(source, outline);
    let scripts = std::mem::take(&mut reader.outline.definitions);
    let mut marks = Vec::new();
    let mut ends = Vec::new();
    let mut at = 0;
    while let Some(offset) = source[at..].iter().position(|byte| matches!(byte, b'<' | b'{')) {
        let start = at + offset;
        at = match source.get(start + 1) {
            Some(b'!') if source[start..].starts_with(b"<!--") => after(source, start, b"-->"),
            Some(b'%') if source[start] == b'{' => template_tag(&mut reader, start, &mut marks),
            Some(byte) if source[start] == b'<' && byte.is_ascii_alphabetic() => {
                let end = element(&mut reader, start, &mut marks);
                component(&mut reader, start);
                let name = &source[start + 1..end];
                let is = |tag: &[u8]| {
                    name.get(..tag.len()).is_some_and(|it| it.eq_ignore_ascii_case(tag))
                };
                if is(b"script") {
                    ends.push(start);
                    after(source, end, b"</script")
                } else if is(b"style") {
                    ends.push(start);
                    after(source, end, b"</style")
                } else {
                    end
                }
            }
            _ => start + 1,
        };
    }
    ends.extend(marks.iter().map(|mark| mark.start));
    ends.extend(scripts.iter().map(|it| it.span.start as usize));
    ends.push(source.len());
    ends.sort_unstable();
    for mark in &marks {
        let end = ends[ends.partition_point(|end| *end <= mark.start)];
        let end = trimmed(source, mark.start, end).end as usize;
        // In broken markup, a script can start before the name.
        if mark.name.end as usize > end {
            continue;
        }
        let header_end = mark.header_end.min(end);
        reader.define(mark.kind, mark.name, (mark.start, header_end, end), None);
    }
    let regions = std::mem::take(&mut reader.outline.definitions);
    merge(&mut reader.outline, scripts, regions);
    reader.outline
}

/// Reads the attributes of the tag at `start`: an `id` starts a region, and `src` and `href` refer to files. Returns
/// the position after the tag.
fn element(reader: &mut Reader<'_>, start: usize, marks: &mut Vec<Mark>) -> usize {
    let source = reader.source;
    let mut at = start + 1;
    while at < source.len() && source[at] != b'>' {
        let byte = source[at];
        if !matches!(byte, b'"' | b'\'') {
            at += 1;
            continue;
        }
        let rest = &source[at + 1..];
        let end = at + 1 + rest.iter().position(|it| *it == byte).unwrap_or(rest.len());
        let value = Span::new(at + 1..end);
        let before = &source[start..at];
        if ends_with_attribute(before, b"id") && is_plain_name(value.of(source)) {
            marks.push(Mark { kind: Kind::Property, name: value, start, header_end: end + 1 });
        } else if ends_with_attribute(before, b"src") || ends_with_attribute(before, b"href") {
            import(reader, value);
        }
        at = (end + 1).min(source.len());
    }
    (at + 1).min(source.len())
}

/// Records the file that defines a Razor component, if the tag at `start` is a component. The name of a component
/// starts with an upper-case letter.
fn component(reader: &mut Reader<'_>, start: usize) {
    let name = &reader.source[start + 1..];
    // In `List<Item>`, the name after `<` is a type argument.
    let follows_name = start > 0 && reader.source[start - 1].is_ascii_alphanumeric();
    let length = name.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let is_component = reader.outline.language == Language::Razor && !follows_name;
    if is_component && name[0].is_ascii_uppercase() {
        let path = format!("{}.razor", String::from_utf8_lossy(&name[..length]));
        let line = reader.line(start);
        reader.outline.imports.push(Import { path, imported: Imported::File, alias: None, line });
    }
}

/// Returns whether `before` ends with ` name=`.
fn ends_with_attribute(before: &[u8], name: &[u8]) -> bool {
    let Some(before) = before.trim_ascii_end().strip_suffix(b"=") else { return false };
    let before = before.trim_ascii_end();
    let starts_at = before.len().checked_sub(name.len());
    starts_at.is_some_and(|at| {
        before[at..].eq_ignore_ascii_case(name)
            && before[..at].last().is_some_and(u8::is_ascii_whitespace)
    })
}

/// Reads a template tag such as `{% block name %}`, `{% macro name() %}`, `{% extends "file" %}` or
/// `{% include "file" %}`. Returns the position after the tag.
fn template_tag(reader: &mut Reader<'_>, start: usize, marks: &mut Vec<Mark>) -> usize {
    let source = reader.source;
    let end = after(source, start + 2, b"%}");
    let inner = &source[start + 2..end];
    let inner_start = start + 2 + inner.iter().take_while(|it| **it == b'-').count();
    let tag = trimmed(source, inner_start, end);
    let bytes = tag.of(source);
    let word_length = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let rest = &bytes[word_length..];
    let from = tag.start as usize + word_length;
    match &bytes[..word_length] {
        b"block" | b"macro" => {
            let skipped = rest.len() - rest.trim_ascii_start().len();
            let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            let length = rest[skipped..].iter().take_while(is_name).count();
            let name = Span::new(from + skipped..from + skipped + length);
            if !name.is_empty() {
                marks.push(Mark { kind: Kind::Function, name, start, header_end: end });
            }
        }
        b"extends" | b"include" | b"import" | b"from" | b"static" => {
            if let Some(value) = quoted_part(source, Span { start: from as u32, ..tag }) {
                import(reader, value);
            }
        }
        _ => {}
    }
    end
}

/// Records a file that the page refers to. Links to other sites and links within the page are not files.
fn import(reader: &mut Reader<'_>, value: Span) {
    let path = quoted_part(reader.source, value).unwrap_or(value);
    let bytes = path.of(reader.source);
    let is_file = !bytes.contains(&b':') && !bytes.starts_with(b"//") && !bytes.starts_with(b"#");
    let has_extension =
        bytes.rsplit(|byte| *byte == b'/').next().is_some_and(|it| it.contains(&b'.'));
    if is_file && has_extension && !bytes.contains(&b'{') && !bytes.contains(&b'<') {
        reader.import(path);
    }
}

/// Returns the quoted part of a value or tag such as `{% static 'cart.css' %}`, or `None` if nothing in it is quoted.
fn quoted_part(source: &[u8], value: Span) -> Option<Span> {
    let bytes = value.of(source);
    let open = bytes.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
    let length = bytes[open + 1..].iter().position(|byte| *byte == bytes[open])?;
    let start = value.start as usize + open + 1;
    Some(Span::new(start..start + length))
}

fn is_plain_name(name: &[u8]) -> bool {
    let is_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || *byte >= 0x80;
    name.len() > 1 && name.iter().all(is_name)
}

/// Merges the regions with the definitions in the scripts, in source order.
fn merge(outline: &mut Outline, scripts: Vec<Definition>, regions: Vec<Definition>) {
    let mut regions = regions.into_iter().peekable();
    let mut new_ids: Vec<DefinitionId> = Vec::with_capacity(scripts.len());
    let merged = &mut outline.definitions;
    for script in scripts {
        while let Some(region) = regions.next_if(|it| it.span.start < script.span.start) {
            merged.push(region);
        }
        new_ids.push(DefinitionId(merged.len() as u32));
        // A container precedes its members, so its new id is already known.
        let container = script.container.and_then(|old| new_ids.get(old.index()).copied());
        merged.push(Definition { container, ..script });
    }
    merged.extend(regions);
    let new_id = |old: DefinitionId| new_ids.get(old.index()).copied();
    for reference in &mut outline.references {
        reference.enclosing = reference.enclosing.and_then(new_id);
    }
    for binding in &mut outline.bindings {
        binding.scope = binding.scope.and_then(new_id);
    }
}
