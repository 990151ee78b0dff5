//! Computes the id of a briefing. In plan mode, the id does not contain the time, so that the same plan always gets the
//! same id.

use contract::ToolPlan;
use sha2::{Digest, Sha256};

/// Returns the id of a briefing in plan mode: `plan-` and 12 digits of a hash of the prompt, the root and the plan.
pub(crate) fn of_plan(prompt: &str, root: &str, plan: &ToolPlan) -> String {
    let plan = serde_json::to_string(plan).unwrap_or_default();
    format!("plan-{}", hash(&[prompt, root, &plan], 12))
}

/// Returns the id of a briefing: `YYYYMMDD-HHMMSS-` and 6 digits of a hash of the prompt and the root. `now` is the UTC time
/// in RFC 3339 format.
pub(crate) fn of_run(prompt: &str, root: &str, now: &str) -> String {
    let digits: String = now.chars().filter(char::is_ascii_digit).take(14).collect();
    let (day, time) = digits.split_at(digits.len().min(8));
    format!("{day}-{time}-{}", hash(&[prompt, root], 6))
}

/// Returns the first `n_digits` hexadecimal digits of a hash of `parts`. The hash includes the length of each part, so that
/// `["ab", "c"]` and `["a", "bc"]` differ.
pub(crate) fn hash(parts: &[&str], n_digits: usize) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let digits: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    digits[..n_digits].to_owned()
}

#[cfg(test)]
mod tests;
