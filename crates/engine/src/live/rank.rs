//! Which of the scanned files answer best: rare words count more than common ones, a definition more than
//! a mention, source more than tests and papers.

use super::Hit;
use super::scan::{Scan, ScannedFile, standing};
use super::terms::Term;

/// A second mention adds less than the first; this is BM25's saturation.
const SATURATION: f64 = 1.2;
const PATH_BONUS: f64 = 1.5;
const DEFINITION_BONUS: f64 = 2.0;

pub(super) fn rank(scan: &Scan, terms: &[Term], limit: usize) -> Vec<Hit> {
    let rarity = rarities(scan, terms);
    let mut scored: Vec<(f64, &ScannedFile)> =
        scan.files.iter().map(|file| (score(file, terms, &rarity), file)).collect();
    scored.sort_by(|(a, left), (b, right)| b.total_cmp(a).then_with(|| left.path.cmp(&right.path)));
    let possible: f64 = terms.iter().zip(&rarity).map(|(term, rarity)| term.weight * rarity).sum();
    scored.into_iter().take(limit).map(|(_, file)| hit(file, terms, &rarity, possible)).collect()
}

/// How much each term tells: near zero for a word that is in every file.
fn rarities(scan: &Scan, terms: &[Term]) -> Vec<f64> {
    let n_files = scan.n_files.max(scan.files.len()) as f64;
    (0..terms.len())
        .map(|index| {
            let n_with = scan.files.iter().filter(|file| file.counts[index] > 0.0).count() as f64;
            (1.0 + (n_files - n_with + 0.5) / (n_with + 0.5)).ln()
        })
        .collect()
}

fn score(file: &ScannedFile, terms: &[Term], rarity: &[f64]) -> f64 {
    let path = file.path.to_lowercase();
    let mut score = 0.0;
    for ((term, rarity), count) in terms.iter().zip(rarity).zip(&file.counts) {
        let worth = term.weight * rarity;
        score += worth * count * (SATURATION + 1.0) / (count + SATURATION);
        score += worth * PATH_BONUS * standing(&path, &term.text);
        if file.defines.as_ref().is_some_and(|name| name.to_lowercase().contains(&term.text)) {
            score += worth * DEFINITION_BONUS;
        }
    }
    score * role_weight(&path)
}

/// Tests, documents and generated files mention everything; the source is usually meant.
fn role_weight(path: &str) -> f64 {
    let is_in = |names: &[&str]| path.split('/').any(|part| names.contains(&part));
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_licence =
        name.starts_with("license") || matches!(name, "copying" | "notice" | "changelog.md");
    let is_made = name.contains(".min.") || name.ends_with("lock") || name.ends_with("lock.json");
    if is_licence || is_made || matches!(extension, "svg" | "map" | "snap") {
        0.1
    } else if is_in(&["vendor", "node_modules", "third_party", "dist"]) {
        0.2
    } else if matches!(extension, "md" | "rst" | "txt" | "json" | "csv" | "po" | "html")
        || is_in(&["docs", "doc"])
    {
        0.5
    } else if is_in(&["test", "tests", "testing", "__tests__", "spec", "examples"])
        || matches!(name, "tests.rs" | "test.rs" | "conftest.py")
        || name.starts_with("test_")
        || name.contains("_test.")
        || name.contains(".test.")
        || name.contains(".spec.")
    {
        0.6
    } else {
        1.0
    }
}

fn hit(file: &ScannedFile, terms: &[Term], rarity: &[f64], possible: f64) -> Hit {
    let path = file.path.to_lowercase();
    let mut matched = Vec::new();
    let mut found = 0.0;
    for ((term, rarity), count) in terms.iter().zip(rarity).zip(&file.counts) {
        let standing = count.max(standing(&path, &term.text)).min(1.0);
        if standing > 0.0 {
            matched.push(term.text.clone());
            found += term.weight * rarity * standing;
        }
    }
    let share = if possible > 0.0 { found / possible } else { 0.0 };
    let share = share * role_weight(&path).sqrt();
    let confidence = if file.defines.is_some() { share } else { share * 0.85 };
    Hit {
        path: file.path.clone(),
        line: file.line,
        text: file.text.clone(),
        defines: file.defines.clone(),
        matched,
        confidence: (confidence.min(1.0) * 100.0).round() / 100.0,
        snippet: None,
    }
}

#[rustfmt::skip]
const DEFINING_WORDS: &[&str] = &[
    "fn", "def", "class", "struct", "enum", "trait", "interface", "func", "function", "type", "impl", "const", "static", "let",
    "var", "module", "mod", "namespace", "macro_rules!", "object", "protocol", "record", "fun", "sub", "#define",
];

/// The name a line seems to define, whatever the language.
pub(super) fn defined_name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    words.by_ref().take(6).find(|word| DEFINING_WORDS.contains(word))?;
    let name = words.next()?;
    // Go writes the receiver between the keyword and the name.
    let name = if name.starts_with('(') { line.split(')').nth(1)?.trim_start() } else { name };
    let end =
        name.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(name.len());
    (end > 0).then(|| &name[..end])
}
