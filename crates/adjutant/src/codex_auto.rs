//! `codex-auto`: adds a briefing to each prompt and sends it to `codex exec`. Handles a single prompt, or reads
//! prompts in a loop.

mod arguments;
mod briefing;
mod command;
mod conversation;
mod editor;
mod history;
mod screen;
mod thread;

use std::process::ExitCode;

use clap::CommandFactory;

use crate::failure::Failure;
use crate::signals::Interrupts;
use crate::{edge, usage_error};
use arguments::{Arguments, Settings};
use command::Command;
use conversation::{Conversation, Outcome};
use editor::{Line, Reader};
use screen::Screen;

#[must_use]
pub(crate) fn main() -> ExitCode {
    match usage_error::parse() {
        Ok(arguments) => run(arguments).unwrap_or_else(|failure| failure.report()),
        Err(exit) => exit,
    }
}

/// Returns the clap command, for completions and manual pages.
pub(crate) fn command() -> clap::Command {
    Arguments::command()
}

fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let prompt = arguments.prompt()?;
    let settings = Settings::of(arguments, edge::environment())?;
    let is_interactive = prompt.is_none() && editor::is_terminal();
    let interrupts = Interrupts::listen(is_interactive);
    let screen = Screen::new(&settings, is_interactive);
    if let Some(prompt) = prompt {
        let mut conversation = Conversation::begin(settings, screen, interrupts)?;
        return Ok(ExitCode::from(conversation.ask(&prompt)?.exit));
    }
    let mut reader = Reader::new(&settings);
    let mut conversation = Conversation::begin(settings, screen, interrupts)?;
    Ok(ExitCode::from(repeat(&mut conversation, &mut reader)?))
}

/// Reads and sends prompts until the input ends. Returns the exit code of the last prompt, as a shell does.
fn repeat(conversation: &mut Conversation, reader: &mut Reader) -> Result<u8, Failure> {
    conversation.open();
    let mut last_exit = 0;
    loop {
        let line = match reader.next(conversation.is_briefing()) {
            Line::Text(line) => line,
            Line::Interrupted => continue,
            Line::End => return Ok(last_exit),
        };
        let outcome = match Command::of(&line) {
            Command::Nothing => continue,
            Command::Quit => return Ok(last_exit),
            Command::Prompt(prompt) => conversation.ask(&prompt),
            Command::Plan(prompt) => {
                Ok(Outcome { exit: conversation.plan(prompt.as_deref()), continues: true })
            }
            Command::Control(command) => {
                Ok(Outcome { exit: conversation.control(&command), continues: true })
            }
        };
        let Outcome { exit, continues } = match outcome {
            Ok(outcome) => outcome,
            // A user at a terminal can fix the problem and try again.
            Err(failure) if reader.is_interactive() => {
                failure.report();
                Outcome { exit: failure.exit, continues: true }
            }
            Err(failure) => return Err(failure),
        };
        last_exit = exit;
        if !continues {
            return Ok(last_exit);
        }
    }
}
