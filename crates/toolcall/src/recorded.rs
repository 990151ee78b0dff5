//! Results that were prepared beforehand take the last step of the same life: they are cleaned like any other.

use contract::ToolResult;

use crate::clean::clean;
use crate::lifecycle::{Context, Outcome};

#[must_use]
pub fn recorded(context: &Context, results: Vec<ToolResult>) -> Vec<Outcome> {
    results.into_iter().map(|result| clean(context, result)).collect()
}
