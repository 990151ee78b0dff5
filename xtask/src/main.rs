//! Development tasks: `cargo xtask check`, `ci`, `tidy`, `generate`, `release`, `package`. `bench`, `campaign` and `words` are
//! tasks of the package `lab`.

mod ci;
mod generated;
mod output;
mod package;
mod release;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

use ci::Tier;

const USAGE: &str = "\
cargo xtask check                 run the checks of every change: format, tidy, clippy, unit tests
cargo xtask ci                    run the checks of `./test`, without its installation (--all: as CI does)
cargo xtask tidy                  check the crate table, file sizes, names, links, settings, dependencies
cargo xtask generate              write the generated files: JSON schema, plugin, settings
cargo xtask release …             check that a release can be made, and make its tag (--dry-run)
cargo xtask package …             build the archive, the npm packages and the installers (--out DIR, --check)
cargo xtask campaign …            run the hook under faults
cargo xtask bench …               list and run the benchmarks
cargo xtask words …               write the learned table of Chinese words";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["check"] => ci::run(Tier::Check),
        ["ci"] => ci::run(Tier::Test),
        ["ci", "--all"] => ci::run(Tier::All),
        ["tidy"] => tidy::run(),
        ["generate"] => generated::write(),
        ["release", ref rest @ ..] => release::run(rest),
        ["package", ref rest @ ..] => package::run(rest),
        ref task @ ["bench" | "campaign" | "words", ..] => ci::lab(task),
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
