//! Implements the built-in tools. Each tool runs an engine query and returns findings.

mod failure;
mod graph;
mod metrics;
mod question;
mod search;
mod shared_search;

use std::collections::HashMap;
use std::io;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Instant, SystemTime};

use contract::{Arguments, ErrorCode, Finding, Limit, counted};
use engine::{Location, ReadPrompt, SessionContext, Snippet, Source, ToQuote};
use guard::{Opened, PathRefusal, Quotable, Root};
use index::View;
use policy::{TOOLS, ToolId};
use process::Environment;
use serde_json::json;
use toolcall::{Answer, BuiltinCall, Failure, Implementation, ToolProgram, Toolbox};

use crate::knowledge::{Asked, IndexLocation, IndexProblem, Knowledge, Refresh};
use crate::repo_context::RepoContext;

pub use graph::relation_words;
pub(crate) use shared_search::SearchLimits;
use shared_search::SharedSearch;

/// The state that the tools share during one run. If the gate has not opened the index for them, it is opened by the first
/// tool that needs it.
pub(crate) struct Shared {
    root: Root,
    location: IndexLocation,
    /// The text that the tools search for if their arguments contain no other query. Empty outside of briefings.
    prompt: Arc<ReadPrompt>,
    /// What the session did before the prompt.
    session: SessionContext,
    search_limits: SearchLimits,
    knowledge: OnceLock<OpenIndex>,
    /// The index including all new files in the repository. It is opened only if the prompt contains a name that is not
    /// in `knowledge`.
    with_new_files: OnceLock<OpenIndex>,
    /// The index after the whole repository was compared with it. It is opened only if the prompt contains a name that
    /// is not in `with_new_files` either.
    compared: OnceLock<OpenIndex>,
    /// What may be quoted from the files that were asked for.
    quoted: Mutex<HashMap<PathBuf, ToQuote>>,
    /// Replaces `knowledge` if its index turns out to be damaged while it is read.
    replacement: OnceLock<Knowledge>,
}

/// A call of a built-in tool.
struct Call<'a> {
    arguments: &'a Arguments,
    /// The text that the tool searches for.
    searched: &'a ReadPrompt,
    deadline: Instant,
}

/// An index, and the search results that the tools share.
struct OpenIndex {
    knowledge: Knowledge,
    search: SharedSearch,
}

impl OpenIndex {
    fn new(knowledge: Knowledge) -> Self {
        Self { knowledge, search: SharedSearch::default() }
    }
}

impl Shared {
    /// `index` is the index that an earlier step of the same request opened or could not build, if there was one.
    pub(crate) fn new(
        location: IndexLocation,
        prompt: Arc<ReadPrompt>,
        session: SessionContext,
        search_limits: SearchLimits,
        index: Option<Knowledge>,
    ) -> io::Result<Arc<Self>> {
        let root = Root::open(&location.root).map_err(io::Error::other)?;
        Ok(Arc::new(Self {
            root,
            location,
            prompt,
            session,
            search_limits,
            knowledge: index.map(OpenIndex::new).map(OnceLock::from).unwrap_or_default(),
            with_new_files: OnceLock::new(),
            compared: OnceLock::new(),
            quoted: Mutex::default(),
            replacement: OnceLock::new(),
        }))
    }

    /// Returns the text that a call searches for. Only a text other than the prompt is read here.
    fn searched(&self, call: &BuiltinCall) -> Arc<ReadPrompt> {
        let text = call.arguments.text("query").unwrap_or(&call.prompt);
        if text == self.prompt.text {
            return Arc::clone(&self.prompt);
        }
        Arc::new(ReadPrompt::new(text.to_owned()))
    }

    /// Runs `query` on the index, or `without_index` if there is no index. Adds a `[Limits]` message if the index on disk
    /// could not be used.
    fn ask(
        &self,
        call: &Call<'_>,
        query: impl Fn(&View) -> Result<Answer, Failure>,
        without_index: impl FnOnce() -> Result<Answer, Failure>,
    ) -> Result<Answer, Failure> {
        let ask = |knowledge: &Knowledge| {
            self.location.ask(knowledge, &self.replacement, call.deadline, &query)
        };
        let first = self.knowledge_for(call);
        let mut asked = ask(first);
        // If nothing was found, or a cited file has changed, the answer may be in a file that was not compared with
        // the index.
        match cited_files(first, asked.answer.as_ref()) {
            Some(cited) if cited.is_empty() => asked = ask(self.compared(call)),
            Some(cited) => {
                if let Some(updated) = self.updated(first, &cited, call) {
                    asked = ask(&updated);
                }
            }
            None => {}
        }
        answer_of(asked, without_index)
    }

