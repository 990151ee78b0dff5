//! `codex-auto`: runs codex with a briefing before every prompt, for codex versions without hooks.

fn main() -> std::process::ExitCode {
    adjutant::codex_auto_main()
}
