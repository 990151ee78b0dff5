//! Decides the options of an unattended codex run: the sandbox, the approval policy, network access, and whether the
//! sandbox and the approvals are bypassed. These options are called orders. The requested orders are first normalised
//! and then converted into effective orders, with a reason for each change. Orders that are not allowed are refused
//! with a hint.
//!
//! [`Normalised`] is the result of the published rules for flags and switches (requirements C1–C3). [`Effective`] also
//! takes into account that codex cannot ask the user, and never allows more than the caller explicitly requested. The
//! `runs` crate converts [`Effective`] into command-line arguments.

mod reason;
mod switches;

use serde::{Deserialize, Serialize};

use crate::sandbox::{Approval, Author, Bypass, Network, Sandbox};

pub use reason::{Reason, Refusal};
pub use switches::{OnNever, Switches};

/// The options that the caller requested, without defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requested {
    pub sandbox: Option<Sandbox>,
    pub approval: Option<Approval>,
    pub network: Network,
    pub bypass: Bypass,
    pub full_auto: bool,
}

/// The requested options after the rules for flags and switches have been applied. An option that was not given
/// remains `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Normalised {
    pub sandbox: Option<Sandbox>,
    pub approval: Option<Approval>,
    pub bypass: Bypass,
    pub full_auto: bool,
}

/// The options that apply while codex runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effective {
    pub sandbox: Sandbox,
    pub approval: Approval,
    pub network: Network,
    pub bypass: Bypass,
}

/// Whether this version of codex can ask the user for approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalSupport {
    Possible,
    /// `codex exec` always uses the approval policy `never`.
    Impossible,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    pub requested: Requested,
    pub normalised: Normalised,
    pub effective: Effective,
    /// The reasons for all changes to the requested values, in the order in which the changes were made.
    pub reasons: Vec<Reason>,
}

impl Requested {
    /// Fills in the defaults for fields that an MCP caller omitted (requirement C4). Fields that the caller set do
    /// not change, except that a bypass clears `approval` and `full_auto`.
    #[must_use]
    pub fn for_tool_call(mut self) -> Self {
        match self.bypass {
            Bypass::Yes => {
                self.sandbox = self.sandbox.or(Some(Sandbox::DangerFullAccess));
                self.approval = None;
                self.full_auto = false;
            }
            Bypass::No => self.sandbox = self.sandbox.or(Some(Sandbox::WorkspaceWrite)),
        }
        self
    }
}

impl Orders {
    pub fn decide(
        requested: Requested,
        switches: &Switches,
        asking: ApprovalSupport,
    ) -> Result<Self, Refusal> {
        let mut reasons = Vec::new();
        let normalised = normalise(requested, switches, &mut reasons)?;
        let effective = effective(requested, normalised, switches, asking, &mut reasons)?;
        Ok(Self { requested, normalised, effective, reasons })
    }

    /// Refuses a run without a sandbox if a model requested the run and no switch allows it (requirement C4). Full access
    /// with approvals is also refused, because nobody answers in an unattended run.
    ///
    /// `ALLOW_DFA_WITH_NEVER=1` also allows it. With that switch, the user has already accepted that
    /// `danger-full-access` without approvals runs without a sandbox.
    pub fn check_author(&self, author: Author, switches: &Switches) -> Result<(), Refusal> {
        let is_allowed = match author {
            Author::Person => true,
            Author::Model { may_bypass } => {
                may_bypass || switches.bypass_by_model || switches.full_access_with_never
            }
        };
        let Effective { sandbox, bypass, .. } = self.effective;
        let is_open = bypass == Bypass::Yes || sandbox == Sandbox::DangerFullAccess;
        if is_open && !is_allowed {
            return Err(Refusal::BypassByModel);
        }
        Ok(())
    }

    /// Decides the options of a resumed session. `requested` contains what the caller named, and `new_run` the same with the
    /// defaults of a new run.
    ///
    /// The record of a session restricts what the resumed session may do, and never allows more than a new run gets. Fails if
    /// the options would be more permissive than the `stored` options, or if the caller named no sandbox and the stored sandbox
    /// is more permissive than that of a new run.
    pub fn continued(
        stored: Effective,
        requested: Requested,
        new_run: Requested,
        switches: &Switches,
        asking: ApprovalSupport,
    ) -> Result<Self, Refusal> {
        let names_no_sandbox =
            requested.sandbox.is_none() && !requested.full_auto && requested.bypass == Bypass::No;
        let mut orders = Self::decide(new_run, switches, asking)?;
        if names_no_sandbox {
            let allowed = orders.effective.sandbox;
            if stored.sandbox > allowed {
                return Err(Refusal::SandboxNotNamed { stored: stored.sandbox, allowed });
            }
            let requested = Requested { sandbox: Some(stored.sandbox), ..requested };
            orders = Self::decide(requested, switches, asking)?;
            orders.reasons.insert(0, Reason::Continued);
        }
        let Effective { sandbox, network, bypass, approval: _ } = orders.effective;
        let reaches_network = network == Network::Enabled && sandbox != Sandbox::ReadOnly;
        if sandbox > stored.sandbox
            || bypass > stored.bypass
            || (reaches_network && stored.network == Network::Restricted)
        {
            return Err(Refusal::Wider { stored: stored.sandbox, requested: sandbox });
        }
        Ok(orders)
    }
}

