//! Chooses the code that a briefing quotes: the definitions that the prompt is most likely about, and the code around the
//! first of them. The less likely a definition is, the fewer of its lines are quoted.

use super::{Answer, Asking, MaxRelated, Part, Shown, UnknownName, relations_to};

/// The maximum number of bytes of code in a briefing.
const MAX_BYTES: usize = 6_000;
/// The maximum number of definitions that are quoted because they match the prompt.
const MAX_QUOTED: usize = 4;
/// The minimum probability of a definition at which the code around it is shown.
const MIN_SURROUNDED: f32 = 0.3;
/// The minimum probability of a definition, and the maximum number of its lines that are quoted then.
const LINES_BY_PROBABILITY: [(f32, usize); 3] = [(0.4, 60), (0.2, 30), (0.12, 16)];

impl MaxRelated {
    /// The size of a briefing, which contains at most twelve places.
    const BRIEFED: Self = Self { call_sites: 3, tests: 1, used: 4 };
}

/// Returns the code for a briefing: a part of what `adjutant explore` shows for the same text.
pub fn ask_working_set(asking: &Asking<'_>) -> Result<Answer, UnknownName> {
    let mut shown = Shown::new(asking, MAX_BYTES, MaxRelated::BRIEFED);
    shown.working_set();
    Ok(shown.into_answer())
}

impl Shown<'_> {
    fn working_set(&mut self) {
        let mut found = self.found();
        found.truncate(MAX_QUOTED);
        let all: Vec<_> = found.iter().map(|found| found.node).collect();
        for found in &found {
            let Some(max_lines) = max_lines(found.probability) else { break };
            let role = relations_to(self.asking.view, found.node, &all);
            self.quote_definition(&found.location, role, Part::Match(found.probability), max_lines);
        }
        if let Some(first) = found.first().filter(|first| first.probability >= MIN_SURROUNDED) {
            self.used_by(first.node);
            self.call_sites(first.node);
        }
    }
}

/// Returns how many lines are quoted of a definition that the prompt is about with this probability, or `None` if it is
/// too unlikely to be quoted.
fn max_lines(probability: f32) -> Option<usize> {
    let steps = LINES_BY_PROBABILITY.iter();
    steps.filter(|(minimum, _)| probability >= *minimum).map(|(_, lines)| *lines).max()
}

#[cfg(test)]
mod tests {
    use super::max_lines;

    #[test]
    fn the_less_likely_a_definition_is_the_fewer_lines_are_quoted() {
        let lines: Vec<Option<usize>> = [0.9, 0.4, 0.39, 0.2, 0.12, 0.11].map(max_lines).into();
        assert_eq!(lines, [Some(60), Some(60), Some(30), Some(30), Some(16), None]);
    }
}
