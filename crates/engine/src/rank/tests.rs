use super::{SIGNALS, WEIGHTS};

#[test]
fn every_signal_has_one_weight_and_every_weight_a_signal() {
    let signals: Vec<&str> = SIGNALS.iter().map(|signal| signal.name).collect();
    let weights: Vec<&str> = WEIGHTS.iter().map(|(name, _)| *name).collect();
    assert_eq!(signals, weights);
}
