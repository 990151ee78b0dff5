use super::*;

const NOW: &str = "2026-11-16T14:19:20Z";

fn found(message: &str) -> Option<ResetTime> {
    let berlin = TimeZone::get("Europe/Berlin").expect("the time zones of the system");
    reset_time(message, NOW.parse().unwrap(), &berlin)
}

#[track_caller]
fn exact(message: &str, time: &str) {
    assert_eq!(found(message), Some(ResetTime::Exact(time.parse().unwrap())), "{message}");
}

#[track_caller]
fn minute(message: &str, time: &str) {
    assert_eq!(found(message), Some(ResetTime::Minute(time.parse().unwrap())), "{message}");
}

/// The first four messages were printed by codex 0.166.
#[test]
fn messages_of_codex() {
    minute(
        "You’ve hit your usage limit. Visit https://chatgpt.com/settings/usage to purchase more credits or try again at 3:30 PM.",
        "2026-11-16T14:30:00Z",
    );
    minute(
        "You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again at Nov 17th, 2026 6:06 PM.",
        "2026-11-17T17:06:00Z",
    );
    exact(
        "rate limit exceeded: Rate limit reached for gpt-5.1 on tokens per min (TPM): Limit 1, Used 1. Please try again in 2.5s. Visit https://platform.openai.com",
        "2026-11-16T14:19:22.5Z",
    );
    assert_eq!(found("You’ve hit your usage limit. Try again later."), None);
    minute("Try again at 3:19 PM.", "2026-11-16T14:19:00Z");
    minute("Try again at 3:18 PM.", "2026-11-17T14:18:00Z");
    exact("Try again in 2 hours 5 minutes.", "2026-11-16T16:24:20Z");
    exact("try again in 1 day, 2 hours and 3 minutes", "2026-11-17T16:22:20Z");
    exact("try again in 2 weeks", "2026-11-30T14:19:20Z");
    exact("try again in 1 month", "2026-12-16T14:19:20Z");
    exact("Please try again in 6m0s.", "2026-11-16T14:25:20Z");
    exact("Please try again in 120ms.", "2026-11-16T14:19:20.12Z");
}

#[test]
fn replies_of_the_apis() {
    exact(
        r#"{"error":{"type":"usage_limit_reached","resets_in_seconds": 3}}"#,
        "2026-11-16T14:19:23Z",
    );
    exact(r#"{"error":{"resets_at":1794838766}}"#, "2026-11-16T14:19:26Z");
    exact(r#"{"resetsAt":"2026-11-16T15:00:00Z"}"#, "2026-11-16T15:00:00Z");
    exact("429 Too Many Requests, Retry-After: 30", "2026-11-16T14:19:50Z");
    assert_eq!(found("exceeded retry limit, last status: 429 Too Many Requests"), None);
}

#[test]
fn messages_of_claude_code() {
    exact("Claude AI usage limit reached|1794838766", "2026-11-16T14:19:26Z");
    minute("You've hit your session limit · resets 5pm (Europe/Berlin)", "2026-11-16T16:00:00Z");
    minute("5-hour limit reached ∙ resets 9:30am (America/New_York)", "2026-11-16T14:30:00Z");
    minute("You've hit your weekly limit · resets Nov 20 at 5pm (UTC)", "2026-11-20T17:00:00Z");
    minute("resets Dec 2, 5am", "2026-12-02T04:00:00Z");
    let december = jiff::civil::date(2026, 12, 30);
    assert_eq!(date_after("Jan", "2", december), Some(jiff::civil::date(2027, 1, 2)));
}

#[test]
fn a_time_that_cannot_be_a_reset_is_ignored() {
    for message in [
        "resets_at: 999999999999",
        "try again at 25:00 PM",
        "resets 3pm (No/Where)",
        "look at 3 files in 2 hours",
        "try again in 99999999999999999999 days",
        "",
    ] {
        assert_eq!(found(message), None, "{message}");
    }
}

#[test]
fn a_minute_includes_its_seconds() {
    let minute = ResetTime::Minute("2026-11-16T14:19:00Z".parse().unwrap());
    assert!(minute.includes("2026-11-16T14:19:59Z".parse().unwrap()));
    assert!(!minute.includes("2026-11-16T14:20:00Z".parse().unwrap()));
    assert_eq!(minute.end().to_string(), "2026-11-16T14:20:00Z");
}