    /// Returns the index. When it is opened, a bounded part of the repository is compared with it to find changed
    /// files.
    fn opened(&self, call: &Call<'_>) -> &Knowledge {
        let opened = self.knowledge.get_or_init(|| {
            let look = self.location.look_at_newest(call.deadline, self.touched_files());
            OpenIndex::new(self.location.open_with(call.deadline, &look))
        });
        &opened.knowledge
    }

    /// Returns the index to query. If the prompt contains a name that is not in the index, the name may be new. In
    /// that case, all folders are compared with the index and, if no new file contains the name, all files are
    /// compared.
    fn knowledge_for(&self, call: &Call<'_>) -> &Knowledge {
        let opened = self.opened(call);
        let names_unknown = |knowledge: &Knowledge| {
            let incomplete = knowledge.view().filter(|view| !view.freshness().complete);
            incomplete.is_some_and(|view| engine::names_unknown(view, &call.searched.query))
        };
        if !names_unknown(opened) {
            return opened;
        }
        let with_new_files = self.with_new_files.get_or_init(|| {
            let location = &self.location;
            OpenIndex::new(location.open_with_new_files(call.deadline, self.touched_files()))
        });
        if names_unknown(&with_new_files.knowledge) {
            self.compared(call)
        } else {
            &with_new_files.knowledge
        }
    }

    /// Returns the index. When it is opened, the whole repository is compared with it to find changed files.
    fn compared(&self, call: &Call<'_>) -> &Knowledge {
        let compared = self
            .compared
            .get_or_init(|| OpenIndex::new(self.location.open_thoroughly(call.deadline)));
        &compared.knowledge
    }

    /// Returns the search that all calls on this view share, or `None` if the view belongs to a single call.
    fn search_on(&self, view: &View) -> Option<&SharedSearch> {
        let opened = [&self.knowledge, &self.with_new_files, &self.compared]
            .into_iter()
            .filter_map(OnceLock::get);
        let mut same = opened.filter(|opened| {
            opened.knowledge.view().is_some_and(|known| std::ptr::eq(known, view))
        });
        same.next().map(|opened| &opened.search)
    }

    /// Returns the index, updated with the new content of the cited files that changed. Returns `None` if none of them
    /// changed.
    fn updated(
        &self,
        knowledge: &Knowledge,
        cited: &[String],
        call: &Call<'_>,
    ) -> Option<Knowledge> {
        let mut look = self.location.look_at_newest(call.deadline, Vec::new());
        look.also = knowledge.view()?.outdated(cited, &look);
        if look.also.is_empty() {
            return None;
        }
        look.also.extend(self.touched_files());
        Some(self.location.open_with(call.deadline, &look))
    }

    /// Returns the files that the session read or edited. They are always compared with the index.
    fn touched_files(&self) -> Vec<String> {
        self.session.files.iter().map(|file| file.path.clone()).collect()
    }

    /// Runs `query` on the index. Fails if there is no index.
    fn ask_index(
        &self,
        call: &Call<'_>,
        query: impl Fn(&View) -> Answer,
    ) -> Result<Answer, Failure> {
        self.ask(call, |view| Ok(query(view)), || Err(no_index_yet()))
    }

    /// Returns how the index should be refreshed in the background after the calls, or `None` if it need not be
    /// refreshed.
    pub(crate) fn refresh(&self) -> Option<Refresh> {
        let opened = [&self.compared, &self.with_new_files, &self.knowledge];
        let opened = opened.into_iter().find_map(OnceLock::get);
        let opened = opened.map(|opened| &opened.knowledge);
        self.replacement.get().or(opened).and_then(Knowledge::refresh)
    }

    pub(crate) fn location(&self) -> &IndexLocation {
        &self.location
    }

