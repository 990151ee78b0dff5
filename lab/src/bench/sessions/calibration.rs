//! Compares the confidence of findings with the share of findings that are correct.

use std::fmt::Write;

const BINS: usize = 10;

/// A finding with its confidence, and whether the agent edited or read its file afterwards.
pub(super) struct Prediction {
    pub(super) confidence: f32,
    pub(super) is_right: bool,
}

/// Formats the share of correct findings by confidence, and the expected calibration error: the mean difference
/// between the confidence and the share of correct findings, weighted by the number of findings.
pub(super) fn table(all: &[Prediction]) -> String {
    let mut out = String::from("confidence       n   mean  right\n");
    let mut error = 0.0;
    for bin in 0..BINS {
        let number = |prediction: &Prediction| {
            ((prediction.confidence * BINS as f32) as usize).min(BINS - 1)
        };
        let some: Vec<&Prediction> =
            all.iter().filter(|prediction| number(prediction) == bin).collect();
        let n = some.len().max(1) as f64;
        let mean = some.iter().map(|one| f64::from(one.confidence)).sum::<f64>() / n;
        let right = some.iter().filter(|one| one.is_right).count() as f64 / n;
        error += (mean - right).abs() * some.len() as f64 / all.len().max(1) as f64;
        let low = bin as f64 / BINS as f64;
        let _ =
            writeln!(out, "{low:.1} to {:.1} {:7} {mean:6.2} {right:6.2}", low + 0.1, some.len());
    }
    let _ = writeln!(out, "expected calibration error: {error:.3}");
    out
}
