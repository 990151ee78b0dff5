//! Reads the file names in a patch for Codex's `apply_patch` tool.

use contract::FileAction;

use super::effects::Effects;

const FIRST_LINE: &str = "*** Begin Patch";
const HEADERS: [(&str, FileAction); 3] = [
    ("*** Update File: ", FileAction::Edited),
    ("*** Add File: ", FileAction::Created),
    ("*** Move to: ", FileAction::Created),
];

/// Returns the effects of the patch in `text`, or `None` if `text` contains no patch.
pub(super) fn effects(text: &str) -> Option<Effects> {
    let at = text.find(FIRST_LINE)?;
    let mut effects = Effects::default();
    for line in text[at..].lines() {
        for (header, action) in HEADERS {
            if let Some(path) = line.strip_prefix(header) {
                effects.touch(path.trim(), action);
            }
        }
    }
    Some(effects)
}
