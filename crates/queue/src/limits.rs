//! Caps on the combined usage of all tasks per day. A day begins at midnight UTC.

use serde::Serialize;

use crate::database::{Access, Database, DatabaseError, Row, values};
use crate::read::usage;
use crate::store::{Store, StoreError};
use crate::task::Usage;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const TOKENS: &str = "day_tokens";
const TURNS: &str = "day_turns";
const COST: &str = "day_cost_micros";

/// Daily caps for the whole queue. When a cap is reached, no task starts until the next day, and running tasks end
/// after their current turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DayLimits {
    pub max_tokens: Option<i64>,
    pub max_turns: Option<i64>,
    /// The maximum cost, in millionths of the currency unit that the user's price table uses.
    pub max_cost_micros: Option<i64>,
}

/// The usage of the current day, and the daily caps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DayUse {
    pub limits: DayLimits,
    pub used: Usage,
    /// The start of the next day, in milliseconds since 1970.
    pub resets_at: i64,
}

/// How the current day's usage compares with the daily caps.
pub(crate) enum Day {
    NoCap,
    /// What the caps still allow.
    Left(DayLimits),
    Reached(DayLimitReached),
}

/// A daily cap that has been reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayLimitReached {
    /// The start of the next day, in milliseconds since 1970.
    pub until: i64,
    /// The usage and the cap, such as `512 of 500 tokens`.
    pub used: String,
}

impl Store {
    /// Returns the daily cap that has been reached, if there is one.
    pub fn day_limit(&mut self) -> Result<Option<DayLimitReached>, StoreError> {
        self.transact(Access::Read, |database| {
            Ok(match day(database)? {
                Day::Reached(reached) => Some(reached),
                Day::NoCap | Day::Left(_) => None,
            })
        })
    }

    pub fn day_use(&mut self) -> Result<DayUse, StoreError> {
        self.transact(Access::Read, |database| Ok(day_use(database)?))
    }

    /// Replaces the daily caps.
    pub fn set_day_limits(&mut self, limits: DayLimits) -> Result<(), StoreError> {
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
    database.query("SELECT {now}", &[])?.first_mut().map_or(Ok(0), Row::integer)
}

fn day_use(database: &mut dyn Database) -> Result<DayUse, DatabaseError> {
    let mut limits = DayLimits::default();
    for mut row in database.query("SELECT name, value FROM settings", &[])? {
        let (name, value) = (row.text()?, row.integer()?);
        match name.as_str() {
            TOKENS => limits.max_tokens = Some(value),
            TURNS => limits.max_turns = Some(value),
            COST => limits.max_cost_micros = Some(value),
            _ => {}
        }
    }
    let now = now(database)?;
    let day = now - now.rem_euclid(DAY_MS);
    let sql = "SELECT CAST(COALESCE(sum(tokens_in), 0) AS BIGINT), CAST(COALESCE(sum(tokens_out), 0) AS BIGINT), \
         CAST(COALESCE(sum(turns), 0) AS BIGINT), CAST(COALESCE(sum(cost_micros), 0) AS BIGINT) \
         FROM attempts WHERE ended_at >= $1 OR ended_at IS NULL";
    let used =
        database.query(sql, values![day])?.first_mut().map_or(Ok(Usage::default()), usage)?;
    Ok(DayUse { limits, used, resets_at: day + DAY_MS })
}

/// Compares the current day's usage with the daily caps.
pub(crate) fn day(database: &mut dyn Database) -> Result<Day, DatabaseError> {
    let names = database.query("SELECT 1 FROM settings LIMIT 1", &[])?;
    if names.is_empty() {
        return Ok(Day::NoCap);
    }
    let DayUse { limits, used, resets_at } = day_use(database)?;
    let caps = [
        (limits.max_tokens, used.tokens(), "tokens"),
        (limits.max_turns, used.turns, "turns"),
        (limits.max_cost_micros, used.cost_micros, "cost"),
    ];
    let reached = caps.iter().find_map(|(cap, used, unit)| {
        let cap = cap.filter(|cap| used >= cap)?;
        Some(match *unit {
            "cost" => format!("a cost of {} of {}", amount(*used), amount(cap)),
            unit => format!("{used} of {cap} {unit}"),
        })
    });
    if let Some(used) = reached {
        return Ok(Day::Reached(DayLimitReached { until: resets_at, used }));
    }
    let left = |cap: Option<i64>, used: i64| cap.map(|cap| cap - used);
    Ok(Day::Left(DayLimits {
        max_tokens: left(limits.max_tokens, used.tokens()),
        max_turns: left(limits.max_turns, used.turns),
        max_cost_micros: left(limits.max_cost_micros, used.cost_micros),
    }))
}

fn amount(micros: i64) -> String {
    format!("{:.2}", micros as f64 / 1_000_000.0)
}
