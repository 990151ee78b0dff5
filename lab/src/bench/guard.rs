//! `cargo xtask bench guard <data> [--misses] [--source <dir>] [--secrets <file.jsonl.gz>]… [--look-alikes <file.jsonl.gz>]…`:
//! measures the guard's recall, false alarms and speed.
//!
//! Each `--secrets` file is an additional collection, such as held-out data. Each `--look-alikes` file contains texts
//! that must not change. With `--injection <file>`, only that file is measured. It has one JSON object per line, with
//! the fields `text` and `source`. The results for `--secrets` and `--injection` are reported separately for each value
//! of the field `source`.

mod corpus;
mod injection;
mod secrets;
mod speed;
mod table;
mod tree;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::output::print_message;
use table::Table;

/// Measures the guard on the collections under `data` (`secrets/`, `injection/`) and prints the results as a table.
pub(crate) fn run(data: &Path, options: &[&str]) -> ExitCode {
    let with_misses = options.contains(&"--misses");
    let source =
        options.iter().position(|option| *option == "--source").and_then(|at| options.get(at + 1));
    let files = |option: &str| -> Vec<&Path> {
        let pairs = options.windows(2).filter(|pair| pair[0] == option);
        pairs.map(|pair| Path::new(pair[1])).collect()
    };
    let further = Further { secrets: files("--secrets"), look_alikes: files("--look-alikes") };
    let other = options
        .iter()
        .position(|option| *option == "--injection")
        .and_then(|at| options.get(at + 1));
    let measured = match other {
        Some(file) => injection::measure_collection(Path::new(file)),
        None => measure(data, with_misses, source.map(Path::new), &further),
    };
    if cfg!(debug_assertions) {
        print_message(
            "note: this is a debug build; `cargo run --release -p lab -- bench guard` measures the speed",
        );
    }
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            drop(writeln!(io::stderr(), "error: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Collections that are measured in addition to the development data.
struct Further<'p> {
    secrets: Vec<&'p Path>,
    look_alikes: Vec<&'p Path>,
}

fn measure(
    data: &Path,
    with_misses: bool,
    source: Option<&Path>,
    further: &Further<'_>,
) -> io::Result<()> {
    let mut table = Table::default();
    let mut misses = Vec::new();
    secrets::measure(data, &mut table, &mut misses)?;
    for collection in &further.secrets {
        secrets::measure_collection(collection, &mut table, &mut misses)?;
    }
    for collection in &further.look_alikes {
        secrets::measure_look_alikes(collection, &mut table, &mut misses)?;
    }
    injection::measure(data, &mut table, &mut misses)?;
    let code = tree::collect(source.unwrap_or(Path::new(".")))?;
    tree::false_alarms(&code, &mut table, &mut misses);
    speed::measure(data, &code, &mut table)?;
    let mut out = io::stdout().lock();
    if with_misses {
        for miss in misses {
            writeln!(out, "{miss}")?;
        }
    }
    write!(out, "{table}")
}
