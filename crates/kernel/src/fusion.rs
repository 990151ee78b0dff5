//! Merges the findings of all tools: removes duplicates, keeps the most relevant findings and sorts them. All functions are
//! pure.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use contract::{Conflict, Evidence, Limit};
use policy::ToolId;

use crate::evidence::{Claim, Gathered, Part};

/// The minimum confidence of a finding in a briefing. Weaker findings are left out.
const MIN_CONFIDENCE: f64 = 0.10;
/// The maximum number of findings that are kept if all findings are weak.
const MAX_UNSURE: usize = 3;
const MAX_SUMMARY_CHARS: usize = 240;
const MAX_SNIPPET_LINES: usize = 20;

/// The maximum numbers of findings and snippets in a briefing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BriefingSize {
    items: usize,
    snippets: usize,
    /// Whether the code of the working set is shown whole, with the code around it.
    has_working_set: bool,
}

impl BriefingSize {
    pub(crate) const WHOLE: Self = Self { items: 12, snippets: 3, has_working_set: true };
    /// The size of a briefing for a sub-agent, whose task is small and whose parent already has a briefing.
    pub(crate) const SMALL: Self = Self { items: 5, snippets: 1, has_working_set: false };
    /// The size of a briefing that contains only pointers (locations without code), for a prompt that may need no
    /// evidence.
    pub(crate) const POINTERS: Self = Self { items: 5, snippets: 0, has_working_set: false };
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fused {
    /// The findings, sorted by tool, path, symbol, confidence and summary.
    pub(crate) items: Vec<Evidence>,
    pub(crate) conflicts: Vec<Conflict>,
    /// The number of findings that were left out.
    pub(crate) n_cut: usize,
}

impl Fused {
    /// Reduces the findings to pointers: locations without a summary or code.
    fn reduce_to_pointers(&mut self) {
        for item in &mut self.items {
            item.summary.clear();
            item.snippet = None;
            item.truncated = false;
        }
    }

    /// Removes the weakest finding, unless it is the only one. Returns whether a finding was removed.
    pub(crate) fn drop_weakest(&mut self) -> bool {
        let order = strongest_first(&self.items);
        let Some(weakest) = order.last().filter(|_| order.len() > 1).map(|item| (*item).clone())
        else {
            return false;
        };
        self.items.retain(|item| *item != weakest);
        true
    }

    /// Removes the snippets of the given files. The findings are kept, without their code.
    pub(crate) fn drop_snippets_of(&mut self, paths: &[String]) {
        for item in &mut self.items {
            if item.path.as_ref().is_some_and(|path| paths.contains(path)) {
                item.snippet = None;
            }
        }
    }

