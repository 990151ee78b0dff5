//! Finds the string literals in a source file that are paths of templates, style sheets or SQL files.

use crate::outline::{Import, Imported, Outline};

/// Extensions of files that code refers to in string literals.
#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "cshtml", "css", "ejs", "erb", "hbs", "heex", "htm", "html", "jinja", "jinja2", "j2", "less", "liquid", "mustache", "njk", "pug",
    "razor", "scss", "sql", "twig",
];
/// The maximum length of a path. Longer strings are not treated as file names.
const MAX_PATH: usize = 200;

/// Adds an import of [`Imported::File`] for each string literal that is the path of a file with one of [`EXTENSIONS`].
pub(crate) fn add(outline: &mut Outline, source: &[u8]) {
    let paths = outline.strings.iter().filter(|text| is_path(text.span.of(source)));
    let imports = paths.map(|text| Import {
        path: text.span.text(source).to_owned(),
        imported: Imported::File,
        alias: None,
        line: text.lines.first,
    });
    outline.imports.extend(imports);
}

fn is_path(text: &[u8]) -> bool {
    if text.len() > MAX_PATH {
        return false;
    }
    let Some(dot) = text.iter().rposition(|byte| *byte == b'.') else { return false };
    let (stem, extension) = (&text[..dot], &text[dot + 1..]);
    EXTENSIONS.iter().any(|known| known.as_bytes() == extension)
        && !stem.is_empty()
        && !stem.ends_with(b"/")
        && stem.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/_-.@+".contains(byte))
}
