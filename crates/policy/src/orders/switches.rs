//! Reads the environment variables that decide how full access without approvals is handled, and whether a model may
//! bypass the sandbox.

use std::str::FromStr;

use crate::orders::Refusal;
use crate::sandbox::{Approval, Sandbox, UnknownWord};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Whether full access without approvals becomes a bypass (`ALLOW_DFA_WITH_NEVER=1`).
    pub full_access_with_never: bool,
    /// Whether a model may request a bypass (`ALLOW_MCP_BYPASS=1`).
    pub bypass_by_model: bool,
    /// How full access without approvals is handled if it does not become a bypass (`DFA_DEGRADE_ON_NEVER` and
    /// `DFA_DEGRADE_TARGET`).
    pub on_never: OnNever,
    /// The approval policy that is used with full access if the request does not specify one
    /// (`DEFAULT_APPROVAL_FOR_DFA`).
    pub approval_for_full_access: Approval,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnNever {
    Lower(Sandbox),
    Refuse,
}

impl Switches {
    /// Reads the switches. For the boolean switches, `1` means enabled and any other value means disabled.
    ///
    /// # Errors
    /// If a variable names an unknown sandbox or approval policy, or if `DFA_DEGRADE_TARGET` is full access.
    pub fn read(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, Refusal> {
        let on = |name| lookup(name).map(|value| value == "1");
        let target = parsed(lookup, TARGET, Sandbox::WorkspaceWrite)?;
        if target == Sandbox::DangerFullAccess {
            let (value, reason) = (target.to_string(), "that would not be lower".to_owned());
            return Err(Refusal::Switch { name: TARGET, value, reason });
        }
        let lowers = on("DFA_DEGRADE_ON_NEVER").unwrap_or(true);
        Ok(Self {
            full_access_with_never: on("ALLOW_DFA_WITH_NEVER").unwrap_or(false),
            bypass_by_model: on("ALLOW_MCP_BYPASS").unwrap_or(false),
            on_never: if lowers { OnNever::Lower(target) } else { OnNever::Refuse },
            approval_for_full_access: parsed(lookup, APPROVAL, Approval::OnRequest)?,
        })
    }
}

const TARGET: &str = "DFA_DEGRADE_TARGET";
const APPROVAL: &str = "DEFAULT_APPROVAL_FOR_DFA";

fn parsed<T: FromStr<Err = UnknownWord>>(
    lookup: &dyn Fn(&str) -> Option<String>,
    name: &'static str,
    default: T,
) -> Result<T, Refusal> {
    let Some(value) = lookup(name) else { return Ok(default) };
    value.parse().map_err(|error: UnknownWord| {
        let reason = error.to_string();
        Refusal::Switch { name, value: error.given, reason }
    })
}
