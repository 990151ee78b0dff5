//! The queue's folders in the user's state folder, and the user's settings for the queue.

use std::io;
use std::path::PathBuf;

use disk::Links;
use process::Environment;
use queue::{Receiver, Receivers, Webhook, Worktrees};
use serde::Deserialize;

use crate::edge;
use crate::failure::Failure;

/// The environment variable that names the store. It may contain a password, so it is not passed to agents.
pub(super) const STORE_VARIABLE: &str = "ADJUTANT_QUEUE_STORE";
const FILE: &str = "queue.json";
const MAX_BYTES: u64 = 64 * 1024;

/// The content of `queue.json` in the configuration folder. A repository cannot change it.
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
            Failure::configuration(message)
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
        if let Some(program) = self.notices.program.as_ref().filter(|path| !path.is_absolute()) {
            let program = program.display();
            let message = format!("the program for notices is not an absolute path: `{program}`");
            return Err(Failure::configuration(message));
        }
        let webhook = self.notices.webhook.as_deref().map(Webhook::parse).transpose();
        let webhook = webhook.map_err(Failure::configuration)?;
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

pub(super) struct QueuePlaces {
    folder: PathBuf,
}

impl QueuePlaces {
    pub(super) fn find(environment: &Environment) -> Result<Self, Failure> {
        let state = edge::state_directory(environment).ok_or_else(|| {
            let refused = edge::refused_folders(environment).pop();
            let message = refused.unwrap_or_else(|| "the state folder is not known".to_owned());
            Failure::configuration(message).hint("set HOME, or set ADJUTANT_STATE_DIR to a folder")
        })?;
        Ok(Self { folder: state.join("queue") })
    }

    pub(super) fn database(&self) -> PathBuf {
        self.folder.join("queue.db")
    }

    pub(super) fn spool(&self) -> PathBuf {
        self.folder.join("results")
    }

    pub(super) fn worktrees(&self, environment: &Environment) -> Worktrees {
        Worktrees {
            environment: environment.clone(),
            folder: self.folder.join("worktrees"),
            patches: self.folder.join("patches"),
        }
    }
}
