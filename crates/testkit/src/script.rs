//! An executable shell script in a folder of its own, to stand in for a hook or a kernel.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::write_executable;

/// The script goes when this is dropped.
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

    /// As a command line for a shell.
    pub fn command(&self) -> String {
        format!("'{}'", self.path.display())
    }

    /// What the script wrote into a file beside itself (`"${0%/*}/name"`), if it did.
    pub fn note(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.folder.path().join(name)).ok()
    }
}
