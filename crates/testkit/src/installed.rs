//! Where the real clients are that the tests run.

use std::path::{Path, PathBuf};

#[cfg(test)]
mod tests;

/// The folder of programs that `npm` filled, if it is not the one in the cache.
const OVERRIDE: &str = "ADJUTANT_TEST_CLIENTS";
const CACHE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.cache/clients/node_modules/.bin");

/// The programs, known to exist.
#[derive(Clone, Debug)]
pub struct InstalledClients {
    pub claude: PathBuf,
    pub codex: PathBuf,
}

/// Panics when a client is missing: a test that needs one never passes without it.
#[track_caller]
#[expect(
    clippy::disallowed_methods,
    reason = "a developer may point the tests at clients elsewhere"
)]
pub fn clients() -> InstalledClients {
    let folder = std::env::var_os(OVERRIDE).map_or_else(|| PathBuf::from(CACHE), PathBuf::from);
    match InstalledClients::in_folder(&folder) {
        Ok(clients) => clients,
        Err(sentence) => panic!("{sentence}"),
    }
}

impl InstalledClients {
    fn in_folder(folder: &Path) -> Result<Self, String> {
        let find = |name: &str| {
            let program = folder.join(name);
            // npm leaves a link; a link to a package that is gone is as good as none.
            program.canonicalize().map(|_| program).map_err(|_| {
                format!(
                    "this test runs the real `{name}`, which is not in `{}`: run `./test`, which installs it \
                     (or set {OVERRIDE} to a folder that holds `claude` and `codex`)",
                    folder.display()
                )
            })
        };
        Ok(Self { claude: find("claude")?, codex: find("codex")? })
    }
}
