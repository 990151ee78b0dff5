//! Adds the fields of an MCP run request to the flags that its `args` contain.

use clap::ValueEnum;
use codex::{Cost, Piece};
use mcp::RunFields;

use super::{Limit, Preset, RunFlags};

impl RunFlags {
    /// Adds the fields to the flags. Returns an error if a value is given both as a field and in `args`. The task in
    /// the field precedes the tasks in `args`.
    pub(in crate::commands) fn add_fields(&mut self, fields: &RunFields) -> Result<(), String> {
        let preset = fields.preset.as_deref().map(|name| Preset::from_str(name, false));
        let timeout = fields.timeout.map(Limit::from_seconds);
        set("--model", &mut self.model, fields.model.clone())?;
        set("--profile", &mut self.profile, fields.profile.clone())?;
        set("--preset", &mut self.compatibility.preset, preset.transpose()?)?;
        set("--timeout", &mut self.timeout, timeout)?;
        let max_cost = fields.max_cost.as_ref().map(|cost| cost.to_string().parse::<Cost>());
        let max_cost = max_cost.transpose().map_err(|error| format!("`maxCost`: {error}"))?;
        let budget = &mut self.budget;
        set("--max-tokens", &mut budget.max_tokens, fields.max_tokens)?;
        set("--max-turns", &mut budget.max_turns, fields.max_turns)?;
        set("--max-cost", &mut budget.max_cost, max_cost)?;
        set("--tag", &mut self.record.tag, fields.tag.clone())?;
        self.orders.add_fields(fields)?;
        let repeat = &mut self.repeat;
        let message = fields.auto_commit_message.clone();
        set("--auto-commit-message", &mut repeat.auto_commit_message, message)?;
        repeat.require_change_in.extend(fields.require_change_in.iter().cloned());
        repeat.require_git_commit |= fields.require_git_commit;
        repeat.auto_commit_on_done |= fields.auto_commit_on_done;
        repeat.no_carry_context |= fields.carry_context == Some(false);
        self.patch_mode |= fields.patch_mode;
        if let Some(task) = &fields.task {
            self.pieces.0.insert(0, Piece::Text(task.clone()));
        }
        let entries = fields.codex_config.iter().map(|(key, value)| format!("{key}={value}"));
        self.codex_config.splice(0..0, entries);
        Ok(())
    }
}

pub(in crate::commands) fn set<T>(
    flag: &str,
    option: &mut Option<T>,
    field: Option<T>,
) -> Result<(), String> {
    match (&option, field) {
        (Some(_), Some(_)) => Err(format!("`{flag}` is given twice: as a field and in `args`")),
        (None, Some(value)) => {
            *option = Some(value);
            Ok(())
        }
        (_, None) => Ok(()),
    }
}
