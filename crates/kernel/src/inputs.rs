//! Prepares the request for searching and for publication in the briefing.

use std::sync::Arc;

use contract::{Inputs, Limit, Limits, RepoRootSource, Request, RequestingClient};

use engine::ReadPrompt;

use crate::signals::Reading;

/// The maximum length of a prompt. Only the start and the end of a longer prompt are read.
const MAX_PROMPT_CHARS: usize = 64 * 1024;

/// Returns a copy of the request. If the prompt is too long, shortens it and adds a `[Limits]` message.
pub(crate) fn shortened(request: &Request, limits: &mut Limits) -> Request {
    let n_chars = request.prompt.chars().count();
    if n_chars <= MAX_PROMPT_CHARS {
        return request.clone();
    }
    let half = MAX_PROMPT_CHARS / 2;
    limits.add(Limit::Said(format!(
        "prompt of {n_chars} characters: only its first and last {half} were read"
    )));
    let head: String = request.prompt.chars().take(half).collect();
    let tail: String = request.prompt.chars().skip(n_chars - half).collect();
    Request { prompt: format!("{head}\n…\n{tail}"), ..request.clone() }
}

/// Returns the text to search for: the prompt, followed by the function and the file that the request names.
/// `follow_up` is the prompt of a follow-up with the subject of the earlier prompt. Usually, the text is the prompt,
/// and it is not read again. Otherwise the longer text is read, once.
pub(crate) fn searched(
    request: &Request,
    prompt: &Arc<ReadPrompt>,
    follow_up: Option<&str>,
) -> Arc<ReadPrompt> {
    let place = [request.function.as_deref(), request.file.as_deref()];
    let parts: Vec<&str> = std::iter::once(follow_up.unwrap_or(&prompt.text))
        .chain(place.into_iter().flatten())
        .collect();
    if parts == [prompt.text.as_str()] {
        return Arc::clone(prompt);
    }
    Arc::new(ReadPrompt::new(parts.join("\n")))
}

/// Returns whether a prompt is a command for the client, such as `/help`.
pub(crate) fn is_for_the_client(prompt: &str) -> bool {
    let first = prompt.split_whitespace().next().unwrap_or_default();
    first.strip_prefix('/').is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(['/', '.'])
    })
}

pub(crate) fn client(request: &Request) -> RequestingClient {
    RequestingClient {
        name: request.client.clone().unwrap_or_default(),
        event: request.event.clone().unwrap_or_else(|| "cli".to_owned()),
        session_id: request.session_id.clone(),
    }
}

/// Returns the `inputs` of the briefing, without secrets.
pub(crate) fn published(
    request: &Request,
    reading: Reading,
    repo_root: String,
    repo_root_source: RepoRootSource,
) -> Inputs {
    let prompt = guard::redact(&request.prompt).text.into_owned();
    let (typed, kept) = (request.prompt.to_lowercase(), prompt.to_lowercase());
    let mut signals = reading.signals;
    for signal in &mut signals {
        // A part of a secret is not recognised as a secret without the text around it.
        let matched = signal.matched.to_lowercase();
        let is_removed = typed.contains(&matched) && !kept.contains(&matched);
        signal.matched = if is_removed {
            "<redacted>".to_owned()
        } else {
            guard::redact(&signal.matched).text.into_owned()
        };
    }
    Inputs { prompt, signals, repo_root, repo_root_source }
}
