//! Results that were prepared beforehand take the last steps of the same life: they are cleaned like any other.

use contract::{ToolError, ToolResult};

use crate::clean::Cleaner;
use crate::lifecycle::{Context, Outcome};

#[must_use]
pub fn recorded(context: &Context, results: Vec<ToolResult>) -> Vec<Outcome> {
    results.into_iter().map(|result| clean(context, result)).collect()
}

fn clean(context: &Context, result: ToolResult) -> Outcome {
    let mut cleaner = Cleaner::new(&result.tool, &context.root);
    let summary = cleaner.text(&result.summary);
    let data = result.data.map(|data| cleaner.findings(data));
    let error =
        result.error.map(|error| ToolError { message: cleaner.text(&error.message), ..error });
    let redactions = cleaner.redactions;
    let truncated = result.truncated || cleaner.removed_something;
    let limits = cleaner.limits;
    Outcome { result: ToolResult { summary, data, error, redactions, truncated, ..result }, limits }
}
