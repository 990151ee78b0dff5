//! The engine's questions as tools of the tool channel, one file per tool.

mod bug_locate;
mod call_chain;
mod complexity;
mod graph_rag;
mod hotspot;
mod impact;
mod index_status;
mod item;
mod search;
mod subject;

use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use contract::{ErrorCode, Limit};
use engine::{Source, ToQuote};
use guard::{Opened, PathRefusal, Quotable, Root};
use index::View;
use policy::RepositoryConfig;
use process::Environment;
use toolcall::{Answer, BuiltinCall, Failure, Implementation, ToolProgram, Toolbox};

use crate::knowledge::{IndexLocation, Knowledge};
use crate::repo_context::RepoContext;

pub use graph_rag::words as relation_words;

/// What the tools of one run share: the index is opened once, by whoever needs it first.
pub(crate) struct Shared {
    root: Root,
    place: IndexLocation,
    knowledge: OnceLock<Knowledge>,
    /// What answers instead of an index that turned out to be damaged while it was read.
    replacement: OnceLock<Knowledge>,
}

impl Shared {
    pub(crate) fn new(place: IndexLocation) -> io::Result<Arc<Self>> {
        let root = Root::open(&place.root).map_err(io::Error::other)?;
        Ok(Arc::new(Self { root, place, knowledge: OnceLock::new(), replacement: OnceLock::new() }))
    }

    /// Asks the index; `without_index` answers if there is none. Says if a damaged index was put aside for it.
    fn ask(
        &self,
        call: &BuiltinCall,
        question: impl Fn(&View) -> Result<Answer, Failure>,
        without_index: impl FnOnce() -> Result<Answer, Failure>,
    ) -> Result<Answer, Failure> {
        let first = self.knowledge.get_or_init(|| self.place.open(call.deadline));
        let asked = self.place.ask(first, &self.replacement, call.deadline, question);
        let mut answer = asked.answer.unwrap_or_else(without_index);
        if asked.found_damage {
            match &mut answer {
                Ok(answer) => answer.limits.insert(0, Limit::IndexDamaged),
                Err(failure) => {
                    failure.message = format!("{}: {}", failure.message, Limit::IndexDamaged);
                }
            }
        }
        answer
    }

    /// Whether the calls would have wanted a better index than there was.
    pub(crate) fn wants_build(&self) -> bool {
        let last = self.replacement.get().or_else(|| self.knowledge.get());
        last.is_some_and(Knowledge::wants_build)
    }

    pub(crate) fn place(&self) -> &IndexLocation {
        &self.place
    }

    fn with_source<T>(&self, ask: impl FnOnce(&Source<'_>) -> T) -> T {
        ask(&Source {
            root: self.root.path(),
            admits: &|path| !guard::is_sensitive(path),
            open: &|path| self.root.open_file(path).map_err(io::Error::other),
            to_quote: &|path| self.to_quote(path),
        })
    }

    /// By name, by what a link leads to and by content: a key under an innocent name is not quoted either.
    fn to_quote(&self, path: &Path) -> ToQuote {
        match self.root.inspect(path) {
            Ok(Opened { verdict: Quotable::Yes, file, .. }) => ToQuote::Text(file),
            Ok(Opened { verdict: Quotable::Binary | Quotable::TooLarge, .. })
            | Err(PathRefusal::Unreadable { .. }) => ToQuote::Path,
            Ok(Opened { verdict: Quotable::Sensitive, .. }) | Err(PathRefusal::Escapes { .. }) => {
                ToQuote::Nothing
            }
        }
    }

    fn now_seconds(&self) -> i64 {
        let since =
            self.place.now.duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    }
}

type Question = fn(&Shared, &View, &BuiltinCall) -> Result<Answer, Failure>;

/// Every tool there is, some of them replaced by another program, and those a trusted configuration adds.
pub(crate) fn toolbox(
    shared: &Arc<Shared>,
    environment: &Environment,
    context: &RepoContext,
) -> Toolbox {
    let mut toolbox = Toolbox::default();
    let status = Arc::clone(shared);
    toolbox.put(
        "ci_index_status",
        Implementation::builtin(move |call| index_status::answer(&status, call)),
    );
    let search = Arc::clone(shared);
    toolbox.put("ci_search", Implementation::builtin(move |call| search::answer(&search, call)));
    let questions: [(&str, Question); 6] = [
        ("ci_graph_rag", graph_rag::answer),
        ("ci_call_chain", call_chain::answer),
        ("ci_bug_locate", bug_locate::answer),
        ("ci_impact", impact::answer),
        ("ci_complexity", complexity::answer),
        ("ci_hotspot", hotspot::answer),
    ];
    for (tool, question) in questions {
        let shared = Arc::clone(shared);
        toolbox.put(tool, Implementation::builtin(move |call| from_index(&shared, call, question)));
    }
    for tool in &context.settings.own_tools {
        toolbox.put(&tool.name, program(&tool.command, &context.config));
    }
    for (tool, command) in &context.settings.runners {
        toolbox.put(tool, program(command, &context.config));
    }
    for tool in &policy::TOOLS {
        if let Some(executable) = environment.text(&policy::runner_variable(tool.name)) {
            toolbox.put(tool.name, Implementation::command(Path::new(executable)));
        }
    }
    toolbox
}

/// A program of the configuration, started where the configuration is.
fn program(command: &[String], config: &Arc<RepositoryConfig>) -> Implementation {
    let (name, arguments) =
        command.split_first().map_or(("", command), |(name, rest)| (name, rest));
    let directory = config.repository().map(Path::to_owned);
    // A bare name is looked up in the user's PATH, a path is one of the repository.
    let executable = match &directory {
        Some(directory) if name.contains('/') => directory.join(name),
        Some(_) | None => name.into(),
    };
    let config = Arc::clone(config);
    Implementation::program(ToolProgram {
        executable,
        arguments: arguments.to_vec(),
        directory,
        is_still_trusted: Arc::new(move || config.is_still_trusted()),
    })
}

/// These questions need the graph; while there is no index they have nothing to say.
fn from_index(shared: &Shared, call: &BuiltinCall, question: Question) -> Result<Answer, Failure> {
    shared.ask(
        call,
        |view| question(shared, view, call),
        || Err(Failure { code: ErrorCode::ToolUnavailable, message: "no index yet".to_owned() }),
    )
}

fn number(call: &BuiltinCall, key: &str, default: u64) -> usize {
    let number = call.arguments.get(key).and_then(serde_json::Value::as_u64).unwrap_or(default);
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn query(call: &BuiltinCall) -> &str {
    call.arguments.get("query").and_then(serde_json::Value::as_str).unwrap_or(&call.prompt)
}

fn out_of_time() -> Failure {
    Failure { code: ErrorCode::Timeout, message: "nothing found in time".to_owned() }
}

/// An answer that says what it left out.
fn answer(tool: &str, summary: String, items: Vec<serde_json::Value>, complete: bool) -> Answer {
    let limits = if complete {
        Vec::new()
    } else {
        vec![Limit::Said(format!(
            "{tool}: there is more than it may list or had the time to look at"
        ))]
    };
    Answer { summary, data: Some(item::list(items)), truncated: !complete, limits }
}
