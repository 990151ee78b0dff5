//! Describes a program to start: path, arguments, directory, environment and input.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::Environment;

#[derive(Clone, Debug)]
pub struct Program {
    pub path: PathBuf,
    pub arguments: Vec<OsString>,
    pub directory: Option<PathBuf>,
    pub environment: Environment,
    /// The bytes of the standard input, or `None` if it is empty.
    pub stdin: Option<Vec<u8>>,
    /// The maximum size of the address space in bytes, for the program and for each process that it starts. Only Linux
    /// enforces it.
    pub address_space: Option<u64>,
}

impl Program {
    pub fn new(path: impl Into<PathBuf>, environment: Environment) -> Self {
        Self {
            path: path.into(),
            arguments: Vec::new(),
            directory: None,
            environment,
            stdin: None,
            address_space: None,
        }
    }

    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    #[must_use]
    pub fn arguments<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    #[must_use]
    pub fn address_space(mut self, bytes: u64) -> Self {
        self.address_space = Some(bytes);
        self
    }

    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = Some(bytes.into());
        self
    }
}
