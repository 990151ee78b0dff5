//! Combines the lines of a transcript, oldest first, into the activity of a session.

use std::collections::{HashMap, HashSet, VecDeque};

use contract::{FileAction, SessionActivity, TouchedFile};

use super::line::{Call, CallOutput, CallResult, Entry, Line};
use super::text::{self, relative_path};
use super::tool::{self, Effects};

/// The maximum number of files that are recorded for one call.
const MAX_TOUCHES_OF_CALL: usize = 40;

pub(super) struct Builder<'a> {
    /// Paths inside this directory become relative to it.
    root: Option<&'a str>,
    /// The working directory of the session, from the last line that names one.
    directory: Option<String>,
    activity: SessionActivity,
    /// Whether a line described a part of an earlier turn.
    has_turn: bool,
    /// All touched files, oldest first, with the id of the call that touched them. Until `finish`, `prompts_ago` contains the
    /// number of prompts before the call.
    touched: VecDeque<(String, TouchedFile)>,
    /// The paths of all touched files.
    known: HashSet<String>,
    /// The maximum number of touched files that are kept. The oldest are dropped.
    max_touched: usize,
    /// Whether each call ran a program, by call id.
    runs_program: HashMap<String, bool>,
    failure: Option<Failure>,
}

struct Failure {
    n_prompts: u32,
    text: String,
    /// Whether a later command succeeded.
    is_over: bool,
}

impl<'a> Builder<'a> {
    pub(super) fn new(root: Option<&'a str>, directory: Option<&str>, max_touched: usize) -> Self {
        Self {
            root,
            max_touched,
            directory: directory.map(str::to_owned),
            activity: SessionActivity::default(),
            has_turn: false,
            touched: VecDeque::new(),
            known: HashSet::new(),
            runs_program: HashMap::new(),
            failure: None,
        }
    }

    pub(super) fn add(&mut self, line: Line) {
        let Line { at, directory, is_of_sub_agent, entries, .. } = line;
        self.directory = directory.or_else(|| self.directory.take());
        for entry in entries {
            match entry {
                Entry::Call(call) => self.add_call(&call, at, is_of_sub_agent),
                Entry::Attached(path) => self.touch("", &path, FileAction::Read, None, at, None),
                Entry::Outcome(outcome) => self.add_outcome(&outcome),
                Entry::Prompt { .. } | Entry::Answer | Entry::Compaction if is_of_sub_agent => {}
                Entry::Prompt { text, .. } => self.add_prompt(&text),
                Entry::Answer => self.has_turn = true,
                Entry::Compaction => {
                    self.activity.compacted_at = at.or(self.activity.compacted_at);
                }
            }
        }
    }

    fn add_prompt(&mut self, prompt: &str) {
        let activity = &mut self.activity;
        activity.n_prompts = activity.n_prompts.saturating_add(1);
        let prompt = text::start(prompt.trim(), SessionActivity::MAX_PROMPT_CHARS);
        if prompt.is_empty() {
            return;
        }
        if activity.prompts.len() == SessionActivity::MAX_PROMPTS {
            activity.prompts.remove(0);
        }
        activity.prompts.push(prompt.to_owned());
    }

    fn add_call(&mut self, call: &Call, at: Option<u64>, is_of_sub_agent: bool) {
        let Effects { runs_program, touched, .. } = tool::effects(call);
        self.has_turn |= !is_of_sub_agent;
        self.runs_program.insert(call.id.clone(), runs_program);
        for touch in touched.into_iter().take(MAX_TOUCHES_OF_CALL) {
            let directory = tool::directory(call);
            self.touch(&call.id, &touch.path, touch.action, touch.lines, at, directory);
        }
    }

    fn touch(
        &mut self,
        call: &str,
        path: &str,
        action: FileAction,
        lines: Option<(u32, u32)>,
        at: Option<u64>,
        directory: Option<&str>,
    ) {
        let directory = directory.or(self.directory.as_deref());
        let Some(path) = relative_path(path, directory, self.root) else { return };
        let is_new = self.known.insert(path.clone());
        let is_rewritten = action == FileAction::Created && !is_new;
        let action = if is_rewritten { FileAction::Edited } else { action };
        let prompts_ago = self.activity.n_prompts;
        let file = TouchedFile { path, action, prompts_ago, at, lines };
        if self.touched.len() == self.max_touched {
            self.touched.pop_front();
        }
        self.touched.push_back((call.to_owned(), file));
    }

    fn add_outcome(&mut self, outcome: &CallOutput) {
        // The call itself may precede the part of the transcript that was read.
        let runs_program = self.runs_program.get(&outcome.call_id).copied();
        match outcome.result {
            CallResult::Succeeded if runs_program == Some(true) => {
                if let Some(failure) = &mut self.failure {
                    failure.is_over = true;
                }
            }
            CallResult::Failed if runs_program != Some(false) => {
                let text = text::end(outcome.text.trim(), SessionActivity::MAX_FAILURE_CHARS);
                let n_prompts = self.activity.n_prompts;
                if !text.is_empty() {
                    let text = text.to_owned();
                    self.failure = Some(Failure { n_prompts, text, is_over: false });
                }
            }
            // A failed call did not touch its files.
            CallResult::Failed | CallResult::NotRun => {
                self.touched.retain(|(call, _)| *call != outcome.call_id);
            }
            CallResult::Succeeded | CallResult::Unknown => {}
        }
    }

    /// Returns every touch of a file, oldest first. `prompts_ago` is not set.
    pub(super) fn touched(self) -> impl Iterator<Item = TouchedFile> {
        self.touched.into_iter().map(|(_, file)| TouchedFile { prompts_ago: 0, ..file })
    }

    /// Returns the activity, or `None` if no line described an earlier turn.
    pub(super) fn finish(self) -> Option<SessionActivity> {
        let mut activity = self.activity;
        let n_prompts = activity.n_prompts;
        let mut known = HashSet::new();
        for (_, mut file) in self.touched.into_iter().rev() {
            if activity.files.len() == SessionActivity::MAX_FILES {
                break;
            }
            if known.insert((file.path.clone(), file.action)) {
                file.prompts_ago = n_prompts.saturating_sub(file.prompts_ago);
                activity.files.push(file);
            }
        }
        activity.files.reverse();
        let is_kept = |failure: &Failure| !failure.is_over || failure.n_prompts == n_prompts;
        activity.failure = self.failure.filter(is_kept).map(|failure| failure.text);
        (self.has_turn || activity != SessionActivity::default()).then_some(activity)
    }
}
