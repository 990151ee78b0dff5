//! Asks a question of the table. The tools and the commands of the command line ask it in the same way.

use std::io;
use std::time::{Instant, SystemTime};

use contract::Arguments;
use engine::{Answer, Asking, ReadPrompt, SearchMode, SearchOptions, Source, UnknownName};
use index::View;
use policy::ToolId;

use crate::knowledge::IndexLocation;
use crate::quotes::Quotes;

const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// Answers a question. `ci_index_status` is not a question about places, so its answer is empty.
pub(crate) fn ask(tool: ToolId, asking: &Asking<'_>) -> Result<Answer, UnknownName> {
    match tool {
        ToolId::IndexStatus => Ok(Answer::default()),
        ToolId::Search => engine::ask_search(asking),
        ToolId::GraphRag => engine::ask_explore(asking),
        ToolId::CallChain => engine::ask_calls(asking),
        ToolId::BugLocate => engine::ask_failure(asking),
        ToolId::Impact => engine::ask_impact(asking),
        ToolId::Complexity => engine::ask_complexity(asking),
        ToolId::Hotspot => engine::ask_hotspots(asking),
    }
}

/// Returns how a search finds files, according to the argument `mode`.
pub(crate) fn search_mode(arguments: &Arguments) -> SearchMode {
    match arguments.text("mode") {
        Some("keyword") => SearchMode::Keyword,
        Some("symbol") => SearchMode::Symbol,
        _ => SearchMode::Hybrid,
    }
}

impl IndexLocation {
    /// Answers a question of a user, outside a session.
    pub fn ask_question(
        &self,
        view: &View,
        tool: ToolId,
        arguments: &Arguments,
        deadline: Instant,
    ) -> io::Result<Result<Answer, UnknownName>> {
        let prompt = ReadPrompt::new(arguments.text("query").unwrap_or_default().to_owned());
        let limit = tool.tool().searches.limit(arguments.number("limit")).unwrap_or(0);
        let mode = search_mode(arguments);
        let options = SearchOptions { limit, mode, session: None, deadline };
        let ask = |source: &Source<'_>| {
            ask(
                tool,
                &Asking {
                    view,
                    source,
                    prompt: &prompt,
                    arguments,
                    search: &|| engine::search(view, &prompt.query, &options),
                    today: self.today(),
                    deadline,
                },
            )
        };
        Ok(Quotes::without_instructions(&self.root)?.with_source(ask))
    }

    /// Returns the current day, in days since 1970.
    pub(crate) fn today(&self) -> u32 {
        let now = self.now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        u32::try_from(now.as_secs() / SECONDS_PER_DAY).unwrap_or(u32::MAX)
    }
}
