//! `adjutant guard check`: shows what the guard removes from its input before the input enters a prompt.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use guard::FindingKind;
use serde_json::json;

use super::table::Table;
use crate::failure::Failure;
use crate::{edge, output};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The file; `-` or no argument reads stdin
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The maximum size of the input, in bytes. Equal to the limit for a hook's payload.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::configuration(format!("cannot read `{}`: {error}", arguments.file.display()))
            .hint("name a file, or `-` for stdin")
    };
    let bytes = if arguments.file == Path::new("-") {
        edge::read_stdin().map_err(unreadable)?
    } else {
        edge::read_named_file(&arguments.file, MAX_BYTES).map_err(unreadable)?
    };
    let mut table = Table::new(["line", "what", "kind", "text"]);
    let mut items = Vec::new();
    for finding in guard::check(&String::from_utf8_lossy(&bytes)) {
        let (what, kind) = match finding.kind {
            FindingKind::Secret(kind) => ("secret", kind.to_owned()),
            FindingKind::Injection(reason) => ("injection", reason.to_string()),
        };
        let (line, text) = (finding.line, finding.excerpt);
        items.push(json!({ "kind": kind, "line": line, "text": text, "what": what }));
        table.row([line.to_string(), what.to_owned(), kind, text]);
    }
    if arguments.json {
        return output::json(&items);
    }
    table.print("nothing would be removed");
    Ok(ExitCode::SUCCESS)
}
