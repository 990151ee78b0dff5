//! `adjutant policy explain`: requested → effective → why. Starts nothing, writes nothing.

use std::process::ExitCode;

use clap::Args;
use policy::{Asking, Author, Bypass, Effective, Network, Orders, Requested};
use serde_json::{Value, json};

use super::orders::{OrderArguments, refused, switches};
use crate::failure::Failure;
use crate::{edge, output};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    orders: OrderArguments,
    /// As for a caller of the MCP tool: without a sandbox, workspace-write
    #[arg(long)]
    mcp: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let switches = switches(&edge::environment())?;
    let asked = arguments.orders.requested();
    let requested = if arguments.mcp { asked.for_tool_call() } else { asked };
    // `codex exec` has nobody to ask, in every version known so far.
    let decided = Orders::decide(requested, &switches, Asking::Impossible).and_then(|orders| {
        let model = Author::Model { may_bypass: false };
        let author = if arguments.mcp { model } else { Author::Person };
        orders.check_author(author, &switches).map(|()| orders)
    });
    if arguments.json {
        let (value, exit) = match &decided {
            Ok(orders) => (explained(orders), ExitCode::SUCCESS),
            Err(refusal) => (
                json!({ "requested": asked_json(&requested), "refused": refusal.to_string(), "hint": refusal.guidance() }),
                ExitCode::from(contract::ExitCode::Usage.number()),
            ),
        };
        output::data(&value.to_string());
        return Ok(exit);
    }
    let orders = decided.map_err(|refusal| refused(&refusal))?;
    output::data(&for_a_person(&orders));
    Ok(ExitCode::SUCCESS)
}

fn for_a_person(orders: &Orders) -> String {
    let Requested { sandbox, approval, network, bypass, full_auto } = orders.requested;
    let said = |word: Option<&'static str>| word.unwrap_or("not said");
    let mut lines = vec![format!(
        "requested  sandbox {} · approval {} · network {} · bypass {}{}",
        said(sandbox.map(policy::Sandbox::word)),
        said(approval.map(policy::Approval::word)),
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

fn explained(orders: &Orders) -> Value {
    let Effective { sandbox, approval, network, bypass } = orders.effective;
    json!({
        "requested": asked_json(&orders.requested),
        "effective": {
            "sandbox": sandbox.word(),
            "approval": approval.word(),
            "network": network == Network::Enabled,
            "bypass": bypass == Bypass::Yes,
        },
        "reasons": orders.reasons.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn asked_json(requested: &Requested) -> Value {
    json!({
        "sandbox": requested.sandbox.map(policy::Sandbox::word),
        "approval": requested.approval.map(policy::Approval::word),
        "network": requested.network == Network::Enabled,
        "bypass": requested.bypass == Bypass::Yes,
        "full_auto": requested.full_auto,
    })
}

fn yes_or_no(bypass: Bypass) -> &'static str {
    match bypass {
        Bypass::No => "no",
        Bypass::Yes => "yes",
    }
}
