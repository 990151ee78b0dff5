//! Checks the durations and counts of a run against maximum values, which are lower for a model than for a user.

use policy::Author;

use crate::spec::Spec;
use crate::time_limit::TimeLimit;
use crate::usage_limit::OnUsageLimit;

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

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
