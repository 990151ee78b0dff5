//! `adjutant-parser`: contains the grammars. `adjutant` starts it for the files that need one.

fn main() -> std::process::ExitCode {
    adjutant::parser_main()
}
