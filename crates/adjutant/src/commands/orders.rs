//! Flags for the sandbox, approvals and network access of an unattended run. `policy explain`, `run` and `job start`
//! share these flags.

use clap::Args;
use policy::{Approval, Refusal, Sandbox, Switches};
use process::Environment;
use runs::RunRequest;

use super::run::COMPATIBILITY;
use crate::failure::Failure;

#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is a field")]
#[command(next_help_heading = "Orders")]
pub(super) struct OrderArguments {
    /// Use this sandbox: read-only, workspace-write or danger-full-access [default: read-only]
    #[arg(long, value_name = "MODE")]
    sandbox: Option<Sandbox>,
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
    pub(super) fn request(&self) -> RunRequest {
        RunRequest {
            sandbox: self.sandbox,
            ask_for_approval: self.ask_for_approval,
            network: self.network,
            dangerously_bypass_approvals_and_sandbox: self.dangerously_bypass_approvals_and_sandbox,
            full_auto: self.full_auto,
            ..RunRequest::default()
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
