//! Fits the weights of the gate with logistic regression, and reports the quality of its decisions.

use std::fmt::Write;

use kernel::gate::{Amount, MIN_BRIEFING, MIN_POINTERS, feature_names};

const FOLDS: usize = 8;
const STEPS: usize = 1500;
const RATE: f32 = 0.05;
/// The factor of the penalty for large weights.
const SHRINK: f32 = 0.002;

/// A labelled prompt with its features.
pub(super) struct Sample {
    pub(super) owner: String,
    pub(super) language: String,
    pub(super) is_wanted: bool,
    pub(super) values: Vec<f32>,
    pub(super) amount: Amount,
}

struct Model {
    bias: f32,
    weights: Vec<f32>,
}

impl Model {
    fn probability(&self, values: &[f32]) -> f32 {
        let sum: f32 = values.iter().zip(&self.weights).map(|(value, weight)| value * weight).sum();
        1.0 / (1.0 + (-(self.bias + sum)).exp())
    }

    fn amount(&self, values: &[f32]) -> Amount {
        let probability = self.probability(values);
        if probability < MIN_POINTERS {
            Amount::Silent
        } else if probability < MIN_BRIEFING {
            Amount::Pointers
        } else {
            Amount::Briefing
        }
    }
}

/// Fits the weights with Adam on all samples at once. The two classes, wanted and unwanted, have equal total weight.
fn fit(samples: &[&Sample]) -> Model {
    let n_features = samples.first().map_or(0, |sample| sample.values.len());
    let n_wanted = samples.iter().filter(|sample| sample.is_wanted).count().max(1) as f32;
    let n_other = (samples.len() as f32 - n_wanted).max(1.0);
    let mut model = Model { bias: 0.0, weights: vec![0.0; n_features] };
    let (mut mean, mut square) = (vec![0.0_f32; n_features + 1], vec![0.0_f32; n_features + 1]);
    for step in 1..=STEPS {
        let mut slopes: Vec<f32> =
            model.weights.iter().map(|weight| SHRINK * weight).chain([0.0]).collect();
        for sample in samples {
            let share = 0.5 / if sample.is_wanted { n_wanted } else { n_other };
            let target = f32::from(u8::from(sample.is_wanted));
            let error = share * (model.probability(&sample.values) - target);
            for (slope, value) in slopes.iter_mut().zip(&sample.values) {
                *slope += error * value;
            }
            slopes[n_features] += error;
        }
        let warm = |decay: f32| 1.0 - decay.powi(step as i32);
        for (slot, slope) in slopes.iter().enumerate() {
            mean[slot] = 0.9 * mean[slot] + 0.1 * slope;
            square[slot] = 0.99 * square[slot] + 0.01 * slope * slope;
            let change =
                RATE * (mean[slot] / warm(0.9)) / ((square[slot] / warm(0.99)).sqrt() + 1e-8);
            match model.weights.get_mut(slot) {
                Some(weight) => *weight -= change,
                None => model.bias -= change,
            }
        }
    }
    model
}

/// Reports the quality on the repositories of held-out owners, and the table for `weights.rs`.
pub(super) fn report(samples: &[Sample]) -> String {
    let mut owners: Vec<&str> = samples.iter().map(|sample| sample.owner.as_str()).collect();
    owners.sort_unstable();
    owners.dedup();
    let fold_of = |sample: &Sample| {
        owners.iter().position(|owner| *owner == sample.owner).unwrap_or(0) % FOLDS
    };
    let models: Vec<Model> = (0..FOLDS)
        .map(|fold| {
            fit(&samples.iter().filter(|sample| fold_of(sample) != fold).collect::<Vec<_>>())
        })
        .collect();
    let mut out = String::from("held-out owners\n");
    out += &table(samples, |sample| models[fold_of(sample)].amount(&sample.values));
    let model = fit(&samples.iter().collect::<Vec<_>>());
    let _ = writeln!(out, "BIAS: {:.2}", model.bias);
    for (name, weight) in feature_names().zip(&model.weights) {
        let _ = writeln!(out, "    (\"{name}\", {weight:.2}),");
    }
    out
}

/// Formats the errors of the decisions for each language.
pub(super) fn table(samples: &[Sample], amount: impl Fn(&Sample) -> Amount) -> String {
    let mut out = String::from(
        "language      n  added, not wanted  of them pointers  silent, wanted  balanced accuracy\n",
    );
    for language in ["all", "en", "zh", "other"] {
        let some: Vec<&Sample> = samples
            .iter()
            .filter(|sample| language == "all" || sample.language == language)
            .collect();
        let share = |is_wanted: bool, counts: &dyn Fn(Amount) -> bool| {
            let those: Vec<&&Sample> =
                some.iter().filter(|sample| sample.is_wanted == is_wanted).collect();
            let n = those.iter().filter(|sample| counts(amount(sample))).count();
            n as f64 / those.len().max(1) as f64
        };
        let added = share(false, &|amount| amount != Amount::Silent);
        let pointers = share(false, &|amount| amount == Amount::Pointers);
        let silent = share(true, &|amount| amount == Amount::Silent);
        let _ = writeln!(
            out,
            "{language:8} {:6} {added:18.3} {pointers:17.3} {silent:15.3} {:18.3}",
            some.len(),
            1.0 - f64::midpoint(added, silent)
        );
    }
    out
}
