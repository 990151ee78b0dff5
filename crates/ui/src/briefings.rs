//! An entry of the briefing log, as shown on the page.

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
    /// How much evidence the prompt got: `silent`, `nothing` (found), `pointers`, `briefing`, or `on` if the gate (the model that decides
    /// this) was not used.
    pub amount: String,
    /// The reasons for the gate's decision.
    pub reasons: Vec<String>,
    /// The gate's estimate of the probability that evidence is wanted. `None` if the gate was not used.
    pub probability: Option<f64>,
    /// The number of characters that were added to the prompt.
    pub characters: usize,
    pub tools: Vec<BriefingTool>,
    pub findings: Vec<BriefingFinding>,
    pub limits: String,
}

/// What the briefings of the last seven days added, and what the agent used of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Benefit {
    pub sessions: usize,
    pub briefings: usize,
    /// The number of characters that were added to prompts.
    pub characters: usize,
    /// The cited places in sessions whose transcript could be read.
    pub places: usize,
    /// The cited places that the agent then read or edited.
    pub used_places: usize,
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
    /// The path, with the line number if it is known.
    pub place: String,
    pub symbol: Option<String>,
    pub tool: String,
    pub confidence: Option<f64>,
}
