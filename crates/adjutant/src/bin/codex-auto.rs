//! `codex-auto`: runs codex with a briefing before every prompt, for codex versions without hooks.
//!
//! The code is in `adjutant`, which acts as `codex-auto` if it is started under this name.

fn main() -> std::process::ExitCode {
    adjutant::codex_auto_main()
}
