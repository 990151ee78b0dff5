//! `adjutant-parser`: contains the grammars. `adjutant` starts it to parse files that need a grammar.

fn main() -> std::process::ExitCode {
    adjutant::parser_main()
}