    /// Returns a `[Limits]` message if findings were left out.
    pub(crate) fn limit(&self) -> Option<Limit> {
        (self.n_cut > 0).then_some(Limit::WeakFindings { n: self.n_cut })
    }
}

pub(crate) fn fuse(gathered: Gathered, size: BriefingSize) -> Fused {
    let (conflicts, agreed) = conflicts(gathered.claims);
    let mut findings = gathered.findings;
    findings.extend(agreed);
    let mut items = once_each(findings);
    merge_into_answers(&mut items);
    if !size.has_working_set {
        items.retain(|item| Part::of(item) != Part::Related);
    }
    cut_snippets(&mut items, size);
    quote_code_once(&mut items);
    let n_all = items.len();
    drop_weak(&mut items);
    keep_most_relevant(&mut items, size.items);
    let n_cut = n_all - items.len();
    items.iter_mut().for_each(cut_summary);
    items.sort_by(published_order);
    let mut fused = Fused { items, conflicts, n_cut };
    if size == BriefingSize::POINTERS {
        fused.reduce_to_pointers();
    }
    fused
}

/// Removes findings that have the same location as a direct answer. Their snippets are moved to the answer.
fn merge_into_answers(items: &mut Vec<Evidence>) {
    let place = |item: &Evidence| (item.path.clone(), item.line, item.symbol.clone());
    let (mut answers, others): (Vec<Evidence>, Vec<Evidence>) =
        items.drain(..).partition(|item| !is_other(item));
    for other in others {
        match answers.iter_mut().find(|answer| place(answer) == place(&other)) {
            Some(answer) if answer.line.is_some() => {
                answer.snippet = answer.snippet.take().or(other.snippet);
            }
            _ => items.push(other),
        }
    }
    items.append(&mut answers);
}

/// Returns the findings, strongest first. The text for the model uses this order, because findings are cut from its
/// end.
pub(crate) fn strongest_first(items: &[Evidence]) -> Vec<&Evidence> {
    let mut items: Vec<&Evidence> = items.iter().collect();
    items.sort_by(|a, b| by_strength(a, b));
    items
}

fn by_strength(a: &Evidence, b: &Evidence) -> Ordering {
    let by_confidence = b.confidence.total_cmp(&a.confidence);
    Part::of(a).cmp(&Part::of(b)).then(by_confidence).then_with(|| published_order(a, b))
}

/// Returns whether a finding does not answer a direct question.
fn is_other(item: &Evidence) -> bool {
    Part::of(item) != Part::Answer
}

/// Returns whether a finding quotes code that was chosen by the probability that the prompt needs it.
fn is_working_set(item: &Evidence) -> bool {
    item.source == engine::MATCHED_CODE || Part::of(item) == Part::Related
}

/// Removes the snippets of the search from the files that the working set quotes. A definition of the working set that the
/// search has found as well is one finding: that of the search, with the code of the working set.
fn quote_code_once(items: &mut Vec<Evidence>) {
    let (working_set, mut others): (Vec<Evidence>, Vec<Evidence>) =
        items.drain(..).partition(is_working_set);
    let (matches, related): (Vec<Evidence>, Vec<Evidence>) =
        working_set.into_iter().partition(|item| Part::of(item) == Part::Match);
    let is_search = |item: &Evidence| item.tool == ToolId::Search.name();
    for other in others.iter_mut().filter(|other| is_search(other)) {
        if matches.iter().any(|code| code.path == other.path) {
            other.snippet = None;
        }
    }
    for code in matches {
        let is_same = |other: &&mut Evidence| {
            is_search(other) && other.path == code.path && other.symbol == code.symbol
        };
        match others.iter_mut().find(is_same) {
            Some(other) => {
                other.snippet = code.snippet;
                other.confidence = other.confidence.max(code.confidence);
            }
            None => items.push(code),
        }
    }
    items.extend(related);
    items.append(&mut others);
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

/// Removes duplicates. Of the findings with the same tool, path, symbol and title, only the one with the highest
/// confidence is kept.
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

/// Removes the findings below [`MIN_CONFIDENCE`]. If all findings are weak, keeps the strongest ones without snippets.
fn drop_weak(items: &mut Vec<Evidence>) {
    if items.iter().any(|item| item.confidence >= MIN_CONFIDENCE) {
        items.retain(|item| item.confidence >= MIN_CONFIDENCE);
        return;
    }
    items.sort_by(by_strength);
    items.truncate(MAX_UNSURE);
    items.iter_mut().for_each(|item| item.snippet = None);
}

/// Keeps the `most` most relevant findings. Takes the best finding of each tool, then the second best of each tool, and so
/// on, so that a tool with many findings does not displace the others.
fn keep_most_relevant(items: &mut Vec<Evidence>, most: usize) {
    let mut by_tool: BTreeMap<String, Vec<Evidence>> = BTreeMap::new();
    for item in items.drain(..) {
        by_tool.entry(item.tool.clone()).or_default().push(item);
    }
    let mut ranked: Vec<(usize, Evidence)> = Vec::new();
    for mut tool_items in by_tool.into_values() {
        tool_items.sort_by(by_strength);
        // All findings that answer a direct question come before the findings of other tools.
        let rank = |(at, item): (usize, Evidence)| (if is_other(&item) { at } else { 0 }, item);
        ranked.extend(tool_items.into_iter().enumerate().map(rank));
    }
    // Related code only fills the places that are left.
    let is_related = |item: &Evidence| Part::of(item) == Part::Related;
    ranked.sort_by(|(rank_a, a), (rank_b, b)| {
        let by_part = is_related(a).cmp(&is_related(b));
        by_part.then(rank_a.cmp(rank_b)).then_with(|| by_strength(a, b))
    });
    items.extend(ranked.into_iter().take(most).map(|(_, item)| item));
}

/// Keeps the snippets of the strongest findings and shortens them. Removes the other snippets. The working set has its own
/// limits.
fn cut_snippets(items: &mut [Evidence], size: BriefingSize) {
    let is_cut =
        |item: &Evidence| item.snippet.is_some() && !(size.has_working_set && is_working_set(item));
    let mut order: Vec<usize> = (0..items.len()).filter(|index| is_cut(&items[*index])).collect();
    order.sort_by(|a, b| by_strength(&items[*a], &items[*b]));
    for (rank, index) in order.into_iter().enumerate() {
        let item = &mut items[index];
        let Some(snippet) = item.snippet.take() else { continue };
        if rank >= size.snippets {
            continue;
        }
        item.truncated |= snippet.lines().count() > MAX_SNIPPET_LINES;
        item.snippet = Some(snippet.lines().take(MAX_SNIPPET_LINES).collect::<Vec<_>>().join("\n"));
    }
}

fn cut_summary(item: &mut Evidence) {
    let shortened = contract::shortened(&item.summary, MAX_SUMMARY_CHARS);
    item.truncated |= shortened != item.summary;
    item.summary = shortened;
}

/// Groups claims by subject. Contradicting claims become conflicts; other claims become findings.
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
