//! Chores: `cargo xtask ci`, `tidy`, `generate`, `campaign`, `bench`, `words`.

mod bench;
mod campaign;
mod ci;
mod generated;
mod output;
mod tidy;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask ci                    every check, as CI runs it
cargo xtask tidy                  arrows, file sizes, names, links, settings
cargo xtask generate              write what comes from the code: JSON schema, plugin, settings
cargo xtask campaign …            run the hook under faults (--runs N, --seed S, --only RUN, --programs DIR)
cargo xtask bench hook            the whole hook in plan mode beside /bin/true
cargo xtask bench speed DIR       the hook beside ripgrep, a cold index beside ctags
cargo xtask bench scale DIR       how time, memory and disk grow with 4 and 16 times the files
cargo xtask bench guard DATA      recall, false alarms and speed of the guard
cargo xtask bench toolcall        the life of a tool call beside the tool alone
cargo xtask bench mcp             the MCP server's first answer beside the hook
cargo xtask bench localise …      whether the right files come first
cargo xtask words …               write the learned table of Chinese words";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ci"] => ci::run(),
        ["tidy"] => tidy::run(),
        ["generate"] => generated::write(),
        ["campaign", ref rest @ ..] => campaign::run(rest),
        ["bench", "hook"] => bench::hook::run(),
        ["bench", "speed", tree] => bench::speed::run(Path::new(tree)),
        ["bench", "scale", tree] => bench::scale::run(Path::new(tree)),
        ["bench", "guard", data, ref rest @ ..] => bench::guard::run(&PathBuf::from(data), rest),
        ["bench", "toolcall"] => bench::toolcall::run(),
        ["bench", "mcp"] => bench::mcp::run(),
        ["bench", "localise", ref rest @ ..] => bench::localise::run(rest),
        ["words", ref rest @ ..] => words::run(rest),
        _ => {
            output::talk(USAGE);
            ExitCode::from(2)
        }
    }
}

/// The root of the workspace.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
