//! `codex-auto`: codex with a briefing before every prompt, for versions without hooks.

fn main() -> std::process::ExitCode {
    adjutant::codex_auto_main()
}
