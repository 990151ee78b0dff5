//! Usage and caps as the store and its JSON contain them: whole numbers, with the cost in millionths of the currency unit that
//! the user's price table uses.

use runs::{Caps, Cost, TotalUse, Usage};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::database::{DatabaseError, Row};

/// The columns of a usage, in this order.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct UsageColumns {
    pub(crate) tokens_in: i64,
    pub(crate) tokens_out: i64,
    pub(crate) turns: i64,
    pub(crate) cost_micros: i64,
}

/// The columns of caps, in this order.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct CapColumns {
    pub(crate) max_tokens: Option<i64>,
    pub(crate) max_turns: Option<i64>,
    pub(crate) max_cost_micros: Option<i64>,
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(crate) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

impl From<TotalUse> for UsageColumns {
    fn from(TotalUse { tokens, turns, cost }: TotalUse) -> Self {
        Self {
            tokens_in: signed(tokens.input),
            tokens_out: signed(tokens.output),
            turns: signed(turns),
            cost_micros: signed(cost.unwrap_or_default().millionths()),
        }
    }
}

impl From<UsageColumns> for TotalUse {
    fn from(columns: UsageColumns) -> Self {
        let UsageColumns { tokens_in, tokens_out, turns, cost_micros } = columns;
        Self {
            tokens: Usage {
                input: unsigned(tokens_in),
                cached_input: 0,
                output: unsigned(tokens_out),
            },
            turns: unsigned(turns),
            cost: (cost_micros > 0).then(|| Cost::from_millionths(unsigned(cost_micros))),
        }
    }
}

impl From<Caps> for CapColumns {
    fn from(Caps { max_tokens, max_turns, max_cost }: Caps) -> Self {
        Self {
            max_tokens: max_tokens.map(signed),
            max_turns: max_turns.map(signed),
            max_cost_micros: max_cost.map(|cost| signed(cost.millionths())),
        }
    }
}

pub(crate) fn read_usage(row: &mut Row) -> Result<TotalUse, DatabaseError> {
    let columns = UsageColumns {
        tokens_in: row.integer()?,
        tokens_out: row.integer()?,
        turns: row.integer()?,
        cost_micros: row.integer()?,
    };
    Ok(columns.into())
}

pub(crate) fn read_caps(row: &mut Row) -> Result<Caps, DatabaseError> {
    let mut cap = || Ok::<_, DatabaseError>(row.optional_integer()?.map(unsigned));
    Ok(Caps { max_tokens: cap()?, max_turns: cap()?, max_cost: cap()?.map(Cost::from_millionths) })
}

pub(crate) fn write_caps<S: Serializer>(caps: &Caps, serializer: S) -> Result<S::Ok, S::Error> {
    CapColumns::from(*caps).serialize(serializer)
}

pub(crate) fn write_usage<S: Serializer>(used: &TotalUse, to: S) -> Result<S::Ok, S::Error> {
    UsageColumns::from(*used).serialize(to)
}

pub(crate) fn parse_usage<'de, D: Deserializer<'de>>(from: D) -> Result<TotalUse, D::Error> {
    UsageColumns::deserialize(from).map(TotalUse::from)
}
