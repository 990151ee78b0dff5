//! Flags for the sandbox, approvals and network access of an unattended run. `policy explain`, `run` and `job start`
//! share these flags.

use clap::Args;
use mcp::RunFields;
use policy::{Approval, Bypass, Network, Refusal, Requested, Sandbox, Switches};
use process::Environment;

use super::run::{COMPATIBILITY, set};
use crate::failure::Failure;

#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is a field")]
#[command(next_help_heading = "Orders")]
pub(super) struct OrderArguments {
    /// Use this sandbox: read-only, workspace-write or danger-full-access [default: read-only]
    #[arg(long, value_name = "MODE")]
    pub(super) sandbox: Option<Sandbox>,
    /// Use this approval policy: untrusted, on-failure, on-request or never
    #[arg(long, visible_alias = "approval-mode", alias = "approvals", value_name = "POLICY")]
    ask_for_approval: Option<Approval>,
    /// Allow commands in workspace-write to use the network
    #[arg(long)]
    network: bool,
    /// Run without a sandbox and approvals; use only inside a container
    #[arg(long, alias = "yolo")]
    dangerously_bypass_approvals_and_sandbox: bool,
    /// Use workspace-write; the older name of `--sandbox workspace-write`
    #[arg(long, help_heading = COMPATIBILITY)]
    full_auto: bool,
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

    /// Adds the fields of an MCP run request to the flags.
    pub(super) fn add_fields(&mut self, fields: &RunFields) -> Result<(), String> {
        let sandbox = fields.sandbox.as_deref().map(str::parse::<Sandbox>).transpose();
        let approval = fields.approval_policy.as_deref().map(str::parse::<Approval>).transpose();
        let sandbox = sandbox.map_err(|error| error.to_string())?;
        let approval = approval.map_err(|error| error.to_string())?;
        set("--sandbox", &mut self.sandbox, sandbox)?;
        set("--ask-for-approval", &mut self.ask_for_approval, approval)?;
        self.network |= fields.network;
        self.full_auto |= fields.full_auto;
        self.dangerously_bypass_approvals_and_sandbox |= fields.dangerously_bypass;
        Ok(())
    }
}

pub(super) fn switches(environment: &Environment) -> Result<Switches, Failure> {
    Switches::read(&|name| environment.text(name).map(str::to_owned))
        .map_err(|refusal| refused(&refusal))
}

pub(super) fn refused(refusal: &Refusal) -> Failure {
    Failure::new(refusal.to_string(), contract::ExitCode::Usage).hint(refusal.guidance())
}
