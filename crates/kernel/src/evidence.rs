//! Collects the findings and claims from tool results. Adds the tool's name, the call's time and Adjutant's version to
//! each of them.

use contract::{Evidence, Finding, Status, ToolResult};

/// A statement of a tool about the subject `key`. Two claims about the same subject contradict each other if their
/// `polarity` differs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    pub(crate) key: String,
    pub(crate) polarity: String,
    pub(crate) evidence: Evidence,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Gathered {
    pub(crate) findings: Vec<Evidence>,
    pub(crate) claims: Vec<Claim>,
}

const DEFAULT_CONFIDENCE: f64 = 0.5;
pub(crate) use engine::DIRECT_ANSWER;
use engine::RELATED_CODE;

/// What a finding has to do with the prompt. The text for the model lists the findings in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The finding answers a direct question.
    Answer,
    /// The prompt may be about the place.
    Match,
    /// The place calls, uses or tests the code that the prompt may be about, or is called or used by it.
    Related,
}

impl Part {
    pub(crate) fn of(item: &Evidence) -> Self {
        match item.source.as_str() {
            DIRECT_ANSWER => Self::Answer,
            RELATED_CODE => Self::Related,
            _ => Self::Match,
        }
    }
}

/// Returns the number that is shown for a finding: its relevance to the prompt, if its number is one.
pub(crate) fn shown_relevance(item: &Evidence) -> Option<f64> {
    engine::states_relevance(&item.source).then_some(item.confidence)
}

/// Collects the findings and claims from successful results. If a result has a summary but no list of findings, the
/// summary becomes a finding.
pub(crate) fn gather(results: &[ToolResult]) -> Gathered {
    let mut gathered = Gathered::default();
    for result in results.iter().filter(|result| result.status == Status::Ok) {
        let data = result.data.as_ref();
        let claims = data.map(|data| data.claims()).unwrap_or_default();
        gathered.claims.extend(claims.iter().map(|claim| of_claim(result, claim)));
        if let Some(findings) = data.and_then(|data| data.findings()) {
            gathered.findings.extend(findings.iter().filter_map(|item| of_finding(result, item)));
        } else if !result.summary.trim().is_empty() && result.summary != Status::Ok.word() {
            gathered.findings.push(evidence(result, &result.tool, &result.summary, "output"));
        }
    }
    gathered
}

fn evidence(result: &ToolResult, title: &str, summary: &str, source: &str) -> Evidence {
    Evidence {
        tool: result.tool.clone(),
        title: title.to_owned(),
        summary: one_line(summary),
        confidence: DEFAULT_CONFIDENCE,
        source: source.to_owned(),
        time: result.started_at.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..Evidence::default()
    }
}

fn of_finding(result: &ToolResult, finding: &Finding) -> Option<Evidence> {
    let path = finding.path.as_deref().map(one_line);
    let summary = finding.summary_text();
    if path.is_none() && summary.trim().is_empty() {
        return None;
    }
    let title = finding.title.as_deref().or(finding.symbol.as_deref()).or(path.as_deref());
    let title = one_line(title.unwrap_or(&result.tool));
    let source = finding.source.as_deref().unwrap_or("output");
    Some(Evidence {
        line: finding.line,
        symbol: finding.symbol.as_deref().map(one_line),
        confidence: finding.confidence.unwrap_or(DEFAULT_CONFIDENCE).clamp(0.0, 1.0),
        snippet: finding.snippet.clone(),
        path,
        ..evidence(result, &title, summary, source)
    })
}

fn of_claim(result: &ToolResult, claim: &contract::Claim) -> Claim {
    let key = one_line(&claim.claim_key);
    let evidence = evidence(result, &key, &one_line(&claim.claim), "claim");
    Claim { polarity: one_line(&claim.polarity), evidence, key }
}

/// Replaces each run of white space with a single space. An empty line would break the layout of the text for the model.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
