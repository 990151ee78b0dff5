//! `adjutant`: the main program; see `adjutant --help`.

fn main() -> std::process::ExitCode {
    adjutant::adjutant_main()
}
