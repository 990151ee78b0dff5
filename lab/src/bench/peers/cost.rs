//! The time used by a process.

use std::fs;
use std::ops::Add;
use std::time::Duration;

/// The unit of the times in `/proc`, in milliseconds. It is the same on all common Linux systems.
const TICK_MS: u64 = 10;

#[derive(Clone, Copy, Default)]
pub(super) struct Cost {
    pub(super) wall: Duration,
    /// The total time on all processors. Other processes on the machine do not affect it.
    pub(super) processor: Duration,
}

impl Cost {
    /// Returns the processor time of all child processes that have ended, or zero on systems without `/proc`.
    pub(super) fn processor_of_children() -> Duration {
        let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        // Fields 16 and 17 are the user time and the system time of the children. Field 2 is the name.
        let ticks = fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok());
        Duration::from_millis(ticks.sum::<u64>() * TICK_MS)
    }

    /// Returns the mean cost of `n` runs.
    pub(super) fn mean(self, n: usize) -> Self {
        let n = u32::try_from(n.max(1)).unwrap_or(u32::MAX);
        Self { wall: self.wall / n, processor: self.processor / n }
    }

    /// Formats both times, and the ratio of the processor time to that of `ours`.
    pub(super) fn text(self, ours: Option<Self>) -> String {
        let seconds = |time: Duration| match time.as_secs_f64() {
            long if long >= 10.0 => format!("{long:.0} s"),
            short => format!("{short:.2} s"),
        };
        let times = format!("{} / {}", seconds(self.wall), seconds(self.processor));
        match ours.map(|ours| ours.processor.as_secs_f64()) {
            Some(ours) if ours > 0.0 => {
                format!("{times} ({:.1} ×)", self.processor.as_secs_f64() / ours)
            }
            _ => times,
        }
    }
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { wall: self.wall + other.wall, processor: self.processor + other.processor }
    }
}
