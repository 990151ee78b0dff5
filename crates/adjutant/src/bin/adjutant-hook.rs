//! `adjutant-hook`: what a client's hook calls on every prompt.

fn main() -> std::process::ExitCode {
    adjutant::hook_main()
}
