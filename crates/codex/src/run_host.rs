//! What the edge knows and hands in: the environment, the clock, chance, places.

use std::path::PathBuf;
use std::time::SystemTime;

use process::Environment;

#[derive(Clone, Debug)]
pub struct RunHost {
    pub environment: Environment,
    pub clock: fn() -> SystemTime,
    /// Some text that is different every time.
    pub chance: fn() -> String,
    /// Where sessions are kept.
    pub sessions: PathBuf,
    /// What the installed codex accepts is remembered here.
    pub cache: Option<PathBuf>,
    /// `adjutant`, which supervises jobs.
    pub program: Option<PathBuf>,
}

impl RunHost {
    /// `2026-01-02T03:04:05Z`
    pub(crate) fn timestamp(&self) -> String {
        rfc3339((self.clock)())
    }

    /// `20260102_030405`
    pub(crate) fn compact_time(&self) -> String {
        self.format("%Y%m%d_%H%M%S")
    }

    fn format(&self, pattern: &str) -> String {
        jiff::Timestamp::try_from((self.clock)())
            .map(|time| time.strftime(pattern).to_string())
            .unwrap_or_default()
    }
}

pub(crate) fn rfc3339(time: SystemTime) -> String {
    jiff::Timestamp::try_from(time)
        .map(|time| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
        .unwrap_or_default()
}

/// Seconds since the epoch; None if the text is no time.
pub(crate) fn seconds(timestamp: &str) -> Option<i64> {
    timestamp.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second)
}
