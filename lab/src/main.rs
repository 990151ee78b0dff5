//! Measurements and experiments that use the crates of the product: `cargo xtask bench`, `campaign` and `words`. `xtask`
//! builds and starts this program, so that its own chores do not compile the product.

mod bench;
#[cfg(target_os = "linux")]
mod campaign;
#[cfg(not(target_os = "linux"))]
#[path = "campaign/unsupported.rs"]
mod campaign;
mod output;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask campaign …            run the hook under faults (--runs N, --seed S, --only RUN, --programs DIR)
cargo xtask bench hook            compare the hook in plan mode with /bin/true
cargo xtask bench speed DIR…      compare a cold index with ctags; with one DIR also the hook with ripgrep
cargo xtask bench scale DIR …     measure how time, memory and disk grow (--files N…, --no-build)
cargo xtask bench guard DATA      measure recall, false alarms and speed of the guard
cargo xtask bench toolcall        compare the lifecycle of a tool call with the tool alone
cargo xtask bench mcp             compare the MCP server's first answer with the hook
cargo xtask bench fleet …         run 1,000 tasks of the queue while workers are killed (--tasks N, --programs DIR, --store NAME)
cargo xtask bench localise …      measure how well the right files are ranked
cargo xtask bench sessions …      measure the ranking and the briefings in recorded sessions
cargo xtask bench gate …          measure whether evidence is added when it is wanted
cargo xtask bench lines …         measure how well a briefing cites files and quotes lines
cargo xtask bench peers …         compare indexing, prompts and hits with other programs
cargo xtask bench edges …         compare the callers in the index with those of a language server
cargo xtask words …               write the learned table of Chinese words";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["campaign", ref rest @ ..] => campaign::run(rest),
        ["bench", "hook"] => bench::hook::run(),
        ["bench", "speed", ref trees @ ..] if !trees.is_empty() => bench::speed::run(trees),
        ["bench", "scale", tree, ref rest @ ..] => bench::scale::run(Path::new(tree), rest),
        ["bench", "guard", data, ref rest @ ..] => bench::guard::run(&PathBuf::from(data), rest),
        ["bench", "toolcall"] => bench::toolcall::run(),
        ["bench", "mcp"] => bench::mcp::run(),
        ["bench", "fleet", ref rest @ ..] => bench::fleet::run(rest),
        ["bench", "gate", ref rest @ ..] => bench::gate::run(rest),
        ["bench", "sessions", ref rest @ ..] => bench::sessions::run(rest),
        ["bench", "localise", ref rest @ ..] => bench::localise::run(rest),
        ["bench", "lines", ref rest @ ..] => bench::lines::run(rest),
        ["bench", "peers", ref rest @ ..] => bench::peers::run(rest),
        ["bench", "edges", ref rest @ ..] => bench::edges::run(rest),
        ["words", ref rest @ ..] => words::run(rest),
        _ => {
            output::print_message(USAGE);
            ExitCode::from(2)
        }
    }
}

/// Returns the root of the workspace.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
