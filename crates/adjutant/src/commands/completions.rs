//! `adjutant completions SHELL` prints completion scripts for `adjutant`, `adjutant-hook` and `codex-auto`, and
//! `adjutant man [DIR]` writes their manual pages. Both are generated from the same descriptions as `--help`.

use std::path::PathBuf;
use std::process::ExitCode as Exit;

use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::failure::Failure;
use crate::output;
use crate::programs::ProgramArgument;

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The shell to complete for
    shell: Shell,
    /// Complete only this program instead of all three
    #[arg(long, value_name = "NAME")]
    program: Option<ProgramArgument>,
}

const EXAMPLES: &str = "\
Examples:
  bash        echo 'source <(adjutant completions bash)' >> ~/.bashrc
  zsh         echo 'source <(adjutant completions zsh)' >> ~/.zshrc      (after compinit)
  fish        adjutant completions fish > ~/.config/fish/completions/adjutant.fish
  elvish      adjutant completions elvish >> ~/.config/elvish/rc.elv
  powershell  adjutant completions powershell >> $PROFILE";

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let programs = match &arguments.program {
        Some(program) => std::slice::from_ref(program),
        None => ProgramArgument::value_variants(),
    };
    let scripts: Vec<String> =
        programs.iter().map(|program| script(arguments.shell, *program)).collect();
    output::data(&together(&scripts));
    Ok(Exit::SUCCESS)
}

fn script(shell: Shell, program: ProgramArgument) -> String {
    let mut command = program.command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Joins the scripts and moves all `using` lines to the start, as PowerShell requires.
fn together(scripts: &[String]) -> String {
    let is_using = |line: &&str| line.trim_start_matches('\u{feff}').starts_with("using namespace");
    let first = scripts.first().map(String::as_str).unwrap_or_default();
    let mut text: Vec<&str> = first.lines().filter(is_using).collect();
    text.extend(scripts.iter().flat_map(|script| script.lines()).filter(|line| !is_using(line)));
    text.join("\n")
}

#[derive(Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct ManArguments {
    /// The folder to write all pages to; without it, the page of `adjutant` is printed
    directory: Option<PathBuf>,
}

const MAN_EXAMPLES: &str = "\
Examples:
  adjutant man | man -l -                  read the main page
  adjutant man ~/.local/share/man/man1     install all pages; then `man adjutant-brief`";

pub(crate) fn man(arguments: &ManArguments) -> Result<Exit, Failure> {
    let Some(directory) = &arguments.directory else {
        let mut page = Vec::new();
        // Writing to memory cannot fail.
        drop(Man::new(ProgramArgument::Adjutant.command()).render(&mut page));
        output::data(&String::from_utf8_lossy(&page));
        return Ok(Exit::SUCCESS);
    };
    let written = std::fs::create_dir_all(directory).and_then(|()| {
        for program in ProgramArgument::value_variants() {
            clap_mangen::generate_to(without_help(program.command()), directory)?;
        }
        Ok(())
    });
    written.map_err(|error| {
        let message = format!("cannot write to `{}`: {error}", directory.display());
        Failure::configuration(message)
    })?;
    output::talk(&format!("manual pages written to {}", directory.display()));
    Ok(Exit::SUCCESS)
}

/// Removes the `help` subcommands. Otherwise, each of them would add a second manual page for every command. Also shows the
/// options that `--help` leaves out, because the page would lack their descriptions.
fn without_help(command: Command) -> Command {
    let names: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let inner = |command: Command, name: &String| command.mut_subcommand(name, without_help);
    let command = command.mut_args(|argument| argument.hide_short_help(false));
    names.iter().fold(command.disable_help_subcommand(true), inner)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;
    use clap_complete::Shell;

    use super::{ProgramArgument, script, together};

    #[test]
    fn every_shell_gets_a_script_that_names_all_three_programs() {
        for shell in Shell::value_variants() {
            let scripts = ProgramArgument::value_variants().iter();
            let scripts: Vec<String> = scripts.map(|program| script(*shell, *program)).collect();
            let all = together(&scripts);
            for program in ["adjutant", "adjutant-hook", "codex-auto"] {
                assert!(all.contains(program), "{shell}: {program}");
            }
            let one = script(*shell, ProgramArgument::AdjutantHook);
            assert!(one.contains("analyze-intent") && !one.contains("dry-run"), "{shell}");
            let mut lines = all.lines().skip_while(|line| line.starts_with("using "));
            let is_late = lines.any(|line| line.starts_with("using "));
            assert!(!is_late, "PowerShell accepts `using` only at the start");
            assert_eq!(all.starts_with("using namespace"), *shell == Shell::PowerShell);
        }
    }
}
