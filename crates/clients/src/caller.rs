//! Who is calling, and about which prompt, by the payload alone: one plugin serves both clients and cannot know.

use serde::Deserialize;
use serde_json::Value;

use crate::Client;

#[derive(Deserialize)]
struct Payload {
    session_id: Option<String>,
    /// Claude Code's name for one prompt.
    prompt_id: Option<String>,
    /// Codex's name for one turn, to which a user may add prompts.
    turn_id: Option<Value>,
    agent_id: Option<String>,
    prompt: Option<String>,
}

/// Codex if it has a turn, else Claude Code.
#[must_use]
pub fn caller(bytes: &[u8]) -> Client {
    let payload: Option<Payload> = serde_json::from_slice(bytes).ok();
    match payload.and_then(|payload| payload.turn_id) {
        Some(_) => Client::Codex,
        None => Client::ClaudeCode,
    }
}

/// The same for two hooks that are asked about one prompt, and for nothing else. None if the client does not name its prompts.
#[must_use]
pub fn prompt_identity(bytes: &[u8]) -> Option<String> {
    let payload: Payload = serde_json::from_slice(bytes).ok()?;
    let turn = payload.turn_id.as_ref().and_then(Value::as_str).map(str::to_owned);
    let parts =
        [payload.session_id?, payload.prompt_id.or(turn)?, payload.agent_id.unwrap_or_default()];
    let name = parts.map(|part| {
        part.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(64).collect::<String>()
    });
    let prompt = fingerprint(payload.prompt.unwrap_or_default().as_bytes());
    Some(format!("{}.{prompt:016x}", name.join(".")))
}

/// FNV-1a: the same in every build of ours, and nobody gains by a collision but a shorter briefing for himself.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests;
