//! Ranks the scanned files. Uses the same term weights, text scores and signal weights as the ranking of indexed files.

use index::Role;

use super::DirectHit;
use super::scan_files::{Scan, ScannedFile};
use crate::query::Query;
use crate::rank::terms::{Term, weigh};
use crate::rank::text::{AverageLengths, TextRow, add_term};
use crate::rank::{
    Column, Measure, SHARING_FILES, SIGNALS, Signal, add_weighted, flag, scaled, share,
};
use crate::search::Calibration;

/// Returns the `limit` best files, best first. `terms` are the terms that the scan counted.
pub(super) fn rank_scan(
    scan: &Scan,
    query: &Query,
    terms: &[Term<'_>],
    limit: usize,
) -> Vec<DirectHit> {
    let rows = text_rows(scan, query, terms);
    let (weights, columns): (Vec<f32>, Vec<Vec<f32>>) =
        columns(scan, query, &rows).into_iter().unzip();
    let mut ranked: Vec<(f32, &ScannedFile)> =
        add_weighted(&columns, &weights, scan.files.len()).into_iter().zip(&scan.files).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
    let sharing: Vec<f32> = ranked.iter().take(SHARING_FILES).map(|(score, _)| *score).collect();
    let confidence = |score: f32| Calibration::FIRST_TURN.confidence(share(&sharing, score));
    ranked.iter().take(limit).map(|(score, file)| hit(file, terms, confidence(*score))).collect()
}

/// Computes the text scores of each file, using the document frequencies that the scan counted.
fn text_rows(scan: &Scan, query: &Query, terms: &[Term<'_>]) -> Vec<TextRow> {
    let position = |text: &str| terms.iter().position(|term| term.text == text);
    let contains = |file: &ScannedFile, at: usize| file.counts[at].iter().any(|count| *count > 0);
    let n_files_with = |at: usize| scan.files.iter().filter(|file| contains(file, at)).count();
    let weighed = weigh(&query.terms, scan.n_files as u32, |text| {
        position(text).map_or(0, |at| n_files_with(at) as u32)
    });
    let weighed: Vec<(usize, Term<'_>)> =
        weighed.into_iter().filter_map(|term| Some((position(term.text)?, term))).collect();
    let averages = AverageLengths::new(scan.average_lengths);
    let row = |file: &ScannedFile| {
        let norms = averages.norms(&file.lengths);
        let mut row = TextRow::default();
        for (at, term) in weighed.iter().filter(|(at, _)| contains(file, *at)) {
            add_term(&mut row, term, &file.counts[*at], &norms);
        }
        row
    };
    scan.files.iter().map(row).collect()
}

/// Computes the ranking signals that a scan supports. Returns each signal's weight and values.
fn columns(scan: &Scan, query: &Query, rows: &[TextRow]) -> Vec<(f32, Vec<f32>)> {
    let each = |value: &dyn Fn(&ScannedFile) -> f32| scan.files.iter().map(value).collect();
    let is_mentioned =
        |path: &str| query.paths.iter().any(|mention| is_same_file(path, &mention.text));
    let is_in_trace = |path: &str| query.frames.iter().any(|frame| is_same_file(path, &frame.path));
    let roles: Vec<(&str, Role)> =
        scan.files.iter().map(|file| (file.path.as_str(), Role::of_path(&file.path))).collect();
    let column = |signal: &Signal| {
        let values = match (signal.measure, signal.name) {
            (Measure::Text(text), _) => rows.iter().map(|row| row[text as usize]).collect(),
            (Measure::Role(measure), _) => measure(query, &roles),
            // The scan finds no passages, so the best line replaces the best passage.
            (_, "passage") => each(&|file| file.line_score),
            (_, "mentioned") => each(&|file| flag(is_mentioned(&file.path))),
            (_, "frame") => each(&|file| flag(is_in_trace(&file.path))),
            _ => return None,
        };
        Some((signal.weight(Column::of(&query.form)), scaled(values, signal.scale)))
    };
    SIGNALS.iter().filter_map(column).collect()
}

/// Returns whether `mention` may refer to `path`: the last two components are equal, or only the last one if either
/// path has a single component.
pub(super) fn is_same_file(path: &str, mention: &str) -> bool {
    let ends = path.rsplit('/').zip(mention.rsplit('/'));
    let n_shared = ends.take_while(|(a, b)| a == b).count();
    let n_parts = path.split('/').count().min(mention.trim_matches('/').split('/').count());
    n_shared >= n_parts.min(2)
}

fn hit(file: &ScannedFile, terms: &[Term<'_>], confidence: f32) -> DirectHit {
    let matched = terms
        .iter()
        .zip(&file.counts)
        .filter(|(_, counts)| counts.iter().any(|count| *count > 0))
        .map(|(term, _)| term.written.to_owned())
        .collect();
    DirectHit {
        path: file.path.clone(),
        line: file.line,
        text: file.text.clone(),
        defines: file.defines.clone(),
        matched,
        confidence: (f64::from(confidence) * 100.0).round() / 100.0,
        snippet: None,
    }
}
