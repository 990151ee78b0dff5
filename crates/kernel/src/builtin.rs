//! Implements the built-in tools. Each tool asks the question of its row and returns findings.

mod findings;
mod question;
mod search;
mod shared_search;

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use contract::{Arguments, ErrorCode, counted};
use engine::{Asking, ReadPrompt, SearchOptions, SessionContext};
use index::View;
use policy::{TOOLS, Tool, ToolId};
use process::Environment;
use serde_json::json;
use toolcall::{BuiltinCall, Implementation, ToolFailure, ToolOutput, ToolProgram, Toolbox};

use crate::ask_question;
use crate::knowledge::{Asked, Glance, IndexLocation, IndexProblem, Knowledge, Refresh};
use crate::quotes::Quotes;
use crate::repo_context::RepoContext;

pub(crate) use search::LIVE_SEARCH;
use shared_search::OpenIndex;
pub(crate) use shared_search::SearchLimits;

/// The state that the tools share during one run. The first tool that needs the index opens it, or compares the index that
/// the gate has opened with the repository.
pub(crate) struct Shared {
    quotes: Quotes,
    location: IndexLocation,
    /// The text that the tools search for if their arguments contain no other query. Empty outside of briefings.
    prompt: Arc<ReadPrompt>,
    /// What the session did before the prompt.
    session: SessionContext,
    search_limits: SearchLimits,
    /// The index that the gate opened and did not compare with the repository, until a tool needs it.
    glance: Mutex<Option<Glance>>,
    /// The index, once for each [`Comparison`] that a tool needed.
    opened: [OnceLock<OpenIndex>; 3],
    /// Replaces the index if it turns out to be damaged while it is read.
    replacement: OnceLock<Knowledge>,
}

/// A call of a built-in tool.
struct Call<'a> {
    arguments: &'a Arguments,
    /// The text that the tool searches for.
    searched: &'a ReadPrompt,
    deadline: Instant,
}

/// How much of the repository is compared with the index when it is opened.
#[derive(Clone, Copy)]
enum Comparison {
    /// A bounded part, to find changed files.
    Newest,
    /// All folders, to find new files. Needed only if the prompt contains a name that is not in the index.
    NewFiles,
    /// All files. Needed only if no new file contains the name either.
    Whole,
}

