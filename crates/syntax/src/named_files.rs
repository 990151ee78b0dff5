//! Finds the string literals of a source that name a template, a style sheet or a query file.

use crate::outline::{Import, Imported, Outline};

/// Extensions of files that code names in strings.
#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "cshtml", "css", "ejs", "erb", "hbs", "heex", "htm", "html", "jinja", "jinja2", "j2", "less", "liquid", "mustache", "njk", "pug",
    "razor", "scss", "sql", "twig",
];
/// Maximum length of a path. Longer strings are not names of files.
const MAX_PATH: usize = 200;

/// Adds an import of [`Imported::File`] for each string that is the path of such a file.
pub(crate) fn add(outline: &mut Outline, source: &[u8]) {
    let paths = outline.strings.iter().filter_map(|text| {
        let path = text.span.text(source);
        is_path(path).then(|| Import {
            path: path.to_owned(),
            imported: Imported::File,
            alias: None,
            line: text.lines.first,
        })
    });
    outline.imports.extend(paths);
}

fn is_path(text: &str) -> bool {
    let Some((stem, extension)) = text.rsplit_once('.') else { return false };
    text.len() <= MAX_PATH
        && EXTENSIONS.contains(&extension)
        && !stem.is_empty()
        && !stem.ends_with('/')
        && stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/_-.@+".contains(&byte))
}
