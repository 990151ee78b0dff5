//! Determines the effects of a tool call from the tool's name and arguments: the files that it touched, and whether it ran a
//! program.

use contract::FileAction;
use serde_json::Value;

use super::line::Call;
use super::shell;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// Whether the call ran a program that may do more than read, search or edit files.
    pub(super) runs_program: bool,
    /// Whether the call searched for a pattern.
    pub(super) has_pattern: bool,
    pub(super) touched: Vec<Touch>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) path: String,
    pub(super) action: FileAction,
    pub(super) lines: Option<(u32, u32)>,
}

impl Effects {
    pub(super) fn touch(&mut self, path: impl Into<String>, action: FileAction) {
        self.touched.push(Touch { path: path.into(), action, lines: None });
    }
}

/// Words in tool names, and the kind of tool that they indicate. The first matching entry is used. Tools of MCP servers are
/// recognised by the same words (`mcp__files__read_file`).
const WORDS: [(&[&str], ToolKind); 7] = [
    (&["web", "tool", "todo"], ToolKind::Other),
    (&["edit", "replace", "patch", "insert", "update"], ToolKind::File(FileAction::Edited)),
    (&["write", "create"], ToolKind::File(FileAction::Created)),
    (&["bash", "shell", "exec", "terminal"], ToolKind::Command),
    (&["read", "view", "open"], ToolKind::File(FileAction::Read)),
    (&["grep", "glob", "search", "find"], ToolKind::Search),
    (&["ls", "list"], ToolKind::File(FileAction::Listed)),
];
const PATHS: [&str; 8] = [
    "file_path",
    "path",
    "notebook_path",
    "target_file",
    "filePath",
    "relative_path",
    "dir_path",
    "filename",
];
const PATTERNS: [&str; 2] = ["pattern", "query"];
const COMMANDS: [&str; 2] = ["command", "cmd"];

/// The first line of a patch for Codex's `apply_patch` tool.
const FIRST_LINE: &str = "*** Begin Patch";
const HEADERS: [(&str, FileAction); 3] = [
    ("*** Update File: ", FileAction::Edited),
    ("*** Add File: ", FileAction::Created),
    ("*** Move to: ", FileAction::Created),
];

#[derive(Clone, Copy)]
enum ToolKind {
    File(FileAction),
    Search,
    Command,
    Other,
}

/// The number of lines that Claude Code reads if the call states only the first line.
const DEFAULT_LINES: u64 = 2_000;

pub(super) fn effects(call: &Call) -> Effects {
    if let Some(text) = call.input.as_str().or_else(|| text(&call.input, &["input", "patch"]))
        && let Some(effects) = patch_effects(text)
    {
        return effects;
    }
    match tool_kind(&call.tool) {
        ToolKind::File(action) => file(&call.input, action),
        ToolKind::Search => search(&call.input),
        ToolKind::Command => {
            command(&call.input).map_or_else(Effects::default, |command| shell::effects(&command))
        }
        ToolKind::Other => Effects::default(),
    }
}

/// Returns the effects of the patch in `text`, or `None` if `text` contains no patch.
pub(super) fn patch_effects(text: &str) -> Option<Effects> {
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

/// Returns the directory in which the call runs, if its arguments contain one.
pub(super) fn directory(call: &Call) -> Option<&str> {
    text(&call.input, &["workdir", "working_directory"])
}

fn tool_kind(name: &str) -> ToolKind {
    let name = name.rsplit("__").next().unwrap_or(name);
    let words = words(name);
    let is_named = |known: &str| words.iter().any(|word| word == known);
    let found = WORDS.iter().find(|(known, _)| known.iter().any(|word| is_named(word)));
    found.map_or(ToolKind::Other, |(_, kind)| *kind)
}

/// Splits a name such as `read_file` or `MultiEdit` into lower-case words.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        let is_start = letter.is_uppercase() && was_lower;
        was_lower = letter.is_lowercase();
        if is_start || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

fn file(input: &Value, action: FileAction) -> Effects {
    let Some(path) = text(input, &PATHS) else { return Effects::default() };
    let lines = if action == FileAction::Read { lines(input) } else { None };
    let touched = vec![Touch { path: path.to_owned(), action, lines }];
    Effects { touched, ..Effects::default() }
}

/// Returns the range of lines that a call reads, or `None` if it reads the whole file.
fn lines(input: &Value) -> Option<(u32, u32)> {
    let (offset, limit) = (number(input, "offset"), number(input, "limit"));
    if offset.is_none() && limit.is_none() {
        return None;
    }
    let first = offset.unwrap_or(1).max(1);
    let last = first.saturating_add(limit.unwrap_or(DEFAULT_LINES)).saturating_sub(1);
    Some((u32::try_from(first).ok()?, u32::try_from(last.max(first)).ok()?))
}

fn search(input: &Value) -> Effects {
    match text(input, &PATTERNS) {
        Some(_) => file(input, FileAction::Listed),
        None => Effects::default(),
    }
}

/// Returns the command as a string. Codex may send a list of words, often `["bash", "-lc", "…"]`.
fn command(input: &Value) -> Option<String> {
    let value = COMMANDS.iter().find_map(|key| input.get(key))?;
    if let Some(text) = value.as_str() {
        return Some(text.to_owned());
    }
    let words: Vec<&str> = value.as_array()?.iter().filter_map(Value::as_str).collect();
    match words.as_slice() {
        [_, "-c" | "-lc", script] => Some((*script).to_owned()),
        words => shlex::try_join(words.iter().copied()).ok(),
    }
}

fn text<'a>(input: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| input.get(key)?.as_str())
}

fn number(input: &Value, key: &str) -> Option<u64> {
    input.get(key)?.as_u64()
}
