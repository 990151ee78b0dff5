//! Prints the outlines of files, or with `--speed` how fast a folder is outlined.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use syntax::{DefinitionId, Language, Limits, Outline, Outliner};

const LIMITS: Limits = Limits { max_bytes: 4 << 20, deadline: None };

fn main() -> io::Result<()> {
    let mut outliner = Outliner::new();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((flag, folders)) if flag == "--speed" => {
            folders.iter().try_for_each(|folder| speed(&mut outliner, Path::new(folder)))
        }
        _ => arguments.iter().try_for_each(|file| print(&mut outliner, file)),
    }
}

fn print(outliner: &mut Outliner, file: &str) -> io::Result<()> {
    let source = std::fs::read(file)?;
    let Some(language) = Language::of_path(file).or_else(|| Language::of_shebang(&source)) else {
        return Ok(());
    };
    let outline = outliner.outline(language, &source, LIMITS);
    let mut out = io::stdout().lock();
    for (index, it) in outline.definitions.iter().enumerate() {
        let name = outline.qualified_name(DefinitionId(index as u32), &source);
        writeln!(out, "{file}:{}: {} {name} {:?}", it.lines.first, it.kind.name(), it.complexity)?;
    }
    for it in &outline.references {
        let receiver = it.receiver.map_or("", |receiver| receiver.text(&source));
        writeln!(
            out,
            "{file}:{}: {} {} on `{receiver}`",
            it.line,
            it.kind.name(),
            it.name.text(&source)
        )?;
    }
    for it in &outline.imports {
        writeln!(out, "{file}:{}: import {} {:?}", it.line, it.path, it.imported)?;
    }
    for it in &outline.problems {
        writeln!(out, "{file}:{}: problem {:?}", it.line, it.kind)?;
    }
    Ok(())
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

fn speed(outliner: &mut Outliner, folder: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    let mut totals: Vec<(Language, Total)> = Vec::new();
    for path in files {
        let Some(language) = path.to_str().and_then(Language::of_path) else { continue };
        let source = std::fs::read(&path)?;
        let start = Instant::now();
        let outline = outliner.outline(language, &source, LIMITS);
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
