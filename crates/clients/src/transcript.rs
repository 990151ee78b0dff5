//! Reads the end of a client's transcript and describes the earlier turns of the session.
//!
//! A transcript is untrusted: other programs write parts of it, and its format changes between versions of a client. A line
//! that cannot be read is skipped. No part of a transcript is stored.

mod builder;
mod line;
mod shell;
mod text;
mod tool;

pub use line::{Call, CallOutput, CallResult, Entry, Line};

pub(crate) use line::{Lenient, Text, seconds};

use std::path::{Path, PathBuf};
use std::time::Instant;

use contract::{SessionActivity, TouchedFile};

use crate::{Client, Payload};
use builder::Builder;

/// The maximum number of bytes that are read from the end of a transcript.
const MAX_BYTES: u64 = 512 * 1024;
/// The maximum number of bytes that are read from the end of a transcript if no prompt waits.
const MAX_WHOLE_BYTES: u64 = 64 * 1024 * 1024;
/// The maximum number of touches of files that are kept for a prompt, and if no prompt waits.
const MAX_TOUCHED: usize = 1_000;
const MAX_TOUCHED_WHOLE: usize = 100_000;
/// The maximum number of commas in a line. It limits the number of JSON values, and so the time to parse the line. A long
/// text or an image has fewer commas.
const MAX_COMMAS: usize = 20_000;

/// Reads the transcript that the payload names and describes the earlier turns of the session. Paths inside `directory` are
/// made relative to it.
///
/// Returns `None` if the payload names no transcript, if the transcript is not a regular file owned by the user, if it belongs
/// to another session, or if it contains no earlier turn. Reading starts with the newest line; lines that are not read before
/// `deadline` are left out.
#[must_use]
pub fn session_activity(
    client: &dyn Client,
    payload: &Payload,
    directory: Option<&str>,
    deadline: Instant,
) -> Option<SessionActivity> {
    let path = payload.transcript_path.as_deref().filter(|path| !path.is_empty())?;
    let end = disk::read_end_of_own_file(Path::new(path), MAX_BYTES).ok()?;
    let bytes = match end.is_whole {
        true => end.bytes.as_slice(),
        // The first line may be incomplete, so it is skipped.
        false => end.bytes.iter().position(|byte| *byte == b'\n').map(|at| &end.bytes[at..])?,
    };
    activity_in(client, payload, directory, bytes, deadline)
}

/// Describes the earlier turns of a session from the lines of its transcript. See [`session_activity`].
#[must_use]
pub fn activity_in(
    client: &dyn Client,
    payload: &Payload,
    directory: Option<&str>,
    bytes: &[u8],
    deadline: Instant,
) -> Option<SessionActivity> {
    let mut lines = Vec::new();
    let mut session = None;
    for bytes in bytes.rsplit(|byte| *byte == b'\n') {
        if Instant::now() >= deadline {
            break;
        }
        if bytes.iter().filter(|byte| **byte == b',').count() > MAX_COMMAS {
            continue;
        }
        let Some(line) = client.read_transcript_line(bytes) else { continue };
        // A resumed session may contain lines of the original session, so the newest line decides.
        if session.is_none() {
            session.clone_from(&line.session);
            let is_other = session.is_some() && payload.session_id.is_some();
            if is_other && session != payload.session_id {
                return None;
            }
        }
        if !line.entries.is_empty() || line.directory.is_some() {
            lines.push(line);
        }
    }
    remove_current_prompt(&mut lines, payload);
    let mut builder = Builder::new(directory, payload.cwd.as_deref(), MAX_TOUCHED);
    for line in lines.into_iter().rev() {
        builder.add(line);
    }
    builder.finish()
}

/// Returns every touch of a file in these transcripts of one session, including those of its sub-agents. Paths inside `root`
/// are made relative to it. A transcript that cannot be read is skipped.
#[must_use]
pub fn touched_files(
    client: &dyn Client,
    transcripts: &[PathBuf],
    root: Option<&str>,
) -> Vec<TouchedFile> {
    let mut files = Vec::new();
    for path in transcripts {
        let Ok(end) = disk::read_end_of_own_file(path, MAX_WHOLE_BYTES) else { continue };
        let mut builder = Builder::new(root, root, MAX_TOUCHED_WHOLE);
        let lines = end.bytes.split(|byte| *byte == b'\n');
        lines
            .filter_map(|line| client.read_transcript_line(line))
            .for_each(|line| builder.add(line));
        files.extend(builder.touched());
    }
    files
}

/// Returns the paths in a folder, in order. The list is empty if the folder cannot be read.
pub(crate) fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Removes the current prompt from `lines`, because a client may write the prompt to the transcript before it calls the
/// hook. `lines` starts with the newest line.
fn remove_current_prompt(lines: &mut [Line], payload: &Payload) {
    let current = payload.prompt.as_deref().unwrap_or_default().trim();
    for entries in lines.iter_mut().map(|line| &mut line.entries) {
        let is_later = |entry: &Entry| !matches!(entry, Entry::Attached(_));
        let Some(at) = entries.iter().rposition(is_later) else { continue };
        if let Entry::Prompt { text, id } = &entries[at]
            && (text.trim() == current || (id.is_some() && *id == payload.prompt_id))
        {
            entries.remove(at);
        }
        return;
    }
}

#[cfg(test)]
mod tests;
