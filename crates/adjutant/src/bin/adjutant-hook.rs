//! `adjutant-hook`: the program that a client's hook starts for every prompt.

fn main() -> std::process::ExitCode {
    adjutant::hook_main()
}
