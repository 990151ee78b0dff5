//! A time limit as the caller writes it: `90`, `90s`, `30m`, `4h`, `7d`, `1500ms`, or `off`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];
/// A day can be read, but is written in hours.
const DAY: (&str, u64) = ("d", 86_400_000);

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
