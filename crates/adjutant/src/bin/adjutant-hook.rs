//! `adjutant-hook`: the program that a client runs as its hook.

fn main() -> std::process::ExitCode {
    adjutant::hook_main()
}
