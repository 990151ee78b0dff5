//! `adjutant policy explain`: shows the effective sandbox, approvals and network access for a request, and the reasons
//! for them. Does not start a run.

use std::process::ExitCode;

use clap::Args;
use policy::{ApprovalSupport, Author, Orders, Refusal, Requested, Switches};
use runs::decide_orders;
use serde_json::json;

use super::run::{OrderArguments, order_words, yes_or_no};
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
    let environment = edge::environment();
    let refused = |refusal: Refusal| Failure::usage(&refusal).hint(refusal.guidance());
    let switches = Switches::read(&|name| environment.text(name).map(str::to_owned));
    let switches = switches.map_err(refused)?;
    let requested = arguments.orders.request().requested();
    let model = Author::Model { may_bypass: false };
    let author = if arguments.mcp { model } else { Author::Person };
    // No known version of `codex exec` can ask for approval.
    let decided = decide_orders(requested, author, &switches, ApprovalSupport::Impossible);
    if arguments.json {
        let (text, exit) = match &decided {
            Ok(Orders { requested, effective, reasons, .. }) => {
                let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
                let explained =
                    json!({ "requested": requested, "effective": effective, "reasons": reasons });
                (explained.to_string(), ExitCode::SUCCESS)
            }
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
    output::data(&as_text(&decided.map_err(refused)?));
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
    lines.push(format!("effective  sandbox {}", order_words(orders.effective)));
    lines.extend(orders.reasons.iter().map(|reason| format!("because    {reason}")));
    lines.join("\n")
}
