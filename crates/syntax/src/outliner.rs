//! Creates the outline of a source file within given limits.

use std::ops::ControlFlow;
use std::time::Instant;

use tree_sitter::{ParseOptions, ParseState, Parser, Range, Tree};

use crate::grammar::Table;
use crate::languages::{self, Language, RazorCode};
use crate::outline::{Import, Imported, Outline, OutlineProblem, ProblemKind};
use crate::text_reader;
use crate::token_reader;
use crate::walk;

/// Extensions of files that code refers to in string literals.
#[rustfmt::skip]
const NAMED_EXTENSIONS: &[&str] = &[
    "cshtml", "css", "ejs", "erb", "hbs", "heex", "htm", "html", "jinja", "jinja2", "j2", "less", "liquid", "mustache", "njk", "pug",
    "razor", "scss", "sql", "twig",
];
/// The maximum length of a path. Longer strings are not treated as file names.
const MAX_PATH: usize = 200;

/// The limits that apply to one file.
#[derive(Debug, Clone, Copy)]
pub struct OutlineLimits {
    pub max_bytes: usize,
    pub deadline: Option<Instant>,
}

/// Outlines files without using tree-sitter grammars. A program that uses this type but not [`Outliner`] contains no
/// grammars.
#[derive(Default)]
pub struct TokenOutliner {
    scratch: token_reader::Scratch,
}

impl TokenOutliner {
    /// Returns the outline of a source file. Returns `None` if a grammar is needed: either the language has no other
    /// reader, or the reader does not support the source.
    pub fn outline(
        &mut self,
        language: Language,
        source: &[u8],
        limits: OutlineLimits,
    ) -> Option<Outline> {
        let outline = Outline::empty(language);
        if source.len() > limits.max_bytes.min(u32::MAX as usize) {
            return Some(with_problem(outline, ProblemKind::TooLarge));
        }
        let outline = if has_scripts(language) && languages::find_scripts(source).1.is_empty()
            || language == Language::Razor && RazorCode::find(source).is_none()
        {
            outline
        } else if let Some(outline) = text_reader::outline(language, source) {
            outline
        } else {
            token_reader::outline(language, source, limits.deadline, &mut self.scratch)?
        };
        Some(with_files(language, source, outline))
    }
}

/// Outlines files with the tree-sitter grammars and one parser. This is slower than a [`TokenOutliner`]. Each thread needs
/// its own `Outliner`.
#[derive(Default)]
pub struct Outliner {
    parser: Parser,
    scratch: walk::Scratch,
}

impl Outliner {
    /// Returns the outline of a source file. Problems are listed in [`Outline::problems`].
    pub fn outline(&mut self, language: Language, source: &[u8], limits: OutlineLimits) -> Outline {
        let mut outline = Outline::empty(language);
        if source.len() > limits.max_bytes.min(u32::MAX as usize) {
            return with_problem(outline, ProblemKind::TooLarge);
        }
        let deadline = limits.deadline;
        if has_scripts(language) {
            // The language of the outline remains that of the page.
            let (language, scripts) = languages::find_scripts(source);
            if !scripts.is_empty() {
                outline = self.read(language, (source, source), &scripts, deadline, outline);
            }
        } else if language == Language::Razor {
            if let Some(code) = RazorCode::find(source) {
                let parsed = (source, code.source.as_slice());
                outline = self.read(Language::CSharp, parsed, &[], deadline, outline);
                code.correct(&mut outline);
            }
        } else if let Some(found) = text_reader::outline(language, source) {
            outline = found;
        } else {
            let is_cpp = language == Language::C && languages::looks_like_cpp(source);
            let language = if is_cpp { Language::Cpp } else { language };
            outline.language = language;
            outline = self.read(language, (source, source), &[], deadline, outline);
        }
        with_files(language, source, outline)
    }

    /// Parses `parsed` and creates the outline of `source` from the syntax tree. `parsed` and `source` must have the
    /// same length and the same names at the same positions.
    fn read(
        &mut self,
        language: Language,
        (source, parsed): (&[u8], &[u8]),
        ranges: &[Range],
        deadline: Option<Instant>,
        outline: Outline,
    ) -> Outline {
        let Some(table) = Table::of(language) else { return outline };
        let is_ascii = source.is_ascii();
        let in_ascii =
            (language == Language::Bash && !is_ascii).then(|| languages::bash_in_ascii(source));
        let parsed = in_ascii.as_deref().unwrap_or(parsed);
        match self.parse(table, parsed, ranges, deadline) {
            Ok(tree) => {
                let scratch = &mut self.scratch;
                let mut found = walk::collect(table, &tree, source, deadline, outline, scratch);
                if !is_ascii {
                    found.extend_to_characters(source);
                }
                found
            }
            Err(kind) => with_problem(outline, kind),
        }
    }

    fn parse(
        &mut self,
        table: &Table,
        source: &[u8],
        ranges: &[Range],
        deadline: Option<Instant>,
    ) -> Result<Tree, ProblemKind> {
        self.parser.set_language(&table.language).map_err(|_| ProblemKind::Grammar)?;
        self.parser.set_included_ranges(ranges).map_err(|_| ProblemKind::Grammar)?;
        let mut in_time = |_: &ParseState| match deadline {
            Some(deadline) if Instant::now() >= deadline => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let options = ParseOptions::new().progress_callback(&mut in_time);
        let mut read = |start: usize, _| source.get(start..).unwrap_or_default();
        let tree = self.parser.parse_with_options(&mut read, None, Some(options));
        // Without the reset, the parser would resume an interrupted parse when it parses the next file.
        self.parser.reset();
        tree.ok_or(ProblemKind::OutOfTime)
    }
}

fn with_problem(mut outline: Outline, kind: ProblemKind) -> Outline {
    outline.problems.push(OutlineProblem { kind, line: 1 });
    outline
}

/// Returns whether files in this language are pages with scripts.
fn has_scripts(language: Language) -> bool {
    matches!(language, Language::Vue | Language::Svelte | Language::Html)
}

/// Adds the regions of a page, and the files to which a page or the strings of a program refer.
fn with_files(language: Language, source: &[u8], mut outline: Outline) -> Outline {
    // Vue and Svelte files are read only for their scripts.
    if matches!(language, Language::Html | Language::Razor) {
        outline = text_reader::add_regions(source, outline);
    }
    if language.is_code() {
        add_named_files(&mut outline, source);
    }
    outline
}

/// Adds an import of [`Imported::File`] for each string literal that is the path of a file with one of [`NAMED_EXTENSIONS`].
fn add_named_files(outline: &mut Outline, source: &[u8]) {
    let paths = outline.strings.iter().filter(|text| is_file_path(text.span.of(source)));
    let imports = paths.map(|text| Import {
        path: text.span.text(source).to_owned(),
        imported: Imported::File,
        alias: None,
        line: text.lines.first,
    });
    outline.imports.extend(imports);
}

fn is_file_path(text: &[u8]) -> bool {
    if text.len() > MAX_PATH {
        return false;
    }
    let Some(dot) = text.iter().rposition(|byte| *byte == b'.') else { return false };
    let (stem, extension) = (&text[..dot], &text[dot + 1..]);
    NAMED_EXTENSIONS.iter().any(|known| known.as_bytes() == extension)
        && !stem.is_empty()
        && !stem.ends_with(b"/")
        && stem.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/_-.@+".contains(byte))
}
