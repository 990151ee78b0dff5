//! Why a file was left as it is.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("{line}:{column}: {message}")]
    Syntax { line: usize, column: usize, message: String },
    #[error("`{key}` is not {expected}")]
    Shape { key: String, expected: &'static str },
    #[error("`{path}`: {problem}")]
    In { path: PathBuf, problem: Box<Self> },
    #[error("`{path}`: {error}")]
    Io { path: PathBuf, error: io::Error },
}

impl Problem {
    pub(crate) fn shape(key: &str, expected: &'static str) -> Self {
        Self::Shape { key: key.to_owned(), expected }
    }

    pub(crate) fn at(self, path: &std::path::Path) -> Self {
        match self {
            Self::Syntax { .. } | Self::Shape { .. } => {
                Self::In { path: path.to_owned(), problem: Box::new(self) }
            }
            Self::In { .. } | Self::Io { .. } => self,
        }
    }

    pub(crate) fn io(path: &std::path::Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }
}
