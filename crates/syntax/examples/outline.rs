//! Prints the outlines of files.
//!
//! With `--speed` or `--speed-by-grammar`, measures how long it takes to outline the files in a folder. With
//! `--compare`, prints the differences between the results of the token readers and those of the grammars.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use syntax::{
    DefinitionId, Language, Outline, OutlineLimits, Outliner, ReferenceKind, TokenOutliner,
};

const LIMITS: OutlineLimits = OutlineLimits { max_bytes: 4 << 20, deadline: None };

/// The readers of files. Without `tokens`, all files are read with the grammars.
#[derive(Default)]
struct Readers {
    tokens: Option<TokenOutliner>,
    grammar: Outliner,
}

impl Readers {
    fn outline(&mut self, language: Language, source: &[u8]) -> Outline {
        let read = self.tokens.as_mut().and_then(|it| it.outline(language, source, LIMITS));
        read.unwrap_or_else(|| self.grammar.outline(language, source, LIMITS))
    }
}

fn main() -> io::Result<()> {
    let mut readers = Readers { tokens: Some(TokenOutliner::default()), ..Readers::default() };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((flag, folders)) if flag == "--speed" || flag == "--speed-by-grammar" => {
            if flag == "--speed-by-grammar" {
                readers.tokens = None;
            }
            folders.iter().try_for_each(|folder| speed(&mut readers, Path::new(folder)))
        }
        Some((flag, folders)) if flag == "--compare" => {
            folders.iter().try_for_each(|folder| compare(Path::new(folder)))
        }
        _ => arguments.iter().try_for_each(|file| print(&mut readers, file)),
    }
}

fn print(readers: &mut Readers, file: &str) -> io::Result<()> {
    let source = std::fs::read(file)?;
    let Some(language) = Language::of_path(file).or_else(|| Language::of_shebang(&source)) else {
        return Ok(());
    };
    let outline = readers.outline(language, &source);
    let mut out = io::stdout().lock();
    for (index, it) in outline.definitions.iter().enumerate() {
        let name = outline.qualified_name(DefinitionId(index as u32), &source);
        writeln!(out, "{file}:{}: {} {name} {:?}", it.lines.first, it.kind.name(), it.complexity)?;
    }
    for it in &outline.references {
        let receiver = it.receiver.map_or("", |receiver| receiver.text(&source));
        let (kind, name) = (reference_kind(it.kind), it.name.text(&source));
        writeln!(out, "{file}:{}: {kind} {name} on `{receiver}`", it.line)?;
    }
    for it in &outline.imports {
        writeln!(out, "{file}:{}: import {} {:?}", it.line, it.path, it.imported)?;
    }
    for it in &outline.problems {
        writeln!(out, "{file}:{}: problem {:?}", it.line, it.kind)?;
    }
    Ok(())
}

fn reference_kind(kind: ReferenceKind) -> &'static str {
    match kind {
        ReferenceKind::Call => "call",
        ReferenceKind::Macro => "macro",
        ReferenceKind::Type => "type",
        ReferenceKind::Inherit => "inherit",
        ReferenceKind::Use => "use",
    }
}

#[derive(Default)]
struct Total {
    files: usize,
    bytes: usize,
    seconds: f64,
    definitions: usize,
    references: usize,
    imports: usize,
    with_problems: usize,
    slowest: f64,
}

impl Total {
    fn add(&mut self, bytes: usize, seconds: f64, outline: &Outline) {
        self.files += 1;
        self.bytes += bytes;
        self.seconds += seconds;
        self.definitions += outline.definitions.len();
        self.references += outline.references.len();
        self.imports += outline.imports.len();
        self.with_problems += usize::from(!outline.problems.is_empty());
        self.slowest = self.slowest.max(seconds);
    }
}

fn speed(readers: &mut Readers, folder: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    let mut totals: Vec<(Language, Total)> = Vec::new();
    for path in files {
        let Some(language) = path.to_str().and_then(Language::of_path) else { continue };
        let source = std::fs::read(&path)?;
        let start = Instant::now();
        let outline = readers.outline(language, &source);
        let seconds = start.elapsed().as_secs_f64();
        if !totals.iter().any(|(known, _)| *known == language) {
            totals.push((language, Total::default()));
        }
        if let Some((_, total)) = totals.iter_mut().find(|(known, _)| *known == language) {
            total.add(source.len(), seconds, &outline);
        }
    }
    totals.sort_by_key(|(_, total)| std::cmp::Reverse(total.bytes));
    let mut out = io::stdout().lock();
    for (language, it) in totals {
        let megabytes = it.bytes as f64 / 1e6;
        writeln!(
            out,
            "{:<11}{:>6} files {megabytes:>7.2} MB {:>7.3} s {:>6.2} MB/s, slowest {:>5.1} ms; {} definitions, {} references, {} imports, {} files with problems",
            language.name(),
            it.files,
            it.seconds,
            megabytes / it.seconds,
            it.slowest * 1e3,
            it.definitions,
            it.references,
            it.imports,
            it.with_problems,
        )?;
    }
    Ok(())
}

