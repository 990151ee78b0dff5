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

/// Caps on the whole queue. When a cap is reached, no further task starts until the next day. Running tasks are not stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DayLimits {
    pub max_tokens: Option<i64>,
    pub max_turns: Option<i64>,
    /// The maximum cost, in millionths of the currency unit of the user's price table.
    pub max_cost_micros: Option<i64>,
}

/// The usage on the current day, with the caps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DayUse {
    pub limits: DayLimits,
    pub used: Usage,
    /// The start of the next day, in milliseconds since 1970.
    pub resets_at: i64,
}

impl Store {
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
         FROM attempts WHERE ended_at >= $1";
    let used =
        database.query(sql, values![day])?.first_mut().map_or(Ok(Usage::default()), usage)?;
    Ok(DayUse { limits, used, resets_at: day + DAY_MS })
}

/// Returns the start of the next day if a daily cap has been reached.
pub(crate) fn day_limit(database: &mut dyn Database) -> Result<Option<i64>, DatabaseError> {
    let names = database.query("SELECT 1 FROM settings LIMIT 1", &[])?;
    if names.is_empty() {
        return Ok(None);
    }
    let DayUse { limits, used, resets_at } = day_use(database)?;
    let is_reached = |cap: Option<i64>, used: i64| cap.is_some_and(|cap| used >= cap);
    let any = is_reached(limits.max_tokens, used.tokens())
        || is_reached(limits.max_turns, used.turns)
        || is_reached(limits.max_cost_micros, used.cost_micros);
    Ok(any.then_some(resets_at))
}
