//! The tokens, turns and cost of a session, and the caps that a caller sets on them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The token counts that an agent reports, summed over all turns of one process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// All input tokens, including those that the model read from its cache.
    #[serde(rename = "input_tokens")]
    pub input: u64,
    #[serde(rename = "cached_input_tokens")]
    pub cached_input: u64,
    #[serde(rename = "output_tokens")]
    pub output: u64,
}

impl Usage {
    #[must_use]
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    pub(crate) fn minus(self, less: Self) -> Self {
        Self {
            input: self.input.saturating_sub(less.input),
            cached_input: self.cached_input.saturating_sub(less.cached_input),
            output: self.output.saturating_sub(less.output),
        }
    }

    pub(crate) fn plus(self, more: Self) -> Self {
        Self {
            input: self.input.saturating_add(more.input),
            cached_input: self.cached_input.saturating_add(more.cached_input),
            output: self.output.saturating_add(more.output),
        }
    }
}

/// The usage of a whole session, summed over all its processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TotalUse {
    #[serde(flatten)]
    pub tokens: Usage,
    /// The number of completed turns.
    pub turns: u64,
    /// The cost in the currency of the price table, or `None` if the price of the model is not known.
    pub cost: Option<Cost>,
}

impl TotalUse {
    pub fn add(&mut self, more: Self) {
        self.tokens = self.tokens.plus(more.tokens);
        self.turns = self.turns.saturating_add(more.turns);
        self.cost = match (self.cost, more.cost) {
            (Some(before), Some(more)) => Some(before.plus(more)),
            (before, more) => before.or(more),
        };
    }

    /// Returns what was used in addition to `less`.
    #[must_use]
    pub fn minus(self, less: Self) -> Self {
        Self {
            tokens: self.tokens.minus(less.tokens),
            turns: self.turns.saturating_sub(less.turns),
            cost: self.cost.map(|cost| cost.minus(less.cost.unwrap_or_default())),
        }
    }
}

/// An amount of money, in millionths of the currency unit of the price table. `Display` and JSON show it as a decimal
/// number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Cost {
    millionths: u64,
}

const MILLION: u64 = 1_000_000;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an amount of at least 0, such as 2.50")]
pub struct BadCost;

impl Cost {
    #[must_use]
    pub fn from_millionths(millionths: u64) -> Self {
        Self { millionths }
    }

    #[must_use]
    pub fn millionths(self) -> u64 {
        self.millionths
    }

    pub(crate) fn plus(self, more: Self) -> Self {
        Self { millionths: self.millionths.saturating_add(more.millionths) }
    }

    pub(crate) fn minus(self, less: Self) -> Self {
        Self { millionths: self.millionths.saturating_sub(less.millionths) }
    }

    /// Returns the cost of `tokens`, where `self` is the price of one million tokens.
    fn of_tokens(self, tokens: u64) -> Self {
        let millionths = u128::from(self.millionths) * u128::from(tokens) / u128::from(MILLION);
        Self { millionths: u64::try_from(millionths).unwrap_or(u64::MAX) }
    }
}

impl TryFrom<f64> for Cost {
    type Error = BadCost;

    fn try_from(amount: f64) -> Result<Self, BadCost> {
        let millionths = (amount * MILLION as f64).round();
        if (0.0..9e18).contains(&millionths) {
            Ok(Self { millionths: millionths as u64 })
        } else {
            Err(BadCost)
        }
    }
}

impl From<Cost> for f64 {
    fn from(cost: Cost) -> Self {
        cost.millionths as Self / MILLION as Self
    }
}

impl FromStr for Cost {
    type Err = BadCost;

    fn from_str(text: &str) -> Result<Self, BadCost> {
        text.parse::<f64>().map_err(|_| BadCost)?.try_into()
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4}", f64::from(*self))
    }
}

/// The prices of a model per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub input: Cost,
    /// The price of input tokens that the model reads from its cache.
    pub cached_input: Cost,
    pub output: Cost,
}

impl Price {
    pub(crate) fn of(self, usage: Usage) -> Cost {
        let uncached = usage.input.saturating_sub(usage.cached_input);
        self.input
            .of_tokens(uncached)
            .plus(self.cached_input.of_tokens(usage.cached_input))
            .plus(self.output.of_tokens(usage.output))
    }
}

/// Caps on the usage of a session. They are checked after each turn, so the last turn may exceed them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionBudget {
    #[serde(flatten)]
    pub caps: Caps,
    /// The price of the run's model, if it is in the user's settings.
    pub price: Option<Price>,
    /// The amounts that the daily caps on all runs still allow. A run that reaches them fails only if its task is not
    /// done.
    pub of_day: Caps,
}

