//! `adjutant policy explain`: shows the effective sandbox, approvals and network access for a request, and the reasons
//! for them. Does not start a run.

use std::process::ExitCode;

use clap::Args;
use policy::{Asking, Author, Bypass, Effective, Orders, Requested};
use runs::decide_orders;
use serde_json::json;

use super::orders::{OrderArguments, refused, switches};
use crate::failure::Failure;
use crate::{edge, output};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    orders: OrderArguments,
    /// Explain the limits of an MCP tool call, whose default sandbox is workspace-write
    #[arg(long)]
    mcp: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let switches = switches(&edge::environment())?;
    let requested = arguments.orders.request().requested();
    let model = Author::Model { may_bypass: false };
    let author = if arguments.mcp { model } else { Author::Person };
    // No known version of `codex exec` can ask for approval.
    let decided = decide_orders(requested, author, &switches, Asking::Impossible);
    if arguments.json {
        let (text, exit) = match &decided {
            Ok(orders) => (as_json(orders), ExitCode::SUCCESS),
            Err(refusal) => {
                let requested = if arguments.mcp { requested.for_tool_call() } else { requested };
                let refused = json!({
                    "requested": requested,
                    "refused": refusal.to_string(),
                    "hint": refusal.guidance(),
                });
                (refused.to_string(), ExitCode::from(contract::ExitCode::Usage.number()))
            }
        };
        output::data(&text);
        return Ok(exit);
    }
    let orders = decided.map_err(|refusal| refused(&refusal))?;
    output::data(&as_text(&orders));
    Ok(ExitCode::SUCCESS)
}

fn as_text(orders: &Orders) -> String {
    let Requested { sandbox, approval, network, bypass, full_auto } = orders.requested;
    let or_unset = |word: Option<&'static str>| word.unwrap_or("not set");
    let mut lines = vec![format!(
        "requested  sandbox {} · approval {} · network {} · bypass {}{}",
        or_unset(sandbox.map(policy::Sandbox::word)),
        or_unset(approval.map(policy::Approval::word)),
        network.word(),
        yes_or_no(bypass),
        if full_auto { " · full-auto" } else { "" }
    )];
    let Effective { sandbox, approval, network, bypass } = orders.effective;
    lines.push(format!(
        "effective  sandbox {sandbox} · approval {approval} · network {} · bypass {}",
        network.word(),
        yes_or_no(bypass)
    ));
    lines.extend(orders.reasons.iter().map(|reason| format!("because    {reason}")));
    lines.join("\n")
}

fn as_json(orders: &Orders) -> String {
    let explained = json!({
        "requested": orders.requested,
        "effective": orders.effective,
        "reasons": orders.reasons.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    explained.to_string()
}

fn yes_or_no(bypass: Bypass) -> &'static str {
    match bypass {
        Bypass::No => "no",
        Bypass::Yes => "yes",
    }
}
