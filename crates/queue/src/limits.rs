//! Caps on the combined usage of all tasks per day. A day begins at midnight UTC.

use runs::{Caps, Cost, TotalUse};
use serde::Serialize;

use crate::columns::{self, CapColumns};
use crate::database::{Access, Database, DatabaseError, values};
use crate::store::{StoreError, TaskStore};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const TOKENS: &str = "day_tokens";
const TURNS: &str = "day_turns";
const COST: &str = "day_cost_micros";

/// The usage of the current day, and the daily caps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DayUse {
    /// When a cap is reached, no task starts until the next day, and running tasks end after their current turn.
    #[serde(serialize_with = "columns::write_caps")]
    pub limits: Caps,
    #[serde(serialize_with = "columns::write_usage")]
    pub used: TotalUse,
    /// The start of the next day, in milliseconds since 1970.
    pub resets_at: i64,
}

/// A daily cap that has been reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayLimitReached {
    /// The start of the next day, in milliseconds since 1970.
    pub until: i64,
    /// The usage and the cap, such as `512 of 500 tokens`.
    pub used: String,
}

impl TaskStore {
    /// Returns the daily cap that has been reached, if there is one.
    pub fn day_limit(&mut self) -> Result<Option<DayLimitReached>, StoreError> {
        self.transact(Access::Read, |database| Ok(day(database)?.err()))
    }

    pub fn day_use(&mut self) -> Result<DayUse, StoreError> {
        self.transact(Access::Read, |database| Ok(day_use(database)?))
    }

    /// Replaces the daily caps.
    pub fn set_day_limits(&mut self, limits: Caps) -> Result<(), StoreError> {
        let limits = CapColumns::from(limits);
        self.transact(Access::Write, |database| {
            let caps = [
                (TOKENS, limits.max_tokens),
                (TURNS, limits.max_turns),
                (COST, limits.max_cost_micros),
            ];
            for (name, cap) in caps {
                database.execute("DELETE FROM settings WHERE name = $1", values![name])?;
                if let Some(cap) = cap {
                    let sql = "INSERT INTO settings (name, value) VALUES ($1, $2)";
                    database.execute(sql, values![name, cap])?;
                }
            }
            Ok(())
        })
    }
}

pub(crate) fn now(database: &mut dyn Database) -> Result<i64, DatabaseError> {
    database.number("SELECT {now}", &[])
}

fn day_use(database: &mut dyn Database) -> Result<DayUse, DatabaseError> {
    let mut limits = Caps::default();
    for mut row in database.query("SELECT name, value FROM settings", &[])? {
        let (name, value) = (row.text()?, columns::unsigned(row.integer()?));
        match name.as_str() {
            TOKENS => limits.max_tokens = Some(value),
            TURNS => limits.max_turns = Some(value),
            COST => limits.max_cost = Some(Cost::from_millionths(value)),
            _ => {}
        }
    }
    let now = now(database)?;
    let day = now - now.rem_euclid(DAY_MS);
    let sql = "SELECT CAST(COALESCE(sum(tokens_in), 0) AS BIGINT), CAST(COALESCE(sum(tokens_out), 0) AS BIGINT), \
         CAST(COALESCE(sum(turns), 0) AS BIGINT), CAST(COALESCE(sum(cost_micros), 0) AS BIGINT) \
         FROM attempts WHERE ended_at >= $1 OR ended_at IS NULL";
    let used = database
        .query(sql, values![day])?
        .first_mut()
        .map_or(Ok(TotalUse::default()), columns::read_usage)?;
    Ok(DayUse { limits, used, resets_at: day + DAY_MS })
}

/// Returns what the daily caps still allow, or the cap that has been reached.
pub(crate) fn day(
    database: &mut dyn Database,
) -> Result<Result<Caps, DayLimitReached>, DatabaseError> {
    let names = database.query("SELECT 1 FROM settings LIMIT 1", &[])?;
    if names.is_empty() {
        return Ok(Ok(Caps::default()));
    }
    let DayUse { limits, used, resets_at } = day_use(database)?;
    let reached = |cap: Option<u64>, used: u64, unit: &str| {
        cap.filter(|cap| used >= *cap).map(|cap| format!("{used} of {cap} {unit}"))
    };
    let spent = used.cost.unwrap_or_default();
    let reached = reached(limits.max_tokens, used.tokens.total(), "tokens")
        .or_else(|| reached(limits.max_turns, used.turns, "turns"))
        .or_else(|| {
            let cap = limits.max_cost.filter(|cap| spent >= *cap)?;
            Some(format!("a cost of {:.2} of {:.2}", f64::from(spent), f64::from(cap)))
        });
    Ok(match reached {
        Some(used) => Err(DayLimitReached { until: resets_at, used }),
        None => Ok(limits.after(&used)),
    })
}
