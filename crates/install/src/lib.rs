//! What Adjutant writes into the clients' settings, and how it is taken back (A60).
//!
//! Every change is a pure function from text to text that leaves all else as it is: order, comments, spacing. Files are written
//! whole or not at all, after a backup; what was written is remembered in a receipt, so that taking it back gives the very bytes
//! that were there.

mod claude_code;
mod codex;
mod command;
mod hooks_json;
mod journal;
mod json;
mod plugin;
mod plugin_state;
mod problem;
mod receipt;
mod servers;
mod toml;
mod trust;
mod write;

pub use claude_code::claude_code;
pub use codex::codex;
pub use json::{claude_code_loads, codex_loads};
pub use plugin::{PluginFile, plugin_files};
pub use plugin_state::{PluginState, claude_code_plugin, codex_plugin};
pub use problem::Problem;
pub use servers::{claude_code_server, codex_server};
pub use trust::{
    TrustState, codex_hooks_are_off, codex_trusts, has_prompt_hook, hooks_are_disabled,
    names_launcher, trust_state,
};
pub use write::{Action, Step, install, uninstall};

use std::path::{Path, PathBuf};

/// What to set up, and where things are.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The folder of `adjutant` and `adjutant-hook`.
    pub programs: PathBuf,
    /// The client's own folder: `~/.claude`, `$CODEX_HOME`, or the one in the repository.
    pub folder: PathBuf,
    /// Where the client keeps its MCP servers, if they are to be registered.
    pub servers: Option<PathBuf>,
    /// Whether the client's own tool calls fire the user's hooks too.
    pub with_tool_hooks: bool,
    /// Codex only: the user's own `config.toml`, if it is to say that the hook is trusted. In a repository's nobody would
    /// believe it.
    pub trust: Option<PathBuf>,
}

/// Refuses a path of a repository that goes through a link: whoever committed the link would choose what is written to.
pub fn check_beneath(repository: &Path, path: &Path) -> Result<(), Problem> {
    let Ok(below) = path.strip_prefix(repository) else { return Ok(()) };
    let mut place = repository.to_owned();
    for part in below.components() {
        place.push(part);
        if place.is_symlink() {
            let reason = "is a symbolic link in the repository, and links are not followed there";
            return Err(Problem::io(&place)(std::io::Error::other(reason)));
        }
    }
    Ok(())
}

/// A file and what becomes of its text.
pub struct Target {
    pub path: PathBuf,
    pub(crate) put: Edit,
    pub(crate) take: Edit,
    /// The whole file is ours; whatever was there before comes back with `uninstall`.
    pub(crate) is_whole: bool,
}

/// From the text of a file to what it should be; none is no file.
pub(crate) type Edit = Box<dyn Fn(Option<&str>) -> Result<Option<String>, Problem>>;
