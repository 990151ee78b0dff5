//! The behaviour of a run when its account has reached a usage limit, and the time at which the limit is reset.
//!
//! Error messages are parsed to find this time. The messages are those of codex (`try again at 3:05 PM`, `try again at Nov
//! 17th, 2026 6:06 PM`, `Please try again in 2.5s`), of Claude Code (`resets 3pm (Europe/Berlin)`, `limit
//! reached|1794838766`) and of the APIs that they use (`resets_at`, `resets_in_seconds`, `Retry-After`).

use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan, Zoned};
use regex::{Captures, Regex};
use serde::{Deserialize, Serialize};

/// What a run does when its account has reached a usage limit. Except with [`OnUsageLimit::Fail`], the run first tries
/// its other accounts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnUsageLimit {
    /// The run ends and is classified as `rate_limited`.
    #[default]
    Fail,
    /// The run ends and is classified as `waiting`. The caller continues it when the limit is reset.
    Defer,
    /// The run waits until the limit is reset, and then continues. All its waits together take at most this many
    /// seconds. If that is too short, the run ends and is classified as `waiting`.
    Wait { max_seconds: u64 },
}

impl OnUsageLimit {
    /// Returns how long the run may still wait after it has waited for `waited`.
    pub(crate) fn time_left(self, waited: Duration) -> Duration {
        match self {
            Self::Fail | Self::Defer => Duration::ZERO,
            Self::Wait { max_seconds } => Duration::from_secs(max_seconds).saturating_sub(waited),
        }
    }
}

/// The service's report that a usage limit has been reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UsageLimit {
    /// The time at which the limit is reset, if it is known.
    pub(crate) resets_at: Option<SystemTime>,
}

/// The time to wait if no reset time is known or the reset time has passed. It is doubled for each earlier wait, up to
/// [`MAX_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(60);
const MAX_PAUSE: Duration = Duration::from_secs(3600);

impl UsageLimit {
    /// Returns the time of the next attempt. `n_waits` is the number of waits before this one.
    pub(crate) fn retry_at(&self, now: SystemTime, n_waits: u32) -> SystemTime {
        self.resets_at.filter(|reset| *reset > now).unwrap_or_else(|| {
            let factor = 2_u32.saturating_pow(n_waits);
            now + FIRST_PAUSE.saturating_mul(factor).min(MAX_PAUSE)
        })
    }
}

/// A reset time further in the future than this is considered an error. The longest known limit is a month.
const MAX_AHEAD: SignedDuration = SignedDuration::from_hours(40 * 24);

/// A reset time further in the past than this is considered an error. The clocks of the service and of this machine may
/// differ.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(1);

/// The time of a reset as stated in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResetTime {
    Exact(Timestamp),
    /// A time within the minute that starts at this time. Codex omits the seconds.
    Minute(Timestamp),
}

impl ResetTime {
    /// Returns the earliest time at which the reset has certainly taken place.
    pub(crate) fn end(self) -> Timestamp {
        match self {
            Self::Exact(time) => time,
            Self::Minute(start) => start + SignedDuration::from_mins(1),
        }
    }

    /// Returns true if `time` can be the exact time of this reset.
    pub(crate) fn includes(self, time: Timestamp) -> bool {
        match self {
            Self::Exact(exact) => exact == time,
            Self::Minute(start) => start <= time && time < self.end(),
        }
    }
}

/// Returns the reset time in a message, or `None` if the message has no plausible reset time. Times without a zone are
/// in `zone`.
pub(crate) fn reset_time(message: &str, now: Timestamp, zone: &TimeZone) -> Option<ResetTime> {
    let found = after_duration(message, now)
        .or_else(|| at_timestamp(message))
        .or_else(|| at_date(message, zone))
        .or_else(|| at_clock_time(message, now, zone))?;
    let ahead = found.end().duration_since(now);
    (-MAX_AGE <= ahead && ahead <= MAX_AHEAD).then_some(found)
}

fn regex(pattern: &str) -> Option<Regex> {
    regex::RegexBuilder::new(pattern).case_insensitive(true).build().ok()
}

/// Parses `try again in 2 hours 5 minutes`, `in 6m0s`, `"resets_in_seconds":3`, `Retry-After: 30`.
fn after_duration(message: &str, now: Timestamp) -> Option<ResetTime> {
    static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        regex(
            r"\b(?:again|retry|resets?|available)(?: \w+)? in ((?:(?:and )?\d+(?:\.\d+)? ?[a-z]+,? ?)+)",
        )
    });
    static SECONDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        regex(
            r#"(?:resets_in_seconds|retry[-_]after(?:_seconds)?)["']?\s*[:=]\s*["']?(\d+(?:\.\d+)?)"#,
        )
    });
    let seconds = match SECONDS.as_ref()?.captures(message) {
        Some(found) => found[1].parse().ok()?,
        None => total_seconds(&WORDS.as_ref()?.captures(message)?[1])?,
    };
    let after = SignedDuration::try_from_secs_f64(seconds).ok()?;
    now.checked_add(after).ok().map(ResetTime::Exact)
}

