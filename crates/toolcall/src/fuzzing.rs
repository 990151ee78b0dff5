//! Parsers of untrusted input for the crate `fuzz-targets`.

use crate::hooks::{HookKind, Rule, parse_rules};

/// Parses the rules of a hook file.
pub fn parse_hook_file(kind: HookKind, text: &str) -> Result<Vec<Rule>, serde_json::Error> {
    parse_rules(kind, text)
}
