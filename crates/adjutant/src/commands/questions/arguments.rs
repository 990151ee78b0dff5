//! The arguments of the commands that ask questions, created from the rows of the questions.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, Subcommand, value_parser};
use contract::Arguments;
use policy::{Command, CommandSubject, Flag, FlagValue, SubjectKind, TOOLS, Tool};

use super::super::repository::At;
use super::roots;
use crate::edge;
use crate::failure::Failure;
use crate::prompt_briefing::read_prompt;

/// A question as it was asked on the command line.
pub(crate) struct Question {
    pub(super) tool: &'static Tool,
    pub(super) command: &'static Command,
    pub(super) at: At,
    matches: ArgMatches,
}

fn rows() -> impl Iterator<Item = (&'static Tool, &'static Command)> {
    TOOLS.iter().filter_map(|tool| Some((tool, tool.command.as_ref()?)))
}

impl Subcommand for Question {
    fn augment_subcommands(program: clap::Command) -> clap::Command {
        rows().fold(program, |program, (_, row)| program.subcommand(subcommand(row)))
    }

    fn augment_subcommands_for_update(program: clap::Command) -> clap::Command {
        Self::augment_subcommands(program)
    }

    fn has_subcommand(name: &str) -> bool {
        rows().any(|(_, row)| row.name == name)
    }
}

impl FromArgMatches for Question {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, matches) =
            matches.subcommand().ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        let row = rows().find(|(_, row)| row.name == name);
        let (tool, command) = row.ok_or_else(|| clap::Error::new(ErrorKind::InvalidSubcommand))?;
        Ok(Self { tool, command, at: At::from_arg_matches(matches)?, matches: matches.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn subcommand(row: &Command) -> clap::Command {
    let mut command = clap::Command::new(row.name).about(row.about).after_help(row.examples);
    command = command.args(row.subject.as_ref().map(subject));
    At::augment_args(command).args(row.flags.iter().map(flag))
}

fn subject(subject: &CommandSubject) -> Arg {
    let argument = Arg::new(subject.name).help(subject.help);
    match subject.kind {
        SubjectKind::Words => argument.num_args(1..).action(ArgAction::Append),
        SubjectKind::Name => argument.required(true),
        SubjectKind::Path => argument.default_value("").hide_default_value(true),
    }
}

fn flag(flag: &Flag) -> Arg {
    let mut argument =
        Arg::new(flag.long).long(flag.long).conflicts_with_all(flag.conflicts).help(flag.help);
    if let Some(short) = flag.short {
        argument = argument.short(short);
    }
    match flag.value {
        FlagValue::Switch => argument.action(ArgAction::SetTrue),
        FlagValue::Number(default) => {
            let argument = argument.value_name("N").value_parser(value_parser!(usize));
            argument.default_value(default)
        }
        FlagValue::Small(default) => {
            let argument = argument.value_name("N").value_parser(value_parser!(u32));
            argument.default_value(default)
        }
        FlagValue::Text(name) => argument.value_name(name),
        FlagValue::Choice { name, choices, default } => argument
            .value_name(name)
            .value_parser(PossibleValuesParser::new(choices))
            .default_value(default),
        FlagValue::Folders => argument
            .value_name("DIR")
            .value_parser(value_parser!(PathBuf))
            .num_args(1..)
            .action(ArgAction::Append),
        FlagValue::File => argument.value_name("FILE").value_parser(value_parser!(PathBuf)),
    }
}

impl Question {
    pub(super) fn has_switch(&self, flag: &str) -> bool {
        let is_switch = |row: &&Flag| row.long == flag && row.value == FlagValue::Switch;
        self.command.flags.iter().any(|row| is_switch(&row)) && self.matches.get_flag(flag)
    }

    /// Returns the maximum number of items.
    pub(super) fn limit(&self) -> Option<usize> {
        self.matches.try_get_one("limit").ok().flatten().copied()
    }

    /// Returns the arguments of the question, and the folders of the repositories. The folders are `None` if only the
    /// repository of the working directory is searched.
    pub(super) fn arguments(&self) -> Result<(Arguments, Option<Vec<PathBuf>>), Failure> {
        let mut arguments = Arguments::default();
        for flag in self.command.flags {
            self.add(&mut arguments, flag);
        }
        let Some(subject) = &self.command.subject else { return Ok((arguments, None)) };
        let texts = self.matches.get_many::<String>(subject.name).unwrap_or_default();
        let words: Vec<String> = texts.cloned().collect();
        let (words, folders) = self.split(words)?;
        arguments.insert(
            subject.key,
            match subject.kind {
                SubjectKind::Words => read_prompt(&words)?,
                SubjectKind::Name => words.concat(),
                SubjectKind::Path => from_top(&self.at, &words.concat())?,
            },
        );
        Ok((arguments, folders))
    }

    fn add(&self, arguments: &mut Arguments, flag: &Flag) {
        let Flag { key, long, value, .. } = *flag;
        match value {
            FlagValue::Switch => arguments.insert(key, self.matches.get_flag(long)),
            FlagValue::Number(_) => {
                arguments.insert(key, self.matches.get_one::<usize>(long).copied());
            }
            FlagValue::Small(_) => {
                arguments.insert(key, self.matches.get_one::<u32>(long).copied());
            }
            FlagValue::Text(_) | FlagValue::Choice { .. } => {
                if let Some(text) = self.matches.get_one::<String>(long) {
                    arguments.insert(key, text.as_str());
                }
            }
            FlagValue::Folders | FlagValue::File => {}
        }
    }

    /// Returns the words of the prompt and the folders of the repositories.
    fn split(&self, words: Vec<String>) -> Result<(Vec<String>, Option<Vec<PathBuf>>), Failure> {
        let paths = |flag: &str| {
            let paths = self.matches.try_get_many::<PathBuf>(flag).ok().flatten();
            paths.unwrap_or_default().cloned().collect::<Vec<_>>()
        };
        if let [file] = paths("workspace").as_slice() {
            return Ok((words, Some(roots::read_workspace(file)?)));
        }
        let mut folders = paths("repos");
        if folders.is_empty() {
            return Ok((words, None));
        }
        // In `--repos A B "prompt"`, the flag takes all words after it.
        let last =
            folders.last().filter(|last| words.is_empty() && !last.is_dir() && folders.len() > 1);
        match last.and_then(|last| last.to_str()).map(str::to_owned) {
            Some(prompt) => {
                folders.pop();
                Ok((vec![prompt], Some(folders)))
            }
            None => Ok((words, Some(folders))),
        }
    }
}

/// Converts `path` to the form used in the index. `path` is relative to the working directory or to the repository
/// root.
fn from_top(at: &At, path: &str) -> Result<String, Failure> {
    if path.is_empty() {
        return Ok(String::new());
    }
    let root = at.place()?.root;
    let here = at.directory().or_else(edge::working_directory).unwrap_or_else(|| root.clone());
    let found = [here, root.clone()].iter().find_map(|base| base.join(path).canonicalize().ok());
    let inside = found.and_then(|found| found.strip_prefix(&root).map(Path::to_owned).ok());
    inside.map(|inside| inside.to_string_lossy().into_owned()).ok_or_else(|| {
        let text = format!("`{path}` is not in {}", root.display());
        Failure::not_found(text)
            .hint("use a path relative to the working directory or to the top of the repository")
    })
}
