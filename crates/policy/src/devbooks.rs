//! `.devbooks/config.yaml` belongs to another tool and is never obeyed; settings put there by mistake are
//! pointed out.

use std::path::Path;

use contract::Limit;
use disk::Links;

const PATH: &str = ".devbooks/config.yaml";

/// Key names that only make sense in `config/auto-tools.yaml`.
const OURS: [&str; 8] = [
    "auto_tools",
    "auto-tools",
    "tier_max",
    "wall_ms",
    "max_concurrency",
    "max_injected_chars",
    "auto_tools_mode",
    "ci_auto_tools",
];

/// Looks at the keys alone, line by line: a file that is not ours must not fail us, however broken.
#[must_use]
pub fn misplaced_settings(repository: &Path) -> Option<Limit> {
    const MAX_BYTES: u64 = 256 * 1024;
    let text = disk::read_text(&repository.join(PATH), Links::Refuse, MAX_BYTES).ok()?;
    let mut keys: Vec<String> = Vec::new();
    for line in text.lines() {
        let Some((key, _)) = line.split_once(':') else { continue };
        let key = key.trim().trim_start_matches("- ").trim_matches(['"', '\'']).to_lowercase();
        if OURS.contains(&key.as_str()) && !keys.contains(&key) {
            keys.push(key);
        }
    }
    (!keys.is_empty()).then(|| Limit::MoveSettings { from: PATH.into(), keys })
}

#[cfg(test)]
mod tests;
