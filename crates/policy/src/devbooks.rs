//! Reports settings that were put into `.devbooks/config.yaml` by mistake. That file belongs to another tool, so such
//! settings have no effect.

use std::path::Path;

use contract::Limit;
use disk::Links;

const PATH: &str = ".devbooks/config.yaml";

/// Keys of `config/auto-tools.yaml`, and similar names that users may write instead.
const SETTING_KEYS: [&str; 8] = [
    "auto_tools",
    "auto-tools",
    "tier_max",
    "wall_ms",
    "max_concurrency",
    "max_injected_chars",
    "auto_tools_mode",
    "ci_auto_tools",
];

/// Returns a [`Limit`] message that names the misplaced keys, or `None` if there are none.
///
/// Reads the file line by line instead of parsing it, because a YAML error in another tool's file must not cause a
/// failure.
#[must_use]
pub fn misplaced_settings(repository: &Path) -> Option<Limit> {
    const MAX_BYTES: u64 = 256 * 1024;
    let text = disk::read_text(&repository.join(PATH), Links::Refuse, MAX_BYTES).ok()?;
    let mut keys: Vec<String> = Vec::new();
    for line in text.lines() {
        let Some((key, _)) = line.split_once(':') else { continue };
        let key = key.trim().trim_start_matches("- ").trim_matches(['"', '\'']).to_lowercase();
        if SETTING_KEYS.contains(&key.as_str()) && !keys.contains(&key) {
            keys.push(key);
        }
    }
    (!keys.is_empty()).then(|| Limit::MoveSettings { from: PATH.into(), keys })
}

#[cfg(test)]
mod tests;
