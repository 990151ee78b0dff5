//! An entry of the log of briefings, as the page shows it.

use serde::Serialize;

/// What was added to one prompt, and why.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Briefing {
    pub id: String,
    pub created_at: String,
    pub client: String,
    pub repository: String,
    pub prompt: String,
    /// How much evidence the prompt got: `silent`, `pointers`, `briefing`, or `on` if the gate did not decide.
    pub amount: String,
    /// Why the gate decided so.
    pub reasons: Vec<String>,
    /// The estimated probability that evidence is wanted. `None` if the gate did not decide.
    pub probability: Option<f64>,
    /// The number of characters that were injected.
    pub characters: usize,
    pub tools: Vec<BriefingTool>,
    pub findings: Vec<BriefingFinding>,
    pub limits: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BriefingTool {
    pub tool: String,
    pub status: String,
    pub ms: u64,
    pub summary: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BriefingFinding {
    /// The path, with the line if it is known.
    pub place: String,
    pub symbol: Option<String>,
    pub tool: String,
    pub confidence: Option<f64>,
}
