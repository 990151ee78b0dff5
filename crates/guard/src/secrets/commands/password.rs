//! What can be a password in a position that only a password has.

use crate::secrets::dummy_values::is_placeholder;
use crate::secrets::vocabulary::is_label;

const MIN_LENGTH: usize = 4;

/// Whether the value is written out: not a variable, a template, a path, a mask or a label.
pub(super) fn is_password(value: &str, is_quoted: bool) -> bool {
    let is_reference =
        value.starts_with(['$', '<', '{', '-', '%', '[', '(', '@', '&']) || value.contains("${");
    let is_path = value.starts_with(['/', '\\', '.', '~'])
        || value.starts_with("file:")
        || value.starts_with("env:")
        || value.contains("://");
    value.len() >= MIN_LENGTH
        && !is_reference
        && !value.contains(['<', '{', '*', '\n'])
        && !value.contains("$(")
        && !is_placeholder(value)
        && !is_label(value)
        && !is_constant(value)
        && (is_quoted && !value.contains("://") || !is_path)
}

/// `PASSWORD`, `NEW_PW`: a placeholder of a manual.
fn is_constant(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// Whether the value has a digit or punctuation that words of a sentence do not have.
pub(super) fn is_distinct(value: &str) -> bool {
    value.bytes().any(|byte| {
        byte.is_ascii_digit() || matches!(byte, b'!' | b'#' | b'@' | b'%' | b'^' | b'_')
    })
}