/// Caps on tokens, turns and cost: of a run, of a task over all its attempts, or of all tasks of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Caps {
    /// The maximum number of input and output tokens.
    pub max_tokens: Option<u64>,
    pub max_turns: Option<u64>,
    /// The maximum cost. A run needs the price of its model for it, unless the agent reports its cost.
    pub max_cost: Option<Cost>,
}

impl Caps {
    /// Returns the caps that remain after `used`.
    #[must_use]
    pub fn after(self, used: &TotalUse) -> Self {
        Self {
            max_tokens: self.max_tokens.map(|max| max.saturating_sub(used.tokens.total())),
            max_turns: self.max_turns.map(|max| max.saturating_sub(used.turns)),
            max_cost: self.max_cost.map(|max| max.minus(used.cost.unwrap_or_default())),
        }
    }

    /// Returns a message that names the cap of the day that prevents another turn, or `None` if another turn is allowed.
    pub(crate) fn used_up_today(&self, used: &TotalUse) -> Option<String> {
        let (tokens, turns) = (used.tokens.total(), used.turns);
        let (unit, used, left) = match () {
            () if self.max_tokens.is_some_and(|max| tokens >= max) => {
                ("tokens", tokens.to_string(), self.max_tokens?.to_string())
            }
            () if self.max_turns.is_some_and(|max| turns >= max) => {
                ("turns", turns.to_string(), self.max_turns?.to_string())
            }
            () if used.cost.zip(self.max_cost).is_some_and(|(cost, max)| cost >= max) => {
                ("cost", used.cost?.to_string(), self.max_cost?.to_string())
            }
            () => return None,
        };
        Some(format!(
            "a limit of the day is reached: the run used {used} of the {left} that were left ({unit}; adjutant queue limits)"
        ))
    }
}

impl SessionBudget {
    pub(crate) fn has_cap(&self) -> bool {
        [self.caps, self.of_day] != [Caps::default(); 2]
    }

    /// Returns the usage of a process: its tokens, its turns and its cost. The cost is computed from the price. If the
    /// price is not known, the cost that the agent `reported` is used.
    pub(crate) fn use_of(&self, usage: Usage, turns: u64, reported: Option<Cost>) -> TotalUse {
        let cost = self.price.map(|price| price.of(usage)).or(reported);
        TotalUse { tokens: usage, turns, cost }
    }

    /// Returns a message that names the cap that `used` exceeds, or `None` if it exceeds none.
    pub(crate) fn exceeded(&self, used: &TotalUse) -> Option<String> {
        let tokens = used.tokens.total();
        if let Some(max) = self.caps.max_tokens.filter(|max| tokens > *max) {
            return Some(format!("the run used {tokens} tokens, the cap is {max} (--max-tokens)"));
        }
        if let Some((cost, max)) =
            used.cost.zip(self.caps.max_cost).filter(|(cost, max)| cost > max)
        {
            return Some(format!("the run cost {cost}, the cap is {max} (--max-cost)"));
        }
        let max = self.caps.max_turns.filter(|max| used.turns > *max)?;
        Some(format!("the run had {} turns, the cap is {max} (--max-turns)", used.turns))
    }

    /// Returns the caps that remain after earlier sessions of the same task have used `used`.
    #[must_use]
    pub fn after(self, used: &TotalUse) -> Self {
        Self { caps: self.caps.after(used), ..self }
    }

    /// Returns the maximum number of turns and the maximum cost: in each case, the smaller of the run's cap and the
    /// daily cap.
    pub(crate) fn turns_and_cost(&self) -> (Option<u64>, Option<Cost>) {
        let turns = self.caps.max_turns.into_iter().chain(self.of_day.max_turns).min();
        let cost = self.caps.max_cost.into_iter().chain(self.of_day.max_cost).min();
        (turns, cost)
    }

    /// Returns a message that names the cap that prevents another turn, or `None` if another turn is allowed.
    #[must_use]
    pub fn used_up(&self, used: &TotalUse) -> Option<String> {
        if let Some(exceeded) = self.exceeded(used) {
            return Some(exceeded);
        }
        let tokens = used.tokens.total();
        if let Some(max) = self.caps.max_tokens.filter(|max| tokens >= *max) {
            return Some(format!("all {max} tokens are used (--max-tokens)"));
        }
        if let Some((_, max)) = used.cost.zip(self.caps.max_cost).filter(|(cost, max)| cost >= max)
        {
            return Some(format!("the cost has reached the cap {max} (--max-cost)"));
        }
        if let Some(max) = self.caps.max_turns.filter(|max| used.turns >= *max) {
            return Some(format!("all {max} turns are used (--max-turns)"));
        }
        self.of_day.used_up_today(used)
    }
}

#[cfg(test)]
mod tests;
