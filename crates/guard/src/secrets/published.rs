//! Recognises example values from manuals and standards. These values are public and therefore not secrets.

use std::sync::LazyLock;

use crate::table;

/// The two halves of each value. Each is written in two halves, so that no row looks like a real token.
static PUBLISHED: LazyLock<Vec<[&str; 2]>> =
    LazyLock::new(|| table::rows(include_str!("tables/published.txt")).collect());

/// Returns whether `value` is a published example, with or without base64 padding.
pub(crate) fn is_published(value: &str) -> bool {
    let value = value.trim_end_matches('=');
    PUBLISHED.iter().any(|[first, second]| {
        value.strip_prefix(first).is_some_and(|rest| rest == second.trim_end_matches('='))
    })
}

#[cfg(test)]
mod tests;
