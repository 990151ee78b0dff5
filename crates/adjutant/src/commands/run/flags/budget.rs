//! Flags for the caps on tokens, turns and cost, and for usage limits.

use std::path::{Path, PathBuf};

use clap::Args;
use codex::{AgentKind, Budget, Cost, OnUsageLimit, SETTINGS_FILE, Spec, UnattendedSettings};
use process::Environment;

use super::duration::Limit;
use crate::edge;
use crate::failure::Failure;

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(in crate::commands) struct BudgetFlags {
    /// End the run after the turn in which its input and output tokens exceed this number
    #[arg(long, value_name = "N")]
    pub(super) max_tokens: Option<u64>,
    /// End the run after this many turns
    #[arg(long, value_name = "N")]
    pub(super) max_turns: Option<u64>,
    /// End the run after the turn in which its cost exceeds this amount; needs the price of --model in unattended.toml
    #[arg(long, value_name = "AMOUNT")]
    pub(super) max_cost: Option<Cost>,
    /// Wait for a usage limit to be reset and continue; wait at most this long in total: 90 (seconds), 30m, 6h
    #[arg(long, value_name = "TIME")]
    wait_for_limit: Option<Limit>,
}

impl BudgetFlags {
    /// Returns the caps. The price of the model is read from the user's settings.
    pub(super) fn budget(
        &self,
        spec: &Spec,
        settings: &UnattendedSettings,
    ) -> Result<Budget, Failure> {
        let usage = |message: String| Failure::new(message, contract::ExitCode::Usage);
        for (flag, value) in [("--max-tokens", self.max_tokens), ("--max-turns", self.max_turns)] {
            if value == Some(0) {
                return Err(usage(format!("`{flag} 0` allows no turn")));
            }
        }
        let model = spec.codex.named_model();
        let price = model.as_deref().and_then(|model| settings.prices.get(model)).copied();
        // Claude Code reports its cost.
        if self.max_cost.is_some() && price.is_none() && spec.agent == AgentKind::Codex {
            return Err(match model {
                None => usage("`--max-cost` needs the model of the run".to_owned())
                    .hint("name it with --model"),
                Some(model) => usage(format!("the price of the model `{model}` is not known")).hint(
                    format!(
                        "write to {SETTINGS_FILE} in ~/.config/adjutant (or ADJUTANT_CONFIG_DIR): [prices.\"{model}\"] with input, cached_input and output, each per million tokens"
                    ),
                ),
            });
        }
        Ok(Budget {
            max_tokens: self.max_tokens,
            max_turns: self.max_turns,
            max_cost: self.max_cost,
            price,
            ..Budget::default()
        })
    }

    pub(super) fn on_usage_limit(&self) -> OnUsageLimit {
        let Some(limit) = self.wait_for_limit else { return OnUsageLimit::Fail };
        let max_seconds = limit.milliseconds().map_or(0, |milliseconds| milliseconds / 1_000);
        OnUsageLimit::Wait { max_seconds }
    }
}

/// Returns the folders of the agent's further accounts that the user's settings list.
pub(super) fn next_homes(
    settings: &UnattendedSettings,
    agent: AgentKind,
    environment: &Environment,
) -> Result<Vec<PathBuf>, Failure> {
    let user_home = environment.text("HOME").map(Path::new);
    settings.next_homes(agent, user_home).map_err(|error| {
        let login = match agent {
            AgentKind::Codex => "codex login",
            AgentKind::Claude => "claude",
        };
        let (variable, named) = (agent.home_variable(), &error.named);
        let hint = format!("create the folder and log in: {variable}={named} {login}");
        Failure::new(error.to_string(), contract::ExitCode::Configuration).hint(hint)
    })
}

/// Reads the user's settings for unattended runs.
pub(in crate::commands) fn settings(
    environment: &Environment,
) -> Result<UnattendedSettings, Failure> {
    let folder = edge::hook_folders(environment).configuration;
    let settings = folder.map(|folder| UnattendedSettings::read(&folder)).transpose();
    let settings = settings.map_err(|error| {
        Failure::new(error.to_string(), contract::ExitCode::Configuration)
            .hint("correct the file or remove it")
    })?;
    Ok(settings.unwrap_or_default())
}
