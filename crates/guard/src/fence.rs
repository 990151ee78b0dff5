//! Creates the delimiters around untrusted text: two lines with an id that the author of the text cannot know.

use sha2::{Digest, Sha256};

/// The tag name in the delimiter lines. [`neutralise`](crate::neutralise) changes this tag wherever it occurs in quoted
/// text, so that the text cannot imitate a delimiter line.
pub(crate) const TAG: &str = "untrusted-evidence";

/// The delimiter lines around one block of untrusted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    id: String,
}

impl Fence {
    /// Derives the id from `seed`. The seed should be unguessable in run mode and stable in plan mode.
    #[must_use]
    pub fn new(seed: &str) -> Self {
        let digest = Sha256::digest(seed.as_bytes());
        Self { id: digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect() }
    }

    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the opening delimiter line.
    #[must_use]
    pub fn open(&self) -> String {
        format!("<{TAG} id=\"{}\">", self.id)
    }

    /// Returns the closing delimiter line.
    #[must_use]
    pub fn close(&self) -> String {
        format!("</{TAG} id=\"{}\">", self.id)
    }
}

#[cfg(test)]
mod tests;
