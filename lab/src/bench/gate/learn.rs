//! Fits the gate's weights with logistic regression, and reports the quality of its decisions.

use std::fmt::Write;

use kernel::gate::{Amount, MIN_BRIEFING, MIN_POINTERS, N_WEIGHTS, WordingFeature, feature_names};

use crate::root;

const FOLDS: usize = 8;
const STEPS: usize = 400;
const RATE: f32 = 0.05;
/// The coefficient of the penalty for large weights.
const SHRINK: f32 = 0.002;
/// The coefficient of the penalty for large weights of wording features.
const WORDING_SHRINK: f32 = 0.006;

/// A labelled prompt with its features.
pub(super) struct Sample {
    pub(super) owner: String,
    pub(super) language: String,
    pub(super) is_wanted: bool,
    pub(super) values: Vec<f32>,
    pub(super) wording: Vec<WordingFeature>,
    pub(super) amount: Amount,
}

/// The weights of the features, the weights of the wording features, and the bias, in this order.
struct Model {
    weights: Vec<f32>,
    n_features: usize,
}

impl Model {
    /// Returns the index of each weight that a sample uses, with the value of its feature.
    fn terms<'a>(&self, sample: &'a Sample) -> impl Iterator<Item = (usize, f32)> + use<'a> {
        let n_features = self.n_features;
        let wording = sample.wording.iter();
        let wording = wording.map(move |(place, value)| (n_features + usize::from(*place), *value));
        sample
            .values
            .iter()
            .copied()
            .enumerate()
            .chain(wording)
            .chain([(n_features + N_WEIGHTS, 1.0)])
    }

    fn probability(&self, sample: &Sample) -> f32 {
        let sum: f32 = self.terms(sample).map(|(place, value)| value * self.weights[place]).sum();
        1.0 / (1.0 + (-sum).exp())
    }

    fn amount(&self, sample: &Sample) -> Amount {
        let probability = self.probability(sample);
        if probability < MIN_POINTERS {
            Amount::Silent
        } else if probability < MIN_BRIEFING {
            Amount::Pointers
        } else {
            Amount::Briefing
        }
    }
}

/// Returns the share of each sample in the total error. Within each language, both classes have the same total share.
/// The share of a language is proportional to the square root of its number of samples, so that English does not
/// dominate the other languages.
fn shares(samples: &[&Sample]) -> Vec<f32> {
    let count = |sample: &Sample| {
        let same = |other: &&&Sample| {
            other.language == sample.language && other.is_wanted == sample.is_wanted
        };
        samples.iter().filter(same).count() as f32
    };
    let of_language = |sample: &Sample| {
        samples.iter().filter(|other| other.language == sample.language).count() as f32
    };
    let mut known: Vec<(&str, bool, f32)> = Vec::new();
    let mut shares = Vec::with_capacity(samples.len());
    for sample in samples {
        let key = (sample.language.as_str(), sample.is_wanted);
        let found = known.iter().find(|(language, is_wanted, _)| (*language, *is_wanted) == key);
        let share = found.map_or_else(|| of_language(sample).sqrt() / count(sample), |it| it.2);
        if found.is_none() {
            known.push((key.0, key.1, share));
        }
        shares.push(share);
    }
    let total: f32 = shares.iter().sum();
    shares.iter().map(|share| share / total).collect()
}

/// Fits the weights with the Adam optimiser, using all samples in every step.
fn fit(samples: &[&Sample]) -> Model {
    let n_features = samples.first().map_or(0, |sample| sample.values.len());
    let n_weights = n_features + N_WEIGHTS + 1;
    let mut model = Model { weights: vec![0.0; n_weights], n_features };
    let shares = shares(samples);
    let (mut mean, mut square) = (vec![0.0_f32; n_weights], vec![0.0_f32; n_weights]);
    for step in 1..=STEPS {
        let shrink = |place: usize| if place < n_features { SHRINK } else { WORDING_SHRINK };
        let weights = model.weights.iter().enumerate();
        let mut slopes: Vec<f32> = weights.map(|(place, weight)| shrink(place) * weight).collect();
        slopes[n_weights - 1] = 0.0;
        for (sample, share) in samples.iter().zip(&shares) {
            let target = f32::from(u8::from(sample.is_wanted));
            let error = share * (model.probability(sample) - target);
            for (place, value) in model.terms(sample) {
                slopes[place] += error * value;
            }
        }
        let warm = |decay: f32| 1.0 - decay.powi(step as i32);
        for (slot, slope) in slopes.iter().enumerate() {
            mean[slot] = 0.9 * mean[slot] + 0.1 * slope;
            square[slot] = 0.99 * square[slot] + 0.01 * slope * slope;
            let change =
                RATE * (mean[slot] / warm(0.9)) / ((square[slot] / warm(0.99)).sqrt() + 1e-8);
            model.weights[slot] -= change;
        }
    }
    model
}

/// Reports the quality on the repositories of held-out owners, writes the weights of the wording features, and
/// returns the weights for `weights.rs`.
pub(super) fn report(samples: &[Sample]) -> Result<String, String> {
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
    out += &table(samples, |sample| models[fold_of(sample)].amount(sample));
    let model = fit(&samples.iter().collect::<Vec<_>>());
    let (weights, wording) = model.weights.split_at(model.n_features);
    let (wording, bias) = wording.split_at(N_WEIGHTS);
    let step = wording.iter().fold(0.0_f32, |most, weight| most.max(weight.abs())) / 127.0;
    let bytes: Vec<u8> =
        wording.iter().map(|weight| ((weight / step).round() as i8).cast_unsigned()).collect();
    let path = root().join("crates/kernel/src/gate/wording_weights.bin");
    std::fs::write(&path, bytes)
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    let _ = writeln!(out, "BIAS: {:.2}\nWORDING_STEP: {step:.5}", bias[0]);
    for (name, weight) in feature_names().zip(weights) {
        let _ = writeln!(out, "    {name} {weight:.2}");
    }
    Ok(out)
}

/// Formats the shares of wrong decisions for each language.
pub(super) fn table(samples: &[Sample], amount: impl Fn(&Sample) -> Amount) -> String {
    let mut out = String::from(
        "language      n  added, not wanted  of them pointers  silent, wanted  balanced accuracy\n",
    );
    for language in ["all", "en", "zh", "other", "translated"] {
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
            "{language:10} {:4} {added:18.3} {pointers:17.3} {silent:15.3} {:18.3}",
            some.len(),
            1.0 - f64::midpoint(added, silent)
        );
    }
    out
}