impl Shared {
    /// `index` is the index that an earlier step of the same request opened or could not build, if there was one.
    pub(crate) fn new(
        location: IndexLocation,
        prompt: Arc<ReadPrompt>,
        session: SessionContext,
        search_limits: SearchLimits,
        index: Option<Glance>,
    ) -> io::Result<Arc<Self>> {
        let quotes = Quotes::of(&location.root)?;
        let (usable, glance) = match index {
            Some(Glance { knowledge, is_compared: true }) => (Some(knowledge), None),
            other => (None, other),
        };
        Ok(Arc::new(Self {
            quotes,
            location,
            prompt,
            session,
            search_limits,
            glance: Mutex::new(glance),
            opened: [
                usable.map(OpenIndex::new).map(OnceLock::from).unwrap_or_default(),
                OnceLock::new(),
                OnceLock::new(),
            ],
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
        query: impl Fn(&View) -> Result<ToolOutput, ToolFailure>,
        without_index: impl FnOnce() -> Result<ToolOutput, ToolFailure>,
    ) -> Result<ToolOutput, ToolFailure> {
        let ask = |knowledge: &Knowledge| {
            self.location.ask(knowledge, &self.replacement, call.deadline, &query)
        };
        let first = self.knowledge_for(call);
        let mut asked = ask(first);
        // If nothing was found, or a cited file has changed, the answer may be in a file that was not compared with
        // the index.
        match cited_files(first, asked.answer.as_ref()) {
            Some(cited) if cited.is_empty() => asked = ask(self.opened(Comparison::Whole, call)),
            Some(cited) => {
                if let Some(updated) = self.updated(first, &cited, call) {
                    asked = ask(&updated);
                }
            }
            None => {}
        }
        answer_of(asked, without_index)
    }

    /// Returns the index, which is opened if no earlier call has opened it.
    fn opened(&self, comparison: Comparison, call: &Call<'_>) -> &Knowledge {
        let (location, deadline) = (&self.location, call.deadline);
        let open = || match comparison {
            Comparison::Newest => {
                let look = location.look_at_newest(deadline, self.touched_files());
                let glance = self.glance.lock().unwrap_or_else(PoisonError::into_inner).take();
                location.open_after(glance, deadline, &look)
            }
            Comparison::NewFiles => location.open_with_new_files(deadline, self.touched_files()),
            Comparison::Whole => location.open_thoroughly(deadline),
        };
        let opened = &self.opened[comparison as usize];
        &opened.get_or_init(|| OpenIndex::new(open())).knowledge
    }

    /// Returns the index to query. If the prompt contains a name that is not in the index, the name may be new. In
    /// that case, all folders are compared with the index and, if no new file contains the name, all files are
    /// compared.
    fn knowledge_for(&self, call: &Call<'_>) -> &Knowledge {
        let names_unknown = |knowledge: &&Knowledge| {
            let incomplete = knowledge.view().filter(|view| !view.freshness().complete);
            incomplete.is_some_and(|view| engine::names_unknown(view, &call.searched.query))
        };
        // `find` takes the second comparison only if the first one does not know all names.
        let comparisons = [Comparison::Newest, Comparison::NewFiles];
        let mut opened = comparisons.into_iter().map(|comparison| self.opened(comparison, call));
        let known = opened.find(|knowledge| !names_unknown(knowledge));
        known.unwrap_or_else(|| self.opened(Comparison::Whole, call))
    }

    /// Returns the index with this view, or `None` if the view belongs to a single call.
    fn index_with(&self, view: &View) -> Option<&OpenIndex> {
        let mut opened = self.opened.iter().filter_map(OnceLock::get);
        opened.find(|opened| opened.knowledge.view().is_some_and(|known| std::ptr::eq(known, view)))
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

    /// Returns whether the calls belong to a briefing.
    fn is_briefing(&self) -> bool {
        !self.prompt.text.is_empty()
    }

    /// Answers the question of a tool. In a briefing, `ci_graph_rag` quotes only the code that is likely to be needed.
    fn answer(&self, tool: &Tool, view: &View, call: &Call<'_>) -> Result<ToolOutput, ToolFailure> {
        let limit = tool.searches.limit(call.arguments.number("limit")).unwrap_or(0);
        let answer = self.quotes.with_source(|source| {
            let asking = Asking {
                view,
                source,
                prompt: call.searched,
                arguments: call.arguments,
                search: &|| self.hits(view, call, limit),
                today: self.location.today(),
                deadline: call.deadline,
            };
            if tool.id == ToolId::GraphRag && self.is_briefing() {
                return engine::ask_working_set(&asking);
            }
            ask_question::ask(tool.id, &asking)
        });
        let answer = answer.map_err(|unknown| ToolFailure {
            code: ErrorCode::InvalidArgs,
            message: format!("no definition or file is named `{}`", unknown.0),
        })?;
        // Nothing is likely enough to be quoted. An empty list would be searched for again in all files.
        if answer.items.is_empty() && self.is_briefing() && tool.id == ToolId::GraphRag {
            return Ok(ToolOutput::default());
        }
        Ok(findings::tool_answer(tool, &answer))
    }

    /// Returns the files that match the query, best first.
    fn hits(&self, view: &View, call: &Call<'_>, limit: usize) -> Vec<engine::FileHit> {
        let mode = ask_question::search_mode(call.arguments);
        let (session, deadline) = (Some(&self.session), call.deadline);
        let options = SearchOptions { limit, mode, session, deadline };
        match self.index_with(view).filter(|_| mode == engine::SearchMode::Hybrid) {
            Some(index) => index.hits(view, call.searched, &options, &self.search_limits),
            None => engine::search(view, &call.searched.query, &options),
        }
    }

    /// Returns how the index should be refreshed in the background after the calls, or `None` if it need not be
    /// refreshed.
    pub(crate) fn refresh(&self) -> Option<Refresh> {
        let opened = self.opened.iter().rev().find_map(OnceLock::get);
        let opened = opened.map(|opened| &opened.knowledge);
        self.replacement.get().or(opened).and_then(Knowledge::refresh)
    }

    pub(crate) fn location(&self) -> &IndexLocation {
        &self.location
    }
}

/// Returns the paths that the answer cites. Returns `None` if there is no answer with findings, if there is no index,
/// or if the index has already been compared with the whole repository.
fn cited_files(
    knowledge: &Knowledge,
    answer: Option<&Result<ToolOutput, ToolFailure>>,
) -> Option<Vec<String>> {
    knowledge.view().filter(|view| !view.freshness().complete)?;
    let Some(Ok(answer)) = answer else { return None };
    let findings = answer.data.as_ref()?.findings()?;
    Some(findings.iter().filter_map(|finding| finding.path.clone()).collect())
}

/// Returns the answer, or the result of `without_index` if there is no index. Adds a `[Limits]` message if the index on
/// disk could not be used.
fn answer_of(
    asked: Asked<Result<ToolOutput, ToolFailure>>,
    without_index: impl FnOnce() -> Result<ToolOutput, ToolFailure>,
) -> Result<ToolOutput, ToolFailure> {
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
        toolbox.put(tool.name, Implementation::builtin(move |call| run(tool, &shared, call)));
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

fn run(tool: &Tool, shared: &Shared, call: &BuiltinCall) -> Result<ToolOutput, ToolFailure> {
    let searched = &*shared.searched(call);
    let call = &Call { arguments: &call.arguments, searched, deadline: call.deadline };
    let answer = |view: &View| shared.answer(tool, view, call);
    if tool.id == ToolId::IndexStatus {
        let (location, opened) = (&shared.location, shared.opened(Comparison::Newest, call));
        let status = |view: &View| Ok(index_status(location, view));
        let asked = location.ask(opened, &shared.replacement, call.deadline, status);
        return answer_of(asked, || Ok(no_index()));
    }
    if tool.id == ToolId::Search {
        let with_index =
            |view: &View| answer(view).map(|answer| search::with_freshness(answer, view));
        return shared.ask(call, with_index, || search::search_files(shared, call));
    }
    // `ci_graph_rag` answers a direct question instead, if the prompt contains one.
    let direct = |view: Option<&View>| {
        (tool.id == ToolId::GraphRag).then(|| question::answer(shared, view, call)).flatten()
    };
    let with_index = |view: &View| direct(Some(view)).map_or_else(|| answer(view), Ok);
    shared.ask(call, with_index, || direct(None).ok_or_else(no_index_yet))
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

fn no_index_yet() -> ToolFailure {
    ToolFailure { code: ErrorCode::ToolUnavailable, message: "no index yet".to_owned() }
}

fn no_index() -> ToolOutput {
    let data = json!({ "items": [], "state": "absent" });
    ToolOutput {
        summary: "no index yet".to_owned(),
        data: Some(data.into()),
        ..ToolOutput::default()
    }
}

fn index_status(location: &IndexLocation, view: &View) -> ToolOutput {
    let (meta, freshness) = (view.meta(), view.freshness());
    let n_changed = freshness.changed.len() + freshness.added.len() + freshness.deleted.len();
    let data = json!({
        "items": [],
        "state": match (n_changed, freshness.complete) {
            (0, true) => "current",
            (0, false) => "compared in part",
            (_, _) => "corrected",
        },
        "files": meta.files,
        "symbols": meta.symbols,
        "edges": meta.edges,
        "age_seconds": location.age(view).as_secs(),
        "changed_since": n_changed,
        "left_out": freshness.left_out,
    });
    let summary = format!(
        "{}, {}, {}, {n_changed} changed since",
        counted(meta.files as usize, "file"),
        counted(meta.symbols as usize, "symbol"),
        counted(meta.edges as usize, "edge")
    );
    ToolOutput { summary, data: Some(data.into()), ..ToolOutput::default() }
}