/// Returns the length in seconds of a duration such as `2 hours 5 minutes`. Returns `None` if `text` contains no
/// duration.
fn total_seconds(text: &str) -> Option<f64> {
    static PART: LazyLock<Option<Regex>> =
        LazyLock::new(|| regex(r"(\d+(?:\.\d+)?) ?(ms|mo|w|d|h|m|s)[a-z]*"));
    let seconds = |part: Captures<'_>| {
        let unit = match part[2].to_ascii_lowercase().as_str() {
            "ms" => 0.001,
            "mo" => 30.0 * 86_400.0,
            "w" => 7.0 * 86_400.0,
            "d" => 86_400.0,
            "h" => 3_600.0,
            "m" => 60.0,
            _ => 1.0,
        };
        part[1].parse::<f64>().ok().map(|number| number * unit)
    };
    let parts: Vec<f64> = PART.as_ref()?.captures_iter(text).filter_map(seconds).collect();
    (!parts.is_empty()).then(|| parts.iter().sum())
}

/// Parses `"resets_at":1794838766`, `"resetsAt":"2026-11-16T15:00:00Z"`, `limit reached|1794838766`.
fn at_timestamp(message: &str) -> Option<ResetTime> {
    static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        regex(
            r#"(?:resets?_?at["']?\s*[:=]\s*["']?|limit reached\|)(\d{4}-\d\d-\d\dT[0-9:.]+(?:Z|[+-]\d\d:\d\d)|\d{9,13})"#,
        )
    });
    let found = PATTERN.as_ref()?.captures(message)?;
    let time = match found[1].parse::<i64>() {
        Ok(milliseconds) if milliseconds > 100_000_000_000 => {
            Timestamp::from_millisecond(milliseconds).ok()?
        }
        Ok(seconds) => Timestamp::from_second(seconds).ok()?,
        Err(_) => found[1].parse().ok()?,
    };
    Some(ResetTime::Exact(time))
}

/// Parses `try again at Nov 17th, 2026 6:06 PM`.
fn at_date(message: &str, zone: &TimeZone) -> Option<ResetTime> {
    static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        regex(r"\bat ([a-z]{3}) (\d{1,2})(?:[a-z]{2})?, (\d{4}) (\d{1,2}:\d\d) ?([ap]m)\b")
    });
    let found = PATTERN.as_ref()?.captures(message)?;
    let text = format!("{} {} {} {} {}", &found[1], &found[2], &found[3], &found[4], &found[5]);
    let time = DateTime::strptime("%b %d %Y %I:%M %p", text).ok()?.to_zoned(zone.clone()).ok()?;
    Some(ResetTime::Minute(time.timestamp()))
}

/// Parses `try again at 3:05 PM`, `resets 3pm (Europe/Berlin)`, `resets Nov 17 at 3pm`.
fn at_clock_time(message: &str, now: Timestamp, zone: &TimeZone) -> Option<ResetTime> {
    static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        regex(
            r"\b(?:at|resets) (?:([a-z]{3}) (\d{1,2})(?:,| at)? )?(\d{1,2})(?::(\d\d))? ?([ap]m)\b(?: \(([a-z_]+(?:/[a-z_+-]+)*)\))?",
        )
    });
    let found = PATTERN.as_ref()?.captures(message)?;
    let minute = found.get(4).map_or("00", |minute| minute.as_str());
    let time = format!("{}:{minute} {}", &found[3], &found[5]);
    let time = Time::strptime("%I:%M %p", time).ok()?;
    let zone = match found.get(6) {
        Some(name) => TimeZone::get(name.as_str()).ok()?,
        None => zone.clone(),
    };
    let now = now.to_zoned(zone.clone());
    let date = match (found.get(1), found.get(2)) {
        (Some(month), Some(day)) => date_after(month.as_str(), day.as_str(), now.date())?,
        _ => now.date(),
    };
    let reset = next_occurrence(date.to_datetime(time).to_zoned(zone).ok()?, &now)?;
    Some(ResetTime::Minute(reset.timestamp()))
}

fn date_after(month: &str, day: &str, today: Date) -> Option<Date> {
    let in_year = |year| Date::strptime("%b %d %Y", format!("{month} {day} {year}")).ok();
    let date = in_year(today.year())?;
    if date < today { in_year(today.year() + 1) } else { Some(date) }
}

/// Returns `time`, or the same clock time on the next day if that minute is over.
fn next_occurrence(time: Zoned, now: &Zoned) -> Option<Zoned> {
    let is_over = time.timestamp() + SignedDuration::from_mins(1) <= now.timestamp();
    if is_over { time.checked_add(1.day()).ok() } else { Some(time) }
}

#[cfg(test)]
mod tests;
