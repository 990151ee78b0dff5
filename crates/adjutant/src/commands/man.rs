//! `adjutant man [DIR]`: writes manual pages. They are generated from the same descriptions as `--help`.

use std::path::PathBuf;
use std::process::ExitCode as Exit;

use clap::{Args, Command, ValueEnum};
use clap_mangen::Man;
use contract::ExitCode;

use crate::failure::Failure;
use crate::output;
use crate::programs::ProgramArgument;

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The folder to write all pages to; without it, the page of `adjutant` is printed
    directory: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  adjutant man | man -l -                  read the main page
  adjutant man ~/.local/share/man/man1     install all pages; then `man adjutant-brief`";

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
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
        Failure::new(message, ExitCode::Configuration)
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
