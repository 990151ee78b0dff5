//! Readers of untrusted input that have no public caller, for the crate `fuzz-targets` alone.

use crate::hooks::{HookKind, Rule, parse_rules};

/// The rules of a hook file with this content.
pub fn parse_hook_file(kind: HookKind, text: &str) -> Result<Vec<Rule>, serde_json::Error> {
    parse_rules(kind, text)
}
