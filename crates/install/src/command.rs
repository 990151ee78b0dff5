//! How our programs are called from a client's settings, and how they are recognised there.

use std::path::Path;

/// The launcher's name, as the hook scripts of old had it.
pub(crate) const LAUNCHER: &str = "context-inject-global.sh";
/// A file of ours says so.
pub(crate) const MARK: &str = "# Adjutant:";

/// One word for a shell.
pub(crate) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// Whether a command in somebody's settings is ours, from this install or an earlier one.
pub(crate) fn is_ours(command: &str) -> bool {
    command.contains(LAUNCHER) || command.contains("adjutant-hook")
}

/// The launcher: a program that is gone must not cost a prompt.
pub(crate) fn launcher(programs: &Path) -> String {
    let program = quoted(&programs.join("adjutant-hook"));
    format!(
        "#!/bin/sh\n\
         {MARK} briefs Claude Code before it answers. `adjutant uninstall claude-code` takes this file away.\n\
         program={program}\n\
         [ -x \"$program\" ] || program=$(command -v adjutant-hook) || exit 0\n\
         exec \"$program\" --client claude-code \"$@\"\n"
    )
}