/// Returns all elements of the outline as pairs of a category and a description.
fn facts(outline: &Outline, source: &[u8]) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    for (index, it) in outline.definitions.iter().enumerate() {
        let name = outline.qualified_name(DefinitionId(index as u32), source);
        let (first, last) = (it.lines.first, it.lines.last);
        facts.push(("definition", format!("{first}-{last} {} {name}", it.kind.name())));
        let signature = it.signature.text(source);
        facts.push(("signature", format!("{first} {name} | {signature}")));
        if let Some(doc) = it.doc {
            facts.push(("doc", format!("{first} {name} {}", doc.text(source))));
        }
        if let Some(it) = it.complexity {
            let figures = [it.cyclomatic, it.cognitive, it.nesting];
            facts.push(("complexity", format!("{first} {name} {figures:?}")));
        }
    }
    for it in &outline.references {
        let name = it.name.text(source);
        facts.push((reference_kind(it.kind), format!("{} {name}", it.line)));
        if let Some(receiver) = it.receiver {
            facts.push(("receiver", format!("{} {} of {name}", it.line, receiver.text(source))));
        }
        if let Some(enclosing) = it.enclosing {
            let enclosing = outline.qualified_name(enclosing, source);
            facts.push(("enclosing", format!("{} {name} in {enclosing}", it.line)));
        }
    }
    for it in &outline.imports {
        let alias = it.alias.map(|alias| alias.text(source));
        let item = match it.imported {
            syntax::Imported::Item(name) => name.text(source),
            syntax::Imported::All => "*",
            syntax::Imported::Module | syntax::Imported::File => "",
        };
        facts.push(("import", format!("{} {} {item} {alias:?}", it.line, it.path)));
    }
    facts.extend(outline.strings.iter().map(|it| ("string", it.span.text(source).to_owned())));
    facts.extend(outline.comments.iter().map(|it| ("comment", it.span.text(source).to_owned())));
    facts.sort();
    facts
}

fn compare(folder: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    let (mut tokens, mut grammar) = (TokenOutliner::default(), Outliner::default());
    let mut counts: std::collections::BTreeMap<&str, [usize; 3]> = Default::default();
    let (mut n_files, mut n_unsupported) = (0, 0);
    let mut out = io::stdout().lock();
    for path in files {
        let Some(language) = path.to_str().and_then(Language::of_path) else { continue };
        let source = std::fs::read(&path)?;
        n_files += 1;
        let by_grammar = grammar.outline(language, &source, LIMITS);
        let expected = facts(&by_grammar, &source);
        let found = if let Some(by_tokens) = tokens.outline(language, &source, LIMITS) {
            facts(&by_tokens, &source)
        } else {
            n_unsupported += 1;
            writeln!(out, "!unsupported {}", path.display())?;
            expected.clone()
        };
        let (mut left, mut right) = (expected.iter().peekable(), found.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (Some(expected), Some(found)) => expected.cmp(found),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (None, None) => break,
            };
            let (fact, sign, column) = match order {
                std::cmp::Ordering::Equal => (right.next().and(left.next()), ' ', 0),
                std::cmp::Ordering::Less => (left.next(), '-', 1),
                std::cmp::Ordering::Greater => (right.next(), '+', 2),
            };
            if let Some((kind, text)) = fact {
                counts.entry(kind).or_default()[column] += 1;
                if sign != ' ' {
                    let text: String = text.chars().take(160).collect();
                    writeln!(
                        out,
                        "{sign}{kind} {}: {}",
                        path.display(),
                        text.replace('\n', "\\n")
                    )?;
                }
            }
        }
    }
    writeln!(out, "{n_files} files, {n_unsupported} without a token reader that supports them")?;
    for (kind, [both, grammar_only, tokens_only]) in counts {
        writeln!(
            out,
            "{kind:<11} both {both:>8}, grammar only {grammar_only:>7}, tokens only {tokens_only:>7}"
        )?;
    }
    Ok(())
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            list(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}
