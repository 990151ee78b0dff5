//! The learned weights of the gate. `cargo xtask bench gate --learn` prints this table; see `docs/design/briefing.md`.

pub(super) const BIAS: f32 = 0.0;

pub(super) const WEIGHTS: &[(&str, f32)] = &[];
