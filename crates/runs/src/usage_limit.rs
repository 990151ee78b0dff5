//! The behaviour of a run when its account has reached a usage limit.

mod reset_time;

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

pub(crate) use reset_time::{ResetTime, reset_time};

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
