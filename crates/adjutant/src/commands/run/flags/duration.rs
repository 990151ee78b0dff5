//! Parses a time limit on the command line: `90`, `90s`, `30m`, `4h`, `7d`, `1500ms`, or `off`.

use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) struct Limit(Option<u64>);

impl Limit {
    pub(in crate::commands) fn from_seconds(seconds: u64) -> Self {
        Self(Some(seconds.saturating_mul(1_000)))
    }

    /// Returns the time limit in milliseconds, or `None` for `off`.
    pub(in crate::commands) fn milliseconds(self) -> Option<u64> {
        self.0
    }
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if matches!(text, "off" | "none" | "0") {
            return Ok(Self(None));
        }
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let factor = match &text[digits.len()..] {
            "" | "s" => 1_000,
            "ms" => 1,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return Err(format!("`{text}` is not a time: use 90, 30m, 4h or off")),
        };
        let number: u64 = digits
            .parse()
            .map_err(|_| format!("`{text}` is not a time: use 90, 30m, 4h or off"))?;
        let milliseconds = number.checked_mul(factor);
        Ok(Self(Some(milliseconds.ok_or_else(|| {
            format!("`{text}` is too large: use a smaller value, or off for no limit")
        })?)))
    }
}
