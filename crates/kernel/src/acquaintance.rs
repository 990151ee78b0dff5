//! A prompt whose words do not say that it is about code may still speak of this repository: its own names tell.
//!
//! Only in `auto`, only when tools may run: a plan depends on nothing but the prompt.

use std::time::{Duration, Instant};

use contract::{Request, SignalKind};
use engine::familiar;
use policy::{Mode, RepositoryRoot, Settings, Switch};

use crate::brief::World;
use crate::inputs;
use crate::knowledge::Place;
use crate::signals::{Reading, asks, signal};

/// Deciding whether to look is not worth more.
const PATIENCE: Duration = Duration::from_millis(1_500);
const WEIGHT: f64 = 0.5;

/// The reading, with the words the repository knows, if they decide it.
pub(crate) fn consider(
    mut reading: Reading,
    request: &Request,
    world: &World,
    root: &RepositoryRoot,
    settings: &Settings,
) -> Reading {
    let is_open = settings.switch.value == Switch::Auto && settings.mode.value == Mode::Run;
    if reading.intent.is_code || !is_open || inputs::is_for_the_client(&request.prompt) {
        return reading;
    }
    let Some(view) = Place::of(world, root).glance(Instant::now() + PATIENCE) else {
        return reading;
    };
    let familiar = familiar(&view, &request.prompt);
    if decides(familiar.known.len(), familiar.asked, asks(&request.prompt)) {
        reading.intent.is_code = true;
        let known = familiar.known.iter().map(|word| signal(SignalKind::Implicit, word, WEIGHT));
        reading.signals.extend(known);
    }
    reading
}

/// Half of at least two words, or all there is in a question: a lone word may be anybody's.
fn decides(n_known: usize, n_asked: usize, asks: bool) -> bool {
    (n_known >= 2 && n_known * 2 >= n_asked) || (asks && n_known >= 1 && n_known == n_asked)
}

#[cfg(test)]
mod tests {
    use super::decides;

    #[test]
    fn a26_a_word_alone_decides_only_a_question() {
        assert!(decides(2, 4, false) && decides(1, 1, true) && decides(3, 3, false));
        assert!(!decides(1, 1, false) && !decides(1, 2, true) && !decides(2, 5, true));
        assert!(!decides(0, 0, true));
    }
}
