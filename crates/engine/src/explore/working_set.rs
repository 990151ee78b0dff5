//! Chooses the code that a briefing quotes: the definitions that the prompt is most likely about, and the code around the
//! first of them. The less likely a definition is, the fewer of its lines are quoted.

use index::Node;

use super::{Answer, Asking, Match, MaxRelated, Shown, UnknownName, relations_to};
use crate::location::Location;
use crate::question::quoted_lines;

/// The maximum number of bytes of code in a briefing.
const MAX_BYTES: usize = 6_000;
/// The maximum number of definitions that are quoted because they match the prompt.
const MAX_QUOTED: usize = 4;
/// The minimum probability of a definition at which the code around it is shown.
const MIN_SURROUNDED: f32 = 0.3;
/// The probability of a definition that contains a text which the prompt quotes, such as a message or the label of a button.
const QUOTED_PROBABILITY: f32 = 0.6;
/// The minimum probability of a definition, and the maximum number of its lines that are quoted then.
const LINES_BY_PROBABILITY: [(f32, usize); 3] = [(0.4, 60), (0.2, 40), (0.1, 24)];

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
        self.add_quoted(&mut found);
        found.truncate(MAX_QUOTED);
        let all: Vec<_> = found.iter().map(|found| found.node).collect();
        for found in &found {
            let Some(max_lines) = max_lines(found.probability) else { break };
            let role = relations_to(self.asking.view, found.node, &all);
            self.quote_match(found, role, max_lines);
        }
        if let Some(first) = found.first().filter(|first| first.probability >= MIN_SURROUNDED) {
            self.used_by(first.node);
            self.call_sites(first.node);
        }
        // A briefing has no room for places that are only counted.
        self.answer.rest.clear();
    }

    /// Moves the definitions that contain a text which the prompt quotes to the front.
    fn add_quoted(&self, found: &mut Vec<Match>) {
        let Asking { view, source, prompt, deadline, .. } = self.asking;
        for (file, line) in quoted_lines(view, source, &prompt.questions, *deadline) {
            let node = view.symbol_at(file, line).map_or(Node::File(file), Node::Symbol);
            let mut location = Location::of(view, node);
            if location.is_test {
                continue;
            }
            if node == Node::File(file) {
                location.lines = line..=line;
            }
            match found.iter_mut().find(|found| found.node == node) {
                Some(known) => {
                    known.probability = known.probability.max(QUOTED_PROBABILITY);
                    known.line = known.line.or(Some(line));
                }
                None => {
                    let probability = QUOTED_PROBABILITY;
                    found.push(Match { probability, node, location, line: Some(line) });
                }
            }
        }
        found.sort_by(|a, b| b.probability.total_cmp(&a.probability));
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
        let lines: Vec<Option<usize>> = [0.9, 0.4, 0.39, 0.2, 0.1, 0.09].map(max_lines).into();
        assert_eq!(lines, [Some(60), Some(60), Some(40), Some(40), Some(24), None]);
    }
}
