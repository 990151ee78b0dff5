//! `ci_impact`: what a change would touch, and which tests cover it.

use engine::{Affected, ImpactOptions, impact};
use index::View;
use serde_json::Value;
use toolcall::{Answer, BuiltinCall, Failure};

use super::{Shared, item, subject};

const DEPTH: u32 = 3;
const MOST: usize = 20;

pub(super) fn answer(_: &Shared, view: &View, call: &BuiltinCall) -> Result<Answer, Failure> {
    let nodes = subject::nodes(view, call);
    let options = ImpactOptions { depth: DEPTH, limit: MOST, deadline: call.deadline };
    let found = impact(view, &nodes, options);
    let mut items: Vec<Value> =
        found.affected.iter().map(|affected| touched(affected, "affected")).collect();
    items.extend(found.tests.iter().map(|test| touched(test, "test that covers it")));
    let summary = format!("{} places affected, {} tests", found.affected.len(), found.tests.len());
    Ok(super::answer("ci_impact", summary, items, found.complete))
}

fn touched(affected: &Affected, word: &str) -> Value {
    let via = affected.via.symbol.as_deref().unwrap_or(&affected.via.path);
    let summary = format!("{word}, {} away through `{via}`", affected.depth);
    item::at(&affected.location, affected.line, &summary, affected.confidence, "impact")
}
