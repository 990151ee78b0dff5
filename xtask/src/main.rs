//! Chores: `cargo xtask ci`, `tidy`, `bench`.

mod bench;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bench", "guard", data, ref rest @ ..] => bench::guard::run(&PathBuf::from(data), rest),
        _ => ExitCode::from(64),
    }
}
