//! Types for the health checks of `adjutant doctor`.

use std::path::Path;

use serde_json::json;

use crate::Names;
use crate::settings::Problem;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Good,
    /// The checked item works, but something is missing.
    Lacking,
    Bad,
}

/// The result of one health check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub name: String,
    pub state: State,
    pub text: String,
    /// The command or instruction that repairs the problem.
    pub fix: Option<String>,
    /// Additional data for the JSON output.
    pub details: serde_json::Value,
}

impl Check {
    pub fn good(name: &str, text: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            state: State::Good,
            text: text.into(),
            fix: None,
            details: serde_json::Value::default(),
        }
    }

    #[must_use]
    pub fn with(self, details: serde_json::Value) -> Self {
        Self { details, ..self }
    }

    pub fn lacking(name: &str, text: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { state: State::Lacking, fix: Some(fix.into()), ..Self::good(name, text) }
    }

    pub fn bad(name: &str, text: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { state: State::Bad, fix: Some(fix.into()), ..Self::good(name, text) }
    }
}

/// Checks the registration of the MCP server in `file`. A missing registration is not a problem, because the server is
/// optional.
pub(crate) fn server(
    names: &Names,
    file: &Path,
    registered: Result<Option<String>, Problem>,
) -> Check {
    let name = &format!("{} MCP", names.title);
    let install = format!("adjutant install {} --mcp", names.word);
    match registered {
        Err(problem) => {
            Check::bad(name, format!("`{}`: {problem}", file.display()), "repair the file")
        }
        Ok(None) => Check::good(name, format!("not registered (`{install}`, if you want it)")),
        Ok(Some(program)) => {
            let path = Path::new(&program);
            if path.is_absolute() && !path.is_file() {
                return Check::bad(name, format!("`{program}` is gone"), install);
            }
            let text = format!("in {}", file.display());
            Check::good(name, text).with(json!({ "program": program }))
        }
    }
}
