//! `ci_call_chain`: who calls it, and what it calls.

use engine::{ChainOptions, Direction, call_chain};
use index::View;
use serde_json::Value;
use toolcall::{Answer, BuiltinCall, Failure};

use super::{Shared, item, number, subject};

const MAX_STEPS: usize = 20;

pub(super) fn answer(_: &Shared, view: &View, call: &BuiltinCall) -> Result<Answer, Failure> {
    let nodes = subject::nodes(view, call);
    let options = ChainOptions {
        depth: u32::try_from(number(call, "depth", 3)).unwrap_or(3),
        limit: MAX_STEPS,
        deadline: call.deadline,
    };
    let callers = call_chain(view, &nodes, Direction::Callers, options);
    let callees =
        call_chain(view, &nodes, Direction::Callees, ChainOptions { depth: 1, ..options });
    let complete = callers.complete && callees.complete;
    let mut items: Vec<Value> = Vec::new();
    for (chain, word) in [(&callers, "caller"), (&callees, "callee")] {
        for step in &chain.steps {
            let via = step.from.and_then(|from| chain.steps.get(from));
            let via = via.and_then(|step| step.location.symbol.as_deref());
            let via = via.map(|symbol| format!(" through `{symbol}`")).unwrap_or_default();
            let summary = format!("{word}, {} away{via}", step.depth);
            // Near is likelier to matter than far.
            let near = 1.0 / f32::from(u16::try_from(step.depth.max(1)).unwrap_or(u16::MAX)).sqrt();
            items.push(item::at(
                &step.location,
                step.line,
                &summary,
                step.confidence * near,
                "call graph",
            ));
        }
    }
    let summary = format!("{} callers, {} callees", callers.steps.len(), callees.steps.len());
    Ok(super::answer("ci_call_chain", summary, items, complete))
}
