//! Megabytes a second on one core, on source code and on the benign collection.

use std::fs;
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::corpus::{Benign, read};
use super::table::Table;

const LARGEST_CORPUS: usize = 32 * 1024 * 1024;
const EXTENSIONS: &[&str] =
    &["rs", "py", "go", "ts", "js", "java", "c", "h", "php", "rb", "md", "toml", "yaml"];

pub(crate) fn measure(data: &Path, source: Option<&Path>, table: &mut Table) -> io::Result<()> {
    let mut code = Vec::new();
    let mut size = 0;
    collect(source.unwrap_or(Path::new(".")), &mut code, &mut size)?;
    let benign: Vec<Benign> = read(&data.join("injection/benign-dev.jsonl.gz"))?;
    let benign: Vec<String> = benign.into_iter().map(|sample| sample.text).collect();
    row(table, "speed: redact, source code", &code, ">= 150", |text| {
        black_box(guard::redact(text));
    });
    row(table, "speed: redact, benign lines", &benign, "", |text| {
        black_box(guard::redact(text));
    });
    row(table, "speed: filter_injection, source code", &code, ">= 80", |text| {
        black_box(guard::filter_injection(text));
    });
    row(table, "speed: filter_injection, benign lines", &benign, "", |text| {
        black_box(guard::filter_injection(text));
    });
    row(table, "speed: neutralise, source code", &code, "", |text| {
        black_box(guard::neutralise(text));
    });
    Ok(())
}

fn row(table: &mut Table, measure: &str, texts: &[String], bar: &'static str, work: impl Fn(&str)) {
    let bytes: usize = texts.iter().map(String::len).sum();
    let best = (0..3)
        .map(|_| {
            let start = Instant::now();
            texts.iter().for_each(|text| work(text));
            start.elapsed()
        })
        .min()
        .unwrap_or(Duration::MAX);
    let megabytes = bytes as f64 / 1e6;
    table.push(
        measure,
        format!("{:.0} MB/s", megabytes / best.as_secs_f64()),
        format!("{megabytes:.1} MB"),
        bar,
    );
}

fn collect(directory: &Path, texts: &mut Vec<String>, size: &mut usize) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(directory)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if *size >= LARGEST_CORPUS {
            return Ok(());
        }
        if entry.file_type()?.is_dir() {
            collect(&path, texts, size)?;
        } else if path
            .extension()
            .is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known))
            && let Ok(text) = fs::read_to_string(&path)
        {
            *size += text.len();
            texts.push(text);
        }
    }
    Ok(())
}