/// Applies the rules for flags and switches in their published order.
fn normalise(
    requested: Requested,
    switches: &Switches,
    reasons: &mut Vec<Reason>,
) -> Result<Normalised, Refusal> {
    let Requested { sandbox, approval, bypass, full_auto, network: _ } = requested;
    if bypass == Bypass::Yes && (approval.is_some() || full_auto) {
        return Err(Refusal::Conflict);
    }
    let unchanged = Normalised { sandbox, approval, bypass, full_auto };
    if sandbox != Some(Sandbox::DangerFullAccess) || bypass == Bypass::Yes {
        return Ok(unchanged);
    }
    match approval {
        None => {
            let approval = switches.approval_for_full_access;
            reasons.push(Reason::ApprovalAdded(approval));
            Ok(Normalised { approval: Some(approval), ..unchanged })
        }
        Some(Approval::Never) => unattended_full_access(unchanged, switches, reasons),
        Some(Approval::Untrusted | Approval::OnFailure | Approval::OnRequest) => Ok(unchanged),
    }
}

/// Decides how to handle full access without approvals: convert it into a bypass, lower the sandbox, or refuse the run.
fn unattended_full_access(
    orders: Normalised,
    switches: &Switches,
    reasons: &mut Vec<Reason>,
) -> Result<Normalised, Refusal> {
    if switches.full_access_with_never {
        reasons.push(Reason::BypassAllowed);
        return Ok(Normalised { bypass: Bypass::Yes, ..orders });
    }
    match switches.on_never {
        OnNever::Lower(target) => {
            reasons.push(Reason::Lowered { from: Sandbox::DangerFullAccess, to: target });
            Ok(Normalised { sandbox: Some(target), ..orders })
        }
        OnNever::Refuse => Err(Refusal::FullAccessWithNever),
    }
}

fn effective(
    requested: Requested,
    normalised: Normalised,
    switches: &Switches,
    asking: ApprovalSupport,
    reasons: &mut Vec<Reason>,
) -> Result<Effective, Refusal> {
    let mut orders = normalised;
    let mut approval = orders.approval.unwrap_or(Approval::Never);
    if asking == ApprovalSupport::Impossible
        && approval != Approval::Never
        && orders.bypass == Bypass::No
    {
        reasons.push(Reason::ApprovalUnavailable(approval));
        approval = Approval::Never;
    }
    let is_open = orders.sandbox == Some(Sandbox::DangerFullAccess) && orders.bypass == Bypass::No;
    if is_open && approval == Approval::Never {
        orders = unattended_full_access(orders, switches, reasons)?;
    }
    if orders.bypass == Bypass::Yes {
        if let Some(named) = orders.sandbox.filter(|named| *named != Sandbox::DangerFullAccess) {
            reasons.push(Reason::SandboxBypassed(named));
        }
        return Ok(Effective {
            sandbox: Sandbox::DangerFullAccess,
            approval: Approval::Never,
            network: Network::Enabled,
            bypass: Bypass::Yes,
        });
    }
    let sandbox = match (orders.sandbox, orders.full_auto) {
        (Some(named), true) => {
            reasons.push(Reason::FullAutoKeepsSandbox(named));
            named
        }
        (Some(named), false) => named,
        (None, true) => {
            reasons.push(Reason::FullAuto);
            Sandbox::WorkspaceWrite
        }
        (None, false) => {
            reasons.push(Reason::NoSandboxNamed);
            Sandbox::ReadOnly
        }
    };
    let network = match sandbox {
        Sandbox::ReadOnly => {
            if requested.network == Network::Enabled {
                reasons.push(Reason::NoNetworkWhenReadOnly);
            }
            Network::Restricted
        }
        Sandbox::WorkspaceWrite => requested.network,
        Sandbox::DangerFullAccess => Network::Enabled,
    };
    Ok(Effective { sandbox, approval, network, bypass: Bypass::No })
}

#[cfg(test)]
mod tests;
