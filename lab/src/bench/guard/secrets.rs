//! Measures redaction. Secrets must be removed, and look-alikes and benign lines must not change.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::corpus::{Benign, SecretSample, read, shorten};
use super::table::Table;

/// What programs add to the start of a line with this number.
const PREFIXES: [(&str, &dyn Fn(usize) -> String); 10] = [
    ("7| ", &|number| format!("{number}| ")),
    ("cat -n", &|number| format!("{number:6}\t")),
    ("grep -n", &|number| format!("{number}:")),
    ("path:7:", &|number| format!("src/a.yaml:{number}:")),
    ("path-7-", &|number| format!("src/a.yaml-{number}-")),
    ("path:", &|_| "src/a.yaml:".to_owned()),
    ("+", &|_| "+".to_owned()),
    ("-", &|_| "-".to_owned()),
    ("time", &|number| format!("2026-11-18T10:{:02}:00Z ", number % 60)),
    ("> ", &|_| "> ".to_owned()),
];
const SCANNER: &str = "gitleaks/gitleaks:";

pub(crate) fn measure(data: &Path, table: &mut Table, misses: &mut Vec<String>) -> io::Result<()> {
    positives(data, table, misses)?;
    let negatives: Vec<SecretSample> = read(&data.join("secrets/negative-dev.jsonl.gz"))?;
    let touched = touched(
        negatives.iter().map(|sample| (sample.source.as_str(), sample.text.as_str())),
        misses,
    );
    table.percent("secrets: look-alikes touched", touched, negatives.len(), "<= 1 %");
    let benign: Vec<Benign> = read(&data.join("injection/benign-dev.jsonl.gz"))?;
    // The tests of secret scanners contain real-looking secrets that should be removed, so they are counted separately.
    let (scanner, ordinary): (Vec<&Benign>, Vec<&Benign>) =
        benign.iter().partition(|sample| sample.source.starts_with(SCANNER));
    let count = |samples: &[&Benign], misses: &mut Vec<String>| {
        self::touched(
            samples.iter().map(|sample| (sample.source.as_str(), sample.text.as_str())),
            misses,
        )
    };
    let (in_scanner, in_ordinary) = (count(&scanner, misses), count(&ordinary, misses));
    table.per_thousand(
        "secrets: benign lines touched",
        in_scanner + in_ordinary,
        benign.len(),
        "<= 1 ‰",
    );
    table.per_thousand(
        "secrets: … without the scanner's own tests",
        in_ordinary,
        ordinary.len(),
        "<= 1 ‰",
    );
    Ok(())
}

fn positives(data: &Path, table: &mut Table, misses: &mut Vec<String>) -> io::Result<()> {
    let path = data.join("secrets/positive-dev.jsonl.gz");
    recall(&path, "secrets: listed values absent", ">= 92 %", table, misses)?;
    let samples: Vec<SecretSample> = read(&path)?;
    for (name, prefix) in PREFIXES {
        let kept: usize = samples.iter().map(|sample| n_kept_behind(sample, prefix)).sum();
        let n_values = samples.iter().map(|sample| sample.secrets.len()).sum();
        table.percent(format!("secrets: kept only behind `{name}`"), kept, n_values, "0 %");
    }
    Ok(())
}

/// Returns the number of values that are absent from the redacted text, but present if `prefix` is added to each line
/// before the redaction.
fn n_kept_behind(sample: &SecretSample, prefix: &dyn Fn(usize) -> String) -> usize {
    let lines = sample.text.split('\n').enumerate().map(|(at, line)| prefix(at + 7) + line);
    let presented = lines.collect::<Vec<_>>().join("\n");
    let (plain, behind) = (guard::redact(&sample.text), guard::redact(&presented));
    let is_line_in = |text: &str, value: &str| {
        value.lines().map(str::trim).filter(|line| line.len() > 3).any(|line| text.contains(line))
    };
    let is_kept =
        |value: &&String| !is_line_in(&plain.text, value) && is_line_in(&behind.text, value);
    sample.secrets.iter().filter(is_kept).count()
}

/// Measures a held-out collection that has the same format as the development data.
pub(crate) fn measure_collection(
    path: &Path,
    table: &mut Table,
    misses: &mut Vec<String>,
) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.split('.').next().unwrap_or_default();
    recall(path, &format!("secrets: absent, {name}"), ">= 88 %", table, misses)
}

/// Measures a collection of texts that must not change.
pub(crate) fn measure_look_alikes(
    path: &Path,
    table: &mut Table,
    misses: &mut Vec<String>,
) -> io::Result<()> {
    let samples: Vec<SecretSample> = read(path)?;
    let texts = samples.iter().map(|sample| (sample.source.as_str(), sample.text.as_str()));
    let touched = touched(texts, misses);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.split('.').next().unwrap_or_default();
    table.percent(format!("secrets: touched, {name}"), touched, samples.len(), "<= 1 %");
    Ok(())
}

fn recall(
    path: &Path,
    measure: &str,
    bar: &'static str,
    table: &mut Table,
    misses: &mut Vec<String>,
) -> io::Result<()> {
    let samples: Vec<SecretSample> = read(path)?;
    let mut by_source: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut absent, mut total, mut leaking) = (0, 0, 0);
    for sample in &samples {
        let redacted = guard::redact(&sample.text);
        leaking += usize::from(sample.secrets.iter().any(|secret| redacted.text.contains(secret)));
        let source = sample.source.split(':').next().unwrap_or_default();
        let tally = by_source.entry(source).or_default();
        if sample.secrets.is_empty() {
            // If a sample has no listed values, only the presence of a redaction can be checked.
            tally.1 += 1;
            tally.0 += usize::from(!redacted.redactions.is_empty());
            if redacted.redactions.is_empty() {
                misses.push(format!("SECRET? {} | {}", sample.rule, shorten(&sample.text, 260)));
            }
            continue;
        }
        for secret in &sample.secrets {
            let gone = !redacted.text.contains(secret.as_str());
            total += 1;
            tally.1 += 1;
            absent += usize::from(gone);
            tally.0 += usize::from(gone);
            if !gone {
                misses.push(format!(
                    "SECRET {} | {} | {}",
                    sample.rule,
                    shorten(&sample.text, 160),
                    shorten(secret, 80)
                ));
            }
        }
    }
    table.percent(measure, absent, total, bar);
    table.percent("secrets: … texts with a value left", leaking, samples.len(), "");
    for (source, (hits, total)) in by_source {
        table.percent(format!("secrets: {source}"), hits, total, "");
    }
    Ok(())
}

fn touched<'t>(
    samples: impl Iterator<Item = (&'t str, &'t str)>,
    misses: &mut Vec<String>,
) -> usize {
    samples
        .filter(|(source, text)| {
            let redacted = guard::redact(text);
            let is_touched = redacted.text != *text;
            if is_touched {
                misses.push(format!(
                    "TOUCHED {source} | {} | {}",
                    shorten(text, 200),
                    shorten(&redacted.text, 200)
                ));
            }
            is_touched
        })
        .count()
}
