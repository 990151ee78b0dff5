//! The longest text that a client passes to its model completely.

use serde::{Deserialize, Serialize};

use crate::escaped::escaped_len;

/// The maximum length of the text for the model in a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextLimit {
    /// The maximum number of bytes. A text never has more UTF-16 code units than bytes.
    pub max_bytes: usize,
    /// Whether the client replaces `<` with `&lt;` and `>` with `&gt;` and counts the bytes after that. Such a client gets
    /// the text in the form of [`crate::escaped()`].
    #[serde(default)]
    pub escapes_brackets: bool,
}

impl ContextLimit {
    #[must_use]
    pub fn fits(self, text: &str) -> bool {
        let n_bytes = if self.escapes_brackets { escaped_len(text) } else { text.len() };
        n_bytes <= self.max_bytes
    }
}
