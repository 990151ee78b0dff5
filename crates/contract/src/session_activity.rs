//! Types that describe what a client's transcript says about the earlier turns of a session.

use serde::{Deserialize, Serialize};

/// What the transcript of a session says about its earlier turns. Everything in it is untrusted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionActivity {
    /// The number of the user's earlier prompts in the part of the transcript that was read.
    pub n_prompts: u32,
    /// The user's most recent prompts before this prompt, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<String>,
    /// Files that the client's tools touched, oldest first. Each file has one entry per kind of action, for the latest
    /// action of that kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<TouchedFile>,
    /// The end of the output of the last failed command. `None` if a later command succeeded, unless the failure was in the
    /// last turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The time of the last compaction, in seconds since 1970. `None` if there was none in the part of the transcript that
    /// was read. The client has replaced everything that the model had read by then with a summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compacted_at: Option<u64>,
}

impl SessionActivity {
    /// The maximum number of entries in `prompts`.
    pub const MAX_PROMPTS: usize = 4;
    /// The maximum length of an entry in `prompts`, in characters.
    pub const MAX_PROMPT_CHARS: usize = 1_000;
    /// The maximum number of entries in `files`.
    pub const MAX_FILES: usize = 80;
    /// The maximum length of a touched file's path, in characters. A file with a longer path is left out.
    pub const MAX_PATH_CHARS: usize = 512;
    /// The maximum length of `failure`, in characters.
    pub const MAX_FAILURE_CHARS: usize = 4_000;
}

/// A file that one of the client's tools touched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TouchedFile {
    /// The path relative to the session's working directory, or the absolute path of a file outside that directory.
    pub path: String,
    pub action: FileAction,
    /// The number of prompts between the action and the current prompt. 0 for the turn directly before the current prompt.
    pub prompts_ago: u32,
    /// The time of the action in seconds since 1970, if the transcript contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// The first and the last line that were read, counted from 1. `None` if the whole file was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
}

/// What one of the client's tools did with a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileAction {
    #[default]
    Read,
    Edited,
    Created,
    /// The path was the target of a search, or the directory that was listed.
    Listed,
}
