//! The flags that say how far an unattended codex may go, shared by `policy explain`, `run` and `job start`.

use clap::Args;
use policy::{Approval, Bypass, Network, Refusal, Requested, Sandbox, Switches};
use process::Environment;

use crate::failure::Failure;

#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "flags are the vocabulary of a command line")]
#[command(next_help_heading = "Orders")]
pub(super) struct OrderArguments {
    /// Sandbox: read-only, workspace-write or danger-full-access [default: read-only]
    #[arg(long, value_name = "MODE")]
    pub(super) sandbox: Option<Sandbox>,
    /// Approval policy: untrusted, on-failure, on-request or never
    #[arg(long, visible_alias = "approval-mode", alias = "approvals", value_name = "POLICY")]
    ask_for_approval: Option<Approval>,
    /// Let commands in workspace-write reach the network
    #[arg(long)]
    network: bool,
    /// The old word for `--sandbox workspace-write`
    #[arg(long)]
    full_auto: bool,
    /// No sandbox and no questions: only inside a container
    #[arg(long, alias = "yolo")]
    dangerously_bypass_approvals_and_sandbox: bool,
}

impl OrderArguments {
    pub(super) fn requested(&self) -> Requested {
        Requested {
            sandbox: self.sandbox,
            approval: self.ask_for_approval,
            network: if self.network { Network::Enabled } else { Network::Restricted },
            bypass: if self.dangerously_bypass_approvals_and_sandbox {
                Bypass::Yes
            } else {
                Bypass::No
            },
            full_auto: self.full_auto,
        }
    }
}

pub(super) fn switches(environment: &Environment) -> Result<Switches, Failure> {
    Switches::read(&|name| environment.text(name).map(str::to_owned))
        .map_err(|refusal| refused(&refusal))
}

pub(super) fn refused(refusal: &Refusal) -> Failure {
    Failure::new(refusal.to_string(), contract::ExitCode::Usage).hint(refusal.guidance())
}
