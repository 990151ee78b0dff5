//! A temporary executable shell script, used in place of a hook or a kernel.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::write_executable;

/// A shell script in a temporary folder, which is deleted on drop.
pub struct ShellScript {
    folder: TempDir,
    path: PathBuf,
}

impl ShellScript {
    pub fn new(lines: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the script");
        let path = folder.path().join("script");
        write_executable(&path, &format!("#!/bin/sh\n{lines}\n"));
        Self { folder, path }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the quoted path, as a shell command.
    pub fn command(&self) -> String {
        format!("'{}'", self.path.display())
    }

    /// Returns the content of a file that the script wrote to its own folder (`"${0%/*}/name"`), if there is one.
    pub fn note(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.folder.path().join(name)).ok()
    }
}
