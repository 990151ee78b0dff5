//! Shows the definitions that match a question, and the code around the first of them.
//!
//! A briefing quotes a part of it, the working set: the definitions that the prompt is most likely about. The less likely a
//! definition is, the fewer of its lines are quoted.

use index::{EdgeKind, Node, View};

use super::{Answer, Asking, Item, MATCHED_CODE, MaxRelated, Shown, UnknownName};
use crate::location::{Location, file_of};
use crate::question::quoted_lines;

/// The number of definitions that answer a question, unless the arguments say otherwise.
const DEFAULT_MATCHES: usize = 10;
/// The number of strongest matches. More of them is quoted, and the definitions that they call and use are shown.
const N_STRONGEST: usize = 3;
/// The number of lines that are quoted of a longer match.
const WINDOW_LINES: usize = 40;
/// The number of lines that are quoted of a longer match after the first ones.
const SMALL_WINDOW_LINES: usize = 16;
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

/// A definition, or a passage of a file without definitions, that matches the text.
struct Match {
    probability: f32,
    node: Node,
    location: Location,
    /// The line because of which the definition matches, if it is known.
    line: Option<u32>,
}

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
    /// Shows the definitions that match the question best, and how they are related.
    pub(super) fn matches(&mut self) {
        let view = self.asking.view;
        let mut found = self.found();
        found.truncate(self.asking.number("top_k", DEFAULT_MATCHES));
        let all: Vec<Node> = found.iter().map(|found| found.node).collect();
        for (at, found) in found.iter().enumerate() {
            let role = relations_to(view, found.node, &all);
            let max_lines = if at < N_STRONGEST { WINDOW_LINES } else { SMALL_WINDOW_LINES };
            self.quote_match(found, role, max_lines);
        }
        if let Some(node) = all.first() {
            self.outline(file_of(view, *node));
        }
        for node in all.iter().take(N_STRONGEST) {
            self.used_by(*node);
        }
        if let Some(node) = all.first() {
            self.call_sites(*node);
        }
    }

    /// Returns the definitions that match the question, best first.
    fn found(&self) -> Vec<Match> {
        let view = self.asking.view;
        let mut found: Vec<Match> = Vec::new();
        for hit in (self.asking.search)() {
            let Some(file) = view.file_by_path(&hit.path) else { continue };
            for symbol in &hit.symbols {
                let Some(id) = view.symbol_at(file, symbol.line) else { continue };
                let (probability, node) = (hit.confidence * symbol.probability, Node::Symbol(id));
                let location = Location::of(view, node);
                found.push(Match { probability, node, location, line: None });
            }
            // In a file without definitions, the best passage is shown.
            if let Some(lines) = hit.lines.filter(|_| hit.symbols.is_empty()) {
                let node = Node::File(file);
                let location = Location { lines, ..Location::of(view, node) };
                found.push(Match { probability: hit.confidence, node, location, line: None });
            }
        }
        found.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.node.cmp(&b.node)));
        found
    }

    /// Quotes a definition that matches the text.
    fn quote_match(&mut self, found: &Match, role: String, max_lines: usize) {
        let item = Item {
            role,
            relevance: Some(found.probability),
            source: MATCHED_CODE.to_owned(),
            ..Item::at(&found.location, 0)
        };
        self.quote_definition(&found.location, found.line, max_lines, item);
    }

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

/// Returns which of `others` a definition calls, in words, such as "calls `save`, `load`".
fn relations_to(view: &View, node: Node, others: &[Node]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for edge in view.references_from(node) {
        if let Node::Symbol(id) = edge.to
            && edge.kind == EdgeKind::Calls
            && edge.to != node
            && others.contains(&edge.to)
            && !names.contains(&view.symbol(id).qualified)
        {
            names.push(view.symbol(id).qualified);
        }
    }
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("calls {}", names.join(", "))
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
