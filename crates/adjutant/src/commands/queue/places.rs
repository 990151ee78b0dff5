//! The queue's folders in the user's state folder.

use std::path::PathBuf;

use process::Environment;
use queue::Worktrees;

use crate::edge;
use crate::failure::Failure;

pub(super) struct QueuePlaces {
    folder: PathBuf,
}

impl QueuePlaces {
    pub(super) fn find(environment: &Environment) -> Result<Self, Failure> {
        let state = edge::state_directory(environment).ok_or_else(|| {
            let refused = edge::refused_folders(environment).pop();
            let message = refused.unwrap_or_else(|| "the state folder is not known".to_owned());
            Failure::new(message, contract::ExitCode::Configuration)
                .hint("set HOME, or set ADJUTANT_STATE_DIR to a folder")
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
