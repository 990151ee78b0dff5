//! `--dry-run`: prints what a run would start, without a session.

use std::process::ExitCode;

use policy::{Bypass, Effective};
use runs::{Preview, RunHost, Spec};

use super::failure;
use crate::failure::Failure;
use crate::output;

/// Checks the run and prints its command line, its sandbox and the text for the agent.
pub(in crate::commands) fn preview(
    spec: &Spec,
    host: &RunHost,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    let checked = runs::check(spec, host).map_err(|error| failure(&error))?;
    let preview = checked.preview(spec).map_err(|error| failure(&error.into()))?;
    if as_json {
        return output::json(&preview);
    }
    output::data(&as_text(&preview));
    Ok(ExitCode::SUCCESS)
}

fn as_text(preview: &Preview) -> String {
    let words = preview.command.iter().map(String::as_str);
    let Effective { sandbox, approval, network, bypass } = preview.effective.orders;
    let mut lines = vec![
        format!("command    {}", shlex::try_join(words).unwrap_or_default()),
        format!("directory  {}", preview.directory.display()),
        format!(
            "sandbox    {sandbox} · approval {approval} · network {} · bypass {}",
            network.word(),
            if bypass == Bypass::Yes { "yes" } else { "no" },
        ),
    ];
    let roots = preview.effective.writable_roots.iter();
    lines.extend(roots.map(|root| format!("writable   {}", root.display())));
    lines.extend(preview.reasons.iter().map(|reason| format!("because    {reason}")));
    lines.push(format!("\n{}", preview.instructions));
    lines.join("\n")
}
