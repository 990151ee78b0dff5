//! Describes what a run would start, without starting it.

use std::path::PathBuf;

use serde::Serialize;

use crate::agents::Unsupported;
use crate::checks::CheckedRun;
use crate::spec::{EffectiveOrders, Spec};

/// What a run would start. Secrets are removed as in the record of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// The program and its arguments.
    pub command: Vec<String>,
    pub directory: PathBuf,
    pub effective: EffectiveOrders,
    /// The text that is written to the standard input of the program.
    pub instructions: String,
    pub reasons: Vec<String>,
}

impl CheckedRun {
    pub fn preview(&self, spec: &Spec) -> Result<Preview, Unsupported> {
        let clean = |text: &str| self.redaction.text(text);
        let mut command = vec![self.program.display().to_string()];
        command.extend(self.redaction.arguments(&self.arguments(spec)?));
        Ok(Preview {
            command,
            directory: spec.directory.clone(),
            effective: self.effective(),
            instructions: clean(&spec.instructions.text),
            reasons: self.reasons().iter().map(|reason| clean(reason)).collect(),
        })
    }
}
