//! The briefing without findings.

use crate::{
    Briefing, Budget, Client, Degraded, DegradedTo, Enforcement, EnforcementSource, ForModel,
    ForUser, FusedContext, Inputs, Limits, RepoRootSource, SCHEMA_VERSION, Safety, Structured,
    ToolPlan,
};

impl Briefing {
    /// A briefing without findings, whose limits give the reason.
    #[must_use]
    pub fn empty(client: Client, prompt: String, created_at: String, limits: &Limits) -> Self {
        let reason = limits.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            run_id: "empty".to_owned(),
            created_at,
            client,
            inputs: Inputs {
                prompt,
                signals: Vec::new(),
                repo_root: String::new(),
                repo_root_source: RepoRootSource::NoGitRoot,
            },
            tool_plan: ToolPlan {
                tier_max: 0,
                planned_codex_command: None,
                budget: Budget { wall_ms: 0, max_concurrency: 0, max_injected_chars: 0 },
                tools: Vec::new(),
            },
            tool_results: Vec::new(),
            fused_context: FusedContext {
                for_model: ForModel {
                    additional_context: String::new(),
                    structured: Structured::default(),
                    safety: Safety::default(),
                },
                for_user: ForUser { limits_text: limits.text(), ..ForUser::default() },
            },
            degraded: Degraded {
                is_degraded: !reason.is_empty(),
                reason,
                degraded_to: DegradedTo::Empty,
            },
            enforcement: Enforcement {
                single_tool_entry: true,
                source: EnforcementSource::Adapter,
            },
        }
    }
}
