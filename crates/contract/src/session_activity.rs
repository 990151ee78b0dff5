//! Types that describe what a client's transcript says about the earlier turns of a session.

use serde::{Deserialize, Serialize};

/// What the transcript of a session says about its earlier turns. Everything in it is untrusted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionActivity {
    /// Number of earlier prompts of the user in the part of the transcript that was read.
    pub n_prompts: u32,
    /// The last prompts of the user before this one, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<String>,
    /// Files that tools of the client touched, oldest first. Each file has one entry per action, for the latest time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<TouchedFile>,
    /// The end of the output of the last command that failed. `None` if a later command succeeded, unless the failure was in
    /// the last turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What the agent searched for: patterns of contents and of file names, newest last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<String>,
    /// The last message of the assistant; only its start and its end if it is long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_answer: Option<String>,
    /// The tool calls of the turn directly before this prompt.
    pub last_turn: TurnCounts,
}

impl SessionActivity {
    /// Maximum number of entries in `prompts`.
    pub const MAX_PROMPTS: usize = 4;
    /// Maximum characters of an entry in `prompts`.
    pub const MAX_PROMPT_CHARS: usize = 1_000;
    /// Maximum number of entries in `files`.
    pub const MAX_FILES: usize = 80;
    /// Maximum characters of the path of a touched file. A file with a longer path is left out.
    pub const MAX_PATH_CHARS: usize = 512;
    /// Maximum characters of `failure`.
    pub const MAX_FAILURE_CHARS: usize = 4_000;
    /// Maximum number of entries in `searches`.
    pub const MAX_SEARCHES: usize = 12;
    /// Maximum characters of an entry in `searches`.
    pub const MAX_SEARCH_CHARS: usize = 200;
    /// Maximum characters of `last_answer`.
    pub const MAX_ANSWER_CHARS: usize = 2_000;
}

/// A file that a tool of the client touched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TouchedFile {
    /// The path as the client wrote it, relative to the working directory of the session if it is inside it.
    pub path: String,
    pub action: FileAction,
    /// Number of prompts between the action and the current prompt. 0 for the turn directly before the current prompt.
    pub prompts_ago: u32,
    /// Time of the action in seconds since 1970, if the transcript has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// First and last line that were read, counted from 1, if only a part of the file was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
}

/// What a tool of the client did with a file.
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

/// The numbers of tool calls in one turn, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnCounts {
    pub edits: u32,
    pub reads: u32,
    pub searches: u32,
    pub commands: u32,
}
