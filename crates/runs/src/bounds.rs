//! Reads a time limit as the caller writes it (`90`, `90s`, `30m`, `4h`, `7d`, `1500ms`, or `off`), and checks the durations
//! and counts of a run against maximum values, which are lower for a model than for a user.

use std::fmt;
use std::str::FromStr;

use policy::Author;
use serde::{Deserialize, Serialize};

use crate::spec::Spec;
use crate::usage_limit::OnUsageLimit;

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const UNITS: [(&str, u64); 4] = [("h", HOUR), ("m", MINUTE), ("s", SECOND), ("ms", 1)];
/// A day can be read, but is written in hours.
const DAY: (&str, u64) = ("d", 24 * HOUR);

/// The maximum `timeout` that a model can set, in seconds.
pub const MAX_MODEL_TIMEOUT_SECONDS: u64 = MAX_MODEL_TIMEOUT / SECOND;
const MAX_MODEL_TIMEOUT: u64 = 24 * HOUR;
const MAX_MODEL_GRACE: u64 = 5 * MINUTE;
const MAX_MODEL_PAUSE: u64 = HOUR;
const MAX_MODEL_RUNS: u64 = 100;
const MAX_TIMEOUT: u64 = 30 * 24 * HOUR;
const MAX_GRACE: u64 = 24 * HOUR;
const MAX_RUNS: u64 = 10_000;
const MAX_OVERFLOW_RETRIES: u64 = 100;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{flag}` is {value}: {who} can set at most {max}")]
pub struct OutOfBounds {
    flag: &'static str,
    value: String,
    who: &'static str,
    max: String,
}

pub(crate) fn check(spec: &Spec) -> Result<(), OutOfBounds> {
    let (who, is_model) = match spec.author {
        Author::Person => ("the user", false),
        Author::Model { .. } => ("a model", true),
    };
    let max = |for_model, for_person| if is_model { for_model } else { for_person };
    let pause = spec.repeat.sleep_seconds.saturating_mul(SECOND);
    let limit_wait = match spec.on_usage_limit {
        OnUsageLimit::Fail | OnUsageLimit::Defer => None,
        OnUsageLimit::Wait { max_seconds } => Some(max_seconds.saturating_mul(SECOND)),
    };
    let times = [
        ("--timeout", spec.limits.wall_ms, max(MAX_MODEL_TIMEOUT, MAX_TIMEOUT)),
        ("--idle-timeout", spec.limits.idle_ms, max(MAX_MODEL_TIMEOUT, MAX_TIMEOUT)),
        ("--wait-for-limit", limit_wait, max(MAX_MODEL_TIMEOUT, MAX_TIMEOUT)),
        ("--grace", Some(spec.limits.grace_ms), max(MAX_MODEL_GRACE, MAX_GRACE)),
        ("--sleep-seconds", Some(pause), max(MAX_MODEL_PAUSE, MAX_TIMEOUT)),
    ];
    for (flag, value, max) in times {
        if let Some(value) = value.filter(|value| *value > max) {
            let written = |ms: u64| TimeLimit::from_milliseconds(ms).to_string();
            let (value, max) = (written(value), written(max));
            return Err(OutOfBounds { flag, value, who, max });
        }
    }
    let counts = [
        ("--max-runs", spec.repeat.max_runs, max(MAX_MODEL_RUNS, MAX_RUNS)),
        ("--overflow-retries", spec.repeat.overflow_retries, MAX_OVERFLOW_RETRIES),
    ];
    for (flag, value, max) in counts {
        if u64::from(value) > max {
            return Err(OutOfBounds { flag, value: value.to_string(), who, max: max.to_string() });
        }
    }
    Ok(())
}

/// A time limit in milliseconds, or none. It is stored in the form in which it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeLimit(Option<u64>);

impl TimeLimit {
    pub(crate) fn from_milliseconds(milliseconds: u64) -> Self {
        Self(Some(milliseconds))
    }

    #[must_use]
    pub fn from_seconds(seconds: u64) -> Self {
        Self(Some(seconds.saturating_mul(1_000)))
    }

    /// Returns the time limit in milliseconds, or `None` for `off`.
    #[must_use]
    pub fn milliseconds(self) -> Option<u64> {
        self.0
    }
}

impl FromStr for TimeLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if matches!(text, "off" | "none" | "0") {
            return Ok(Self(None));
        }
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match &text[digits.len()..] {
            "" => "s",
            unit => unit,
        };
        let mut units = UNITS.into_iter().chain([DAY]);
        let factor = units.find(|(name, _)| *name == unit).map(|(_, factor)| factor);
        let (Some(factor), Ok(number)) = (factor, digits.parse::<u64>()) else {
            return Err(format!("`{text}` is not a time: use 90, 30m, 4h or off"));
        };
        let milliseconds = number.checked_mul(factor);
        Ok(Self(Some(milliseconds.ok_or_else(|| {
            format!("`{text}` is too large: use a smaller value, or off for no limit")
        })?)))
    }
}

impl fmt::Display for TimeLimit {
    /// Uses the largest unit that needs no fraction, such as `90m` for one and a half hours.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(milliseconds) = self.0 else { return f.write_str("off") };
        let unit = UNITS.into_iter().find(|(_, factor)| milliseconds.is_multiple_of(*factor));
        let (name, factor) = unit.unwrap_or(("ms", 1));
        write!(f, "{}{name}", milliseconds / factor)
    }
}

impl TryFrom<String> for TimeLimit {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<TimeLimit> for String {
    fn from(limit: TimeLimit) -> Self {
        limit.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_is_written_as_it_is_read() {
        for (text, written) in [
            ("90", "90s"),
            ("90m", "90m"),
            ("120m", "2h"),
            ("1500ms", "1500ms"),
            ("7d", "168h"),
            ("off", "off"),
            ("0ms", "0h"),
        ] {
            let limit: TimeLimit = text.parse().unwrap();
            assert_eq!(limit.to_string(), written);
            assert_eq!(written.parse(), Ok(limit));
        }
    }
}