    fn with_source<T>(&self, ask: impl FnOnce(&Source<'_>) -> T) -> T {
        ask(&Source {
            root: self.root.path(),
            admits: &|path| !guard::is_sensitive(path),
            open: &|path| self.root.open_file(path).map_err(io::Error::other),
            to_quote: &|path| self.to_quote(path),
        })
    }

    /// Decides what may be quoted from a file and reads it. Each file is read only once.
    fn to_quote(&self, path: &Path) -> ToQuote {
        let known = self.quoted.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        known.unwrap_or_else(|| {
            let read = self.read_to_quote(path);
            let mut quoted = self.quoted.lock().unwrap_or_else(PoisonError::into_inner);
            quoted.entry(path.to_owned()).or_insert(read).clone()
        })
    }

    /// Decides what may be quoted from a file. The decision depends on the file's name, its content and, for a
    /// symbolic link, its target. Secrets are removed from the whole text, because many of them can be recognised only
    /// together with the lines around them.
    fn read_to_quote(&self, path: &Path) -> ToQuote {
        match guard::inspect(&self.root, path) {
            Ok(Opened { verdict: Quotable::Yes, file, .. }) => {
                let mut bytes = Vec::new();
                // The file may have grown after its size was checked.
                match file.take(guard::MAX_QUOTED_BYTES).read_to_end(&mut bytes) {
                    Ok(_) => {
                        ToQuote::Text(guard::redact_file(&String::from_utf8_lossy(&bytes)).into())
                    }
                    Err(_) => ToQuote::Path,
                }
            }
            Ok(Opened { verdict: Quotable::Binary | Quotable::TooLarge, .. })
            | Err(PathRefusal::Unreadable { .. }) => ToQuote::Path,
            Ok(Opened { verdict: Quotable::Sensitive, .. }) | Err(PathRefusal::Escapes { .. }) => {
                ToQuote::Nothing
            }
        }
    }
}

/// Returns the paths that the answer cites. Returns `None` if there is no answer with findings, if there is no index,
/// or if the index has already been compared with the whole repository.
fn cited_files(
    knowledge: &Knowledge,
    answer: Option<&Result<Answer, Failure>>,
) -> Option<Vec<String>> {
    knowledge.view().filter(|view| !view.freshness().complete)?;
    let Some(Ok(answer)) = answer else { return None };
    let findings = answer.data.as_ref()?.findings()?;
    Some(findings.iter().filter_map(|finding| finding.path.clone()).collect())
}

/// Returns the answer, or the result of `without_index` if there is no index. Adds a `[Limits]` message if the index on
/// disk could not be used.
fn answer_of(
    asked: Asked<Result<Answer, Failure>>,
    without_index: impl FnOnce() -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    let mut answer = asked.answer.unwrap_or_else(without_index);
    if let Some(limit) = asked.problem.as_ref().map(IndexProblem::limit) {
        match &mut answer {
            Ok(answer) => answer.limits.insert(0, limit),
            Err(failure) => failure.message = format!("{}: {limit}", failure.message),
        }
    }
    answer
}

/// Returns all tools of a repository: the built-in tools and the tools that a trusted configuration adds. A program
/// that the user configures can replace a built-in tool.
pub(crate) fn toolbox(
    shared: &Arc<Shared>,
    environment: &Environment,
    context: &RepoContext,
) -> Toolbox {
    let mut toolbox = Toolbox::default();
    for tool in &TOOLS {
        let shared = Arc::clone(shared);
        toolbox.put(tool.name, Implementation::builtin(move |call| run(tool.id, &shared, call)));
    }
    for tool in &context.settings.own_tools {
        toolbox.put(&tool.name, program(&tool.command, context));
    }
    for (tool, command) in &context.settings.runners {
        toolbox.put(tool, program(command, context));
    }
    for tool in &TOOLS {
        if let Some(executable) = environment.text(&policy::runner_variable(tool.name)) {
            toolbox.put(tool.name, Implementation::command(executable));
        }
    }
    toolbox
}

fn run(tool: ToolId, shared: &Shared, call: &BuiltinCall) -> Result<Answer, Failure> {
    let searched = &*shared.searched(call);
    let call = &Call { arguments: &call.arguments, searched, deadline: call.deadline };
    match tool {
        ToolId::IndexStatus => {
            let (location, opened) = (&shared.location, shared.opened(call));
            let status = |view: &View| Ok(index_status(location, view));
            let asked = location.ask(opened, &shared.replacement, call.deadline, status);
            answer_of(asked, || Ok(no_index()))
        }
        ToolId::Search => search::answer(shared, call),
        ToolId::GraphRag => graph::answer(shared, call),
        ToolId::CallChain => shared.ask_index(call, |view| graph::call_chain(shared, view, call)),
        ToolId::BugLocate => shared.ask_index(call, |view| failure::locate(shared, view, call)),
        ToolId::Impact => shared.ask_index(call, |view| graph::impact(shared, view, call)),
        ToolId::Complexity => {
            shared.ask_index(call, |view| metrics::complexity(shared, view, call))
        }
        ToolId::Hotspot => shared.ask_index(call, |view| metrics::hotspots(view, call)),
    }
}

/// Creates a tool that runs a program named in a configuration. The program is started in the repository's folder.
fn program(command: &[String], context: &RepoContext) -> Implementation {
    let (command, config) = (command.to_vec(), Arc::clone(&context.config));
    let copies = context.copies.clone();
    Implementation::program(ToolProgram {
        directory: config.repository().map(Path::to_owned),
        verify: Arc::new(move || config.verify(&command, copies.as_deref())),
    })
}

fn no_index_yet() -> Failure {
    Failure { code: ErrorCode::ToolUnavailable, message: "no index yet".to_owned() }
}

fn no_index() -> Answer {
    let data = json!({ "items": [], "state": "absent" });
    Answer { summary: "no index yet".to_owned(), data: Some(data.into()), ..Answer::default() }
}

fn index_status(location: &IndexLocation, view: &View) -> Answer {
    let now = location.now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let report = engine::index_report(view, i64::try_from(now.as_secs()).unwrap_or(i64::MAX));
    let n_changed = report.changed.len() + report.added.len() + report.deleted.len();
    let data = json!({
        "items": [],
        "state": match (n_changed, report.checked) {
            (0, true) => "current",
            (0, false) => "compared in part",
            (_, _) => "corrected",
        },
        "files": report.files,
        "symbols": report.symbols,
        "edges": report.edges,
        "age_seconds": report.age,
        "changed_since": n_changed,
        "left_out": report.stale,
    });
    let summary = format!(
        "{}, {}, {}, {n_changed} changed since",
        counted(report.files as usize, "file"),
        counted(report.symbols as usize, "symbol"),
        counted(report.edges as usize, "edge")
    );
    Answer { summary, data: Some(data.into()), ..Answer::default() }
}

fn number(call: &Call<'_>, key: &str, default: u64) -> usize {
    usize::try_from(call.arguments.number(key).unwrap_or(default)).unwrap_or(usize::MAX)
}

/// Creates an answer. If the answer is not complete, marks it as truncated and adds a `[Limits]` message.
fn answer(tool: ToolId, summary: String, findings: Vec<Finding>, is_complete: bool) -> Answer {
    let mut answer = Answer::of_findings(summary, findings);
    if !is_complete {
        answer.truncated = true;
        answer.limits.push(Limit::Said(format!(
            "{}: incomplete, because the maximum number of results or the timeout was reached",
            tool.name()
        )));
    }
    answer
}

/// Creates a finding at `line`, or at the first line of the location if `line` is 0.
fn finding_at(
    location: &Location,
    line: u32,
    summary: &str,
    confidence: f32,
    source: &str,
) -> Finding {
    let line = if line > 0 { line } else { *location.lines.start() };
    Finding {
        path: Some(location.path.clone()),
        line: Some(line.into()),
        title: Some(location.symbol.clone().unwrap_or_else(|| "file".to_owned())),
        summary: Some(summary.to_owned()),
        confidence: Some(rounded(confidence)),
        source: Some(source.to_owned()),
        symbol: location.symbol.clone(),
        ..Finding::default()
    }
}

/// Formats the lines of a snippet, each with its line number.
fn snippet_text(snippet: &Snippet) -> String {
    let lines = snippet.lines.iter();
    lines.map(|(number, line)| format!("{number}| {line}")).collect::<Vec<_>>().join("\n")
}

/// Clamps a confidence to the range from 0 to 1 and rounds it to two decimal places.
fn rounded(confidence: f32) -> f64 {
    (f64::from(confidence).clamp(0.0, 1.0) * 100.0).round() / 100.0
}
