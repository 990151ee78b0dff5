//! Completes an id of which only the start was given.

use crate::failure::Failure;

/// Returns the only one of `ids` that starts with `start`. Returns `None` if there is none, and an error if there are
/// several.
pub(super) fn complete(
    start: &str,
    ids: impl IntoIterator<Item = String>,
) -> Result<Option<String>, Failure> {
    const MAX_SHOWN: usize = 3;
    let mut found: Vec<String> = ids.into_iter().filter(|id| id.starts_with(start)).collect();
    if found.len() > 1 {
        let shown: Vec<String> = found.iter().take(MAX_SHOWN).map(|id| format!("`{id}`")).collect();
        let more = if found.len() > MAX_SHOWN { ", …" } else { "" };
        return Err(Failure::not_found(format!("{} ids start with `{start}`", found.len()))
            .hint(format!("write more of the id: {}{more}", shown.join(", "))));
    }
    Ok(found.pop())
}

#[cfg(test)]
mod tests {
    use super::complete;

    #[test]
    fn only_a_unique_start_is_completed() {
        let ids = || ["t-ab1", "t-ab2", "t-c"].map(str::to_owned);
        assert_eq!(complete("t-c", ids()).ok(), Some(Some("t-c".to_owned())));
        assert_eq!(complete("t-ab2", ids()).ok(), Some(Some("t-ab2".to_owned())));
        assert_eq!(complete("x", ids()).ok(), Some(None));
        let failure = complete("t-a", ids()).err().map(|failure| (failure.exit, failure.message));
        assert_eq!(failure, Some((1, "2 ids start with `t-a`".to_owned())));
    }
}
