//! Reads a source tree as a benign collection, for measuring false alarms per line and speed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::corpus::shorten;
use super::table::Table;

const LARGEST_CORPUS: usize = 64 * 1024 * 1024;
const LARGEST_FILE: u64 = 1024 * 1024;
const EXTENSIONS: &[&str] = &[
    "rs", "py", "go", "ts", "js", "java", "c", "h", "php", "rb", "md", "toml", "yaml", "yml",
    "json", "html", "sh", "vue", "tsx",
];

pub(crate) struct SourceFile {
    path: PathBuf,
    pub(crate) text: String,
}

/// Returns the source files under `directory`, sorted by name. Skips large files and stops at [`LARGEST_CORPUS`] bytes.
pub(crate) fn collect(directory: &Path) -> io::Result<Vec<SourceFile>> {
    let mut files = Vec::new();
    let mut size = 0;
    walk(directory, &mut files, &mut size)?;
    Ok(files)
}

fn walk(directory: &Path, files: &mut Vec<SourceFile>, size: &mut usize) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(directory)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if *size >= LARGEST_CORPUS {
            return Ok(());
        }
        if entry.file_type()?.is_dir() {
            walk(&path, files, size)?;
        } else if path
            .extension()
            .is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known))
            && entry.metadata()?.len() <= LARGEST_FILE
            && let Ok(text) = fs::read_to_string(&path)
        {
            *size += text.len();
            files.push(SourceFile { path, text });
        }
    }
    Ok(())
}

/// Counts redacted lines and segments that are removed as injected instructions. In ordinary projects, almost all of these
/// are false alarms.
pub(crate) fn false_alarms(files: &[SourceFile], table: &mut Table, misses: &mut Vec<String>) {
    let (mut lines, mut touched, mut removed) = (0, 0, 0);
    for file in files {
        lines += file.text.lines().count();
        for finding in guard::check(&file.text) {
            let line = file.text.lines().nth(finding.line - 1).unwrap_or_default();
            match finding.kind {
                guard::FindingKind::Secret(_) => touched += 1,
                guard::FindingKind::Injection(_) => removed += 1,
            }
            misses.push(format!(
                "TREE {:?} {}:{} | {}",
                finding.kind,
                file.path.display(),
                finding.line,
                shorten(line, 260)
            ));
        }
    }
    table.per_thousand("secrets: source tree, findings by line", touched, lines, "<= 1 ‰");
    table.per_thousand("injection: source tree, findings by line", removed, lines, "<= 1 ‰");
}
