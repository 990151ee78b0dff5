//! Formats the time since an event in a readable form.

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Returns how long `then` was before `now`, such as `5 min ago`. Both are in RFC 3339 format. Returns `then` if one of
/// them cannot be parsed.
pub(crate) fn ago(then: &str, now: &str) -> String {
    let seconds = |time: &str| time.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second);
    match (seconds(then), seconds(now)) {
        (Some(then), Some(now)) => seconds_ago(now - then),
        _ => then.to_owned(),
    }
}

/// Formats a number of seconds in the largest unit that fits, such as `3 h ago`.
pub(crate) fn seconds_ago(seconds: i64) -> String {
    match seconds.max(0) {
        n if n < MINUTE => format!("{n} s ago"),
        n if n < HOUR => format!("{} min ago", n / MINUTE),
        n if n < 2 * DAY => format!("{} h ago", n / HOUR),
        n => format!("{} days ago", n / DAY),
    }
}

#[cfg(test)]
mod tests {
    use super::ago;

    #[test]
    fn the_largest_unit_is_used() {
        let check = |then: &str, expected: &str| {
            assert_eq!(ago(then, "2026-11-16T12:00:00Z"), expected);
        };
        check("2026-11-16T11:59:58Z", "2 s ago");
        check("2026-11-16T11:50:00Z", "10 min ago");
        check("2026-11-16T09:00:00Z", "3 h ago");
        check("2026-11-13T12:00:00Z", "3 days ago");
        check("2026-11-16T12:00:09Z", "0 s ago");
        check("some time", "some time");
    }
}
