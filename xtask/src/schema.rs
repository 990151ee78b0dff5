//! The checked-in JSON Schema of JSON 1.0, and whether it is still the one the types describe.

use std::fs;
use std::process::ExitCode;

use crate::output::{say, talk};
use crate::root;

const PATH: &str = "docs/schema/briefing-1.0.json";

pub(crate) fn write() -> ExitCode {
    match fs::create_dir_all(root().join("docs/schema"))
        .and_then(|()| fs::write(root().join(PATH), text()))
    {
        Ok(()) => {
            say(PATH);
            ExitCode::SUCCESS
        }
        Err(error) => {
            talk(&format!("error: cannot write `{PATH}`: {error}"));
            ExitCode::FAILURE
        }
    }
}

pub(crate) fn is_current() -> bool {
    let current =
        fs::read_to_string(root().join(PATH)).is_ok_and(|checked_in| checked_in == text());
    if !current {
        talk(&format!(
            "error: `{PATH}` is not what the types say\n\nhint: run `cargo xtask schema` and look at the difference"
        ));
    }
    current
}

fn text() -> String {
    serde_json::to_string_pretty(&contract::json_schema()).unwrap_or_default() + "\n"
}
