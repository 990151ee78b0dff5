//! The user's queue settings, stored in `queue.json` in the configuration folder. A repository cannot change them.

use std::io;
use std::path::PathBuf;

use disk::Links;
use process::Environment;
use queue::{Receiver, Receivers, Webhook};
use serde::Deserialize;

use crate::edge;
use crate::failure::Failure;

/// The environment variable that names the store. It may contain a password, so it is not passed to agents.
pub(super) const STORE_VARIABLE: &str = "ADJUTANT_QUEUE_STORE";
const FILE: &str = "queue.json";
const MAX_BYTES: u64 = 64 * 1024;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QueueSettings {
    /// The store, in the same form as for `--store`.
    pub(super) store: Option<String>,
    #[serde(default)]
    notices: NoticeSettings,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoticeSettings {
    program: Option<PathBuf>,
    #[serde(default)]
    desktop: bool,
    webhook: Option<String>,
}

impl QueueSettings {
    /// Reads the settings. If the file does not exist, all settings have their defaults.
    pub(super) fn read(environment: &Environment) -> Result<Self, Failure> {
        let folder = edge::hook_folders(environment).configuration;
        let Some(folder) = folder else { return Ok(Self::default()) };
        let path = folder.join(FILE);
        let failed = |reason: String| {
            let message = format!("cannot use the settings in `{}`: {reason}", path.display());
            Failure::new(message, contract::ExitCode::Configuration)
        };
        let text = match disk::read_text(&path, Links::Follow, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(failed(error.to_string())),
        };
        // The file names a program that will be started, so other users must not be able to change it.
        disk::check_private_folder(&folder).map_err(|error| failed(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| failed(error.to_string()))
    }

    pub(super) fn receivers(&self, environment: &Environment) -> Result<Receivers, Failure> {
        let usage = |message: String| Failure::new(message, contract::ExitCode::Configuration);
        if let Some(program) = self.notices.program.as_ref().filter(|path| !path.is_absolute()) {
            let program = program.display();
            return Err(usage(format!(
                "the program for notices is not an absolute path: `{program}`"
            )));
        }
        let webhook = self.notices.webhook.as_deref().map(Webhook::parse).transpose();
        let webhook = webhook.map_err(|error| usage(error.to_string()))?;
        let all = [
            self.notices.program.clone().map(Receiver::Program),
            self.notices.desktop.then_some(Receiver::Desktop),
            webhook.map(Receiver::Webhook),
        ];
        Ok(Receivers {
            all: all.into_iter().flatten().collect(),
            environment: environment.clone().without(STORE_VARIABLE),
        })
    }
}
