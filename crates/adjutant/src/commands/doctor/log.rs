//! Names the command that shows what the briefings of the last days were used for.

use clients::Check;
use contract::counted;
use process::Environment;
use serde_json::json;

use crate::{edge, run_log};

const DAYS: u64 = 7;

pub(super) fn check(environment: &Environment) -> Check {
    const NAME: &str = "log";
    let Some(file) = run_log::file(environment) else {
        return Check::good(NAME, "switched off, so `adjutant log --summary` has no data");
    };
    let now = edge::clock().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs();
    let start = now.saturating_sub(DAYS * 24 * 60 * 60);
    let mut runs = run_log::read(&file);
    runs.retain(|run| run.seconds().is_some_and(|at| at >= start));
    let briefings = runs.iter().filter(|run| run.characters > 0).count();
    let (counts, prompts) = (counted(briefings, "briefing"), counted(runs.len(), "prompt"));
    let text = format!(
        "{counts} for {prompts} in {DAYS} days; `adjutant log --summary --all` counts what was used"
    );
    Check::good(NAME, text).with(json!({ "briefings": briefings, "prompts": runs.len() }))
}
