//! The fence around untrusted text, and the neutralising of markup that could open or close one.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

/// The markers around one block of untrusted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    id: String,
}

impl Fence {
    /// A fence whose id follows from `seed`: pass something unguessable in run mode, something stable in plan mode.
    #[must_use]
    pub fn new(seed: &str) -> Self {
        let digest = Sha256::digest(seed.as_bytes());
        Self { id: digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect() }
    }

    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The line before the untrusted text.
    #[must_use]
    pub fn open(&self) -> String {
        format!("<untrusted-evidence id=\"{}\">", self.id)
    }

    /// The line after the untrusted text.
    #[must_use]
    pub fn close(&self) -> String {
        format!("</untrusted-evidence id=\"{}\">", self.id)
    }
}

/// Tags that carry authority in a client's prompt, and our own.
const TAGS: &[&str] = &[
    "untrusted-evidence",
    "system-reminder",
    "system",
    "persisted-output",
    "user-prompt-submit-hook",
    "task-notification",
];

/// Breaks every tag that a client or our fence would take for markup; the words stay readable.
#[must_use]
pub fn neutralise(text: &str) -> Cow<'_, str> {
    let mut clean = String::new();
    let mut written = 0;
    for open in memchr::memchr_iter(b'<', text.as_bytes()) {
        let name = text[open + 1..].trim_start_matches(['/', ' ']);
        let is_tag = TAGS.iter().any(|tag| {
            name.get(..tag.len()).is_some_and(|head| head.eq_ignore_ascii_case(tag))
                && !name[tag.len()..]
                    .starts_with(|next: char| next.is_alphanumeric() || matches!(next, '_' | '-'))
        });
        if is_tag {
            clean.push_str(&text[written..open]);
            clean.push('‹');
            written = open + 1;
        }
    }
    if written == 0 {
        return Cow::Borrowed(text);
    }
    clean.push_str(&text[written..]);
    Cow::Owned(clean)
}

#[cfg(test)]
mod tests;
