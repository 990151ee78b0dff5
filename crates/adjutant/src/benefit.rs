//! Compares the places that briefings cited with the files that the agent then read or edited.
//!
//! The log contains the places, and the clients' transcripts contain the calls of the agent. Only counts are kept.

use std::collections::{BTreeMap, BTreeSet};

use clients::CLIENTS;
use contract::{FileAction, TouchedFile};
use process::Environment;
use serde::Serialize;

use crate::run_log::{LoggedFinding, LoggedRun};

/// The counts for some of the logged runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Benefit {
    /// The number of sessions that sent the prompts.
    pub(crate) sessions: usize,
    pub(crate) prompts: usize,
    /// The number of prompts to which text was added.
    pub(crate) briefings: usize,
    /// The number of characters that were added.
    pub(crate) characters: usize,
    pub(crate) transcripts: TranscriptCounts,
    /// The distinct places that briefings cited, in sessions whose transcript was read.
    pub(crate) places: usize,
    /// The places whose line the agent then read, or whose file it edited.
    pub(crate) used_places: usize,
    /// The files that the agent read after the first prompt, counted once for each read.
    pub(crate) reads: usize,
    /// The reads of files that no earlier briefing of the session cited.
    pub(crate) other_reads: usize,
}

/// The number of sessions by the state of their transcripts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct TranscriptCounts {
    pub(crate) read: usize,
    /// The client has deleted the transcript, or it is in another folder.
    pub(crate) missing: usize,
    /// Adjutant cannot read the transcripts of the client.
    pub(crate) unsupported: usize,
}

/// What the agent did in a session, according to its transcripts.
pub(crate) enum Transcript {
    Read(Vec<TouchedFile>),
    Missing,
    Unsupported,
}

/// Reads the transcripts of a session. Paths inside `root` are made relative to it.
pub(crate) fn read_transcript(
    environment: &Environment,
    client: &str,
    session: &str,
    root: &str,
) -> Transcript {
    let is_named = |it: &&'static dyn clients::Client| it.names().published.word() == client;
    let home = environment.text("HOME").map(std::path::Path::new);
    let (Some(client), Some(home)) = (CLIENTS.into_iter().find(is_named), home) else {
        return Transcript::Unsupported;
    };
    // The session is a part of a file name.
    if !session.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
        return Transcript::Missing;
    }
    let locations = client.user_locations(home, environment);
    match client.transcripts(&locations, session) {
        None => Transcript::Unsupported,
        Some(files) if files.is_empty() => Transcript::Missing,
        Some(files) => Transcript::Read(clients::touched_files(client, &files, Some(root))),
    }
}

impl Benefit {
    /// Counts the benefit of `runs`. `read` returns the transcript of a client's session in a repository.
    pub(crate) fn of(runs: &[LoggedRun], read: impl Fn(&str, &str, &str) -> Transcript) -> Self {
        let mut benefit = Self { prompts: runs.len(), ..Self::default() };
        let mut sessions: BTreeMap<(&str, &str), Vec<&LoggedRun>> = BTreeMap::new();
        for run in runs {
            benefit.briefings += usize::from(run.characters > 0);
            benefit.characters += run.characters;
            if let Some(session) = run.session_id.as_deref().filter(|it| !it.is_empty()) {
                sessions.entry((&run.client, session)).or_default().push(run);
            }
        }
        benefit.sessions = sessions.len();
        for ((client, session), runs) in sessions {
            // A session can move to another repository. The place of a finding is relative to the root of its run.
            let roots: BTreeSet<&str> = runs.iter().map(|run| run.repo_root.as_str()).collect();
            let mut state = Transcript::Unsupported;
            for root in roots {
                state = read(client, session, root);
                if let Transcript::Read(touched) = &state {
                    let in_root = runs.iter().filter(|run| run.repo_root == root);
                    benefit.add(&in_root.copied().collect::<Vec<_>>(), touched);
                }
            }
            let counts = &mut benefit.transcripts;
            *match state {
                Transcript::Read(_) => &mut counts.read,
                Transcript::Missing => &mut counts.missing,
                Transcript::Unsupported => &mut counts.unsupported,
            } += 1;
        }
        benefit
    }

    /// Adds the places and the reads of one session.
    fn add(&mut self, runs: &[&LoggedRun], touched: &[TouchedFile]) {
        // The first time at which each place was cited.
        let mut places: BTreeMap<(&str, Option<u64>), u64> = BTreeMap::new();
        let mut first = u64::MAX;
        for run in runs {
            let Some(at) = run.seconds() else { continue };
            first = first.min(at);
            for LoggedFinding { path, line, .. } in
                run.findings.iter().filter(|_| run.characters > 0)
            {
                let Some(path) = path else { continue };
                let cited = places.entry((path, *line)).or_insert(at);
                *cited = at.min(*cited);
            }
        }
        let is_used = |((path, line), at): &(&(&str, Option<u64>), &u64)| {
            touched
                .iter()
                .any(|file| file.at >= Some(**at) && file.path == *path && covers(file, *line))
        };
        self.places += places.len();
        self.used_places += places.iter().filter(is_used).count();
        let reads = touched.iter().filter(|file| {
            file.action == FileAction::Read && file.at >= Some(first) && !file.path.starts_with('/')
        });
        for read in reads {
            let is_cited = |((path, _), at): (&(&str, Option<u64>), &u64)| {
                read.path == *path && read.at >= Some(*at)
            };
            self.reads += 1;
            self.other_reads += usize::from(!places.iter().any(is_cited));
        }
    }
}

/// Returns whether an action read the line, or edited its file.
fn covers(file: &TouchedFile, line: Option<u64>) -> bool {
    match (file.action, file.lines, line) {
        (FileAction::Listed, _, _) => false,
        (FileAction::Read, Some((first, last)), Some(line)) => {
            (u64::from(first)..=u64::from(last)).contains(&line)
        }
        (FileAction::Read | FileAction::Edited | FileAction::Created, _, _) => true,
    }
}

#[cfg(test)]
mod tests;
