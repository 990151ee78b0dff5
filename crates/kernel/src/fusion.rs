//! Many findings become few: once each, cut to size, in a stable order; contradictions side by side.
//!
//! Pure, and the same input gives the same output.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use contract::{Conflict, Evidence};

use crate::evidence::{Claim, Gathered};

const SUMMARY_CHARS: usize = 240;
const SNIPPET_LINES: usize = 20;

/// How much a reader gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BriefingSize {
    items: usize,
    snippets: usize,
}

impl BriefingSize {
    pub(crate) const WHOLE: Self = Self { items: 12, snippets: 3 };
    /// A sub-agent has one errand, and its parent has been briefed already.
    pub(crate) const SMALL: Self = Self { items: 5, snippets: 1 };
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fused {
    /// In the published order: tool, path, symbol, confidence, summary.
    pub(crate) items: Vec<Evidence>,
    pub(crate) conflicts: Vec<Conflict>,
    /// How many findings were left out.
    pub(crate) n_cut: usize,
}

pub(crate) fn fuse(gathered: Gathered, size: BriefingSize) -> Fused {
    let (conflicts, agreed) = conflicts(gathered.claims);
    let mut findings = gathered.findings;
    findings.extend(agreed);
    let mut items = once_each(findings);
    let n_all = items.len();
    keep_most_relevant(&mut items, size.items);
    let n_cut = n_all - items.len();
    cut_snippets(&mut items, size.snippets);
    items.iter_mut().for_each(cut_summary);
    items.sort_by(published_order);
    Fused { items, conflicts, n_cut }
}

/// Strongest first: what is read before anything is cut off.
pub(crate) fn strongest_first(items: &[Evidence]) -> Vec<&Evidence> {
    let mut items: Vec<&Evidence> = items.iter().collect();
    items.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then_with(|| published_order(a, b)));
    items
}

fn key(item: &Evidence) -> [&str; 4] {
    [&item.tool, or_dash(item.path.as_deref()), or_dash(item.symbol.as_deref()), &item.title]
}

fn or_dash(part: Option<&str>) -> &str {
    part.unwrap_or("-")
}

fn published_order(a: &Evidence, b: &Evidence) -> Ordering {
    let [tool_a, path_a, symbol_a, _] = key(a);
    let [tool_b, path_b, symbol_b, _] = key(b);
    (tool_a, path_a, symbol_a)
        .cmp(&(tool_b, path_b, symbol_b))
        .then_with(|| b.confidence.total_cmp(&a.confidence))
        .then_with(|| a.summary.cmp(&b.summary))
        .then_with(|| a.line.cmp(&b.line))
}

/// Of findings with the same key the most confident stays.
fn once_each(mut findings: Vec<Evidence>) -> Vec<Evidence> {
    findings.sort_by(|a, b| {
        b.confidence
            .total_cmp(&a.confidence)
            .then_with(|| a.line.cmp(&b.line))
            .then_with(|| a.summary.cmp(&b.summary))
    });
    let mut kept: BTreeMap<[String; 4], Evidence> = BTreeMap::new();
    for finding in findings {
        kept.entry(key(&finding).map(str::to_owned)).or_insert(finding);
    }
    kept.into_values().collect()
}

/// Every tool's best first, then every tool's second best, and so on: a talkative tool does not crowd out the others.
fn keep_most_relevant(items: &mut Vec<Evidence>, most: usize) {
    let mut by_tool: BTreeMap<String, Vec<Evidence>> = BTreeMap::new();
    for item in items.drain(..) {
        by_tool.entry(item.tool.clone()).or_default().push(item);
    }
    let mut ranked: Vec<(usize, Evidence)> = Vec::new();
    for mut tool_items in by_tool.into_values() {
        tool_items.sort_by(|a, b| {
            b.confidence.total_cmp(&a.confidence).then_with(|| published_order(a, b))
        });
        ranked.extend(tool_items.into_iter().enumerate());
    }
    ranked.sort_by(|(rank_a, a), (rank_b, b)| {
        rank_a
            .cmp(rank_b)
            .then(b.confidence.total_cmp(&a.confidence))
            .then_with(|| published_order(a, b))
    });
    items.extend(ranked.into_iter().take(most).map(|(_, item)| item));
}

/// A few snippets of twenty lines, with the strongest findings.
fn cut_snippets(items: &mut [Evidence], most: usize) {
    let mut order: Vec<usize> =
        (0..items.len()).filter(|index| items[*index].snippet.is_some()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (&items[*a], &items[*b]);
        b.confidence.total_cmp(&a.confidence).then_with(|| published_order(a, b))
    });
    for (rank, index) in order.into_iter().enumerate() {
        let item = &mut items[index];
        let Some(snippet) = item.snippet.take() else { continue };
        if rank >= most {
            continue;
        }
        item.truncated |= snippet.lines().count() > SNIPPET_LINES;
        item.snippet = Some(snippet.lines().take(SNIPPET_LINES).collect::<Vec<_>>().join("\n"));
    }
}

fn cut_summary(item: &mut Evidence) {
    if item.summary.chars().count() > SUMMARY_CHARS {
        item.summary = item.summary.chars().take(SUMMARY_CHARS - 1).collect::<String>() + "…";
        item.truncated = true;
    }
}

/// Claims of one key that do not agree are a conflict; the others are ordinary findings.
fn conflicts(claims: Vec<Claim>) -> (Vec<Conflict>, Vec<Evidence>) {
    let mut by_key: BTreeMap<String, Vec<Claim>> = BTreeMap::new();
    for claim in claims {
        by_key.entry(claim.key.clone()).or_default().push(claim);
    }
    let mut conflicts = Vec::new();
    let mut agreed = Vec::new();
    for (key, claims) in by_key {
        let disagree = claims.iter().any(|claim| claim.polarity != claims[0].polarity);
        let mut sides: Vec<Evidence> = claims.into_iter().map(|claim| claim.evidence).collect();
        if disagree {
            sides.iter_mut().for_each(cut_summary);
            sides.sort_by(published_order);
            conflicts.push(Conflict { key, sides });
        } else {
            agreed.extend(sides);
        }
    }
    (conflicts, agreed)
}

#[cfg(test)]
mod tests;
