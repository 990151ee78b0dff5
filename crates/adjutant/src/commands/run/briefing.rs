//! The briefing in front of the instructions: `codex exec` cancels calls of MCP tools, so what the repository knows
//! has to be there from the start.

use std::path::Path;

use clients::Input;
use codex::{Piece, Sources};
use contract::ClientName;
use entry::{Format, HookHost, Invocation};
use process::Environment;
use serde_json::Value;

use crate::edge;

/// Enough to know what a task is about.
const MAX_CHARACTERS: usize = 4_000;

/// None if there is nothing to say: not a task about code, no repository, no kernel.
pub(super) fn briefing(
    sources: &Sources,
    directory: &Path,
    environment: &Environment,
) -> Option<String> {
    let prompt = task(sources);
    if prompt.trim().is_empty() {
        return None;
    }
    let invocation = Invocation {
        format: Format::Json,
        prompt: Some(prompt),
        file: None,
        line: None,
        function: None,
        with_history: false,
        analyze_intent: false,
    };
    let host = HookHost {
        working_directory: Some(directory.to_owned()),
        ..edge::hook_host(environment.clone())
    };
    let input = Input::read(Some(clients::client(ClientName::CodexCli)), b"");
    let emission = entry::run(&invocation, &input, &host);
    let briefing: Value = serde_json::from_str(&emission.stdout).ok()?;
    let context = briefing.pointer("/fused_context/for_model/additional_context")?.as_str()?;
    (!context.trim().is_empty()).then(|| context.to_owned())
}

/// What the user wrote; files are read by codex itself.
fn task(sources: &Sources) -> String {
    let pieces = sources.pieces.iter().map(|piece| match piece {
        Piece::Text(text) | Piece::File(text) => text.clone(),
        Piece::Folder(folder) => folder.display().to_string(),
    });
    let around = sources.prepend_texts.iter().chain(&sources.append_texts).cloned();
    let text = pieces.chain(around).collect::<Vec<_>>().join("\n");
    text.chars().take(MAX_CHARACTERS).collect()
}
