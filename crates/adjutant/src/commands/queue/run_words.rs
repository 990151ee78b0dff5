//! Converts the flags of a run to command-line words, so that a worker can parse them again.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, Parser};

use crate::commands::run::RunFlags;
use crate::failure::Failure;

/// The parsed flags of a run, and the words from which they can be parsed again.
#[derive(Clone, Debug)]
pub(super) struct RunWords {
    pub(super) flags: RunFlags,
    pub(super) words: Vec<String>,
}

#[derive(Parser)]
#[command(no_binary_name = true)]
struct StoredFlags {
    #[command(flatten)]
    flags: RunFlags,
}

impl RunWords {
    /// Parses stored words, which may come from an older version of the program.
    pub(super) fn parse(words: &[String]) -> Result<RunFlags, Failure> {
        StoredFlags::try_parse_from(words).map(|stored| stored.flags).map_err(|error| {
            let message = error.to_string();
            let line = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
            Failure::new(format!("the flags of the task: {line}"), contract::ExitCode::Usage)
        })
    }
}

impl Args for RunWords {
    fn augment_args(command: Command) -> Command {
        RunFlags::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        RunFlags::augment_args_for_update(command)
    }
}

impl FromArgMatches for RunWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let flags = RunFlags::from_arg_matches(matches)?;
        Ok(Self { flags, words: words(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the flags in their order on the command line, then the task, then `--` and the arguments for codex.
fn words(matches: &ArgMatches) -> Result<Vec<String>, clap::Error> {
    let command = RunFlags::augment_args(Command::new("run"));
    let mut flags: Vec<(usize, Vec<String>)> = Vec::new();
    let (mut task, mut rest) = (Vec::new(), Vec::new());
    for argument in command.get_arguments() {
        let id = argument.get_id().as_str();
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let values = values(matches, id)?;
        match argument.get_long() {
            Some(long) => {
                let indices = matches.indices_of(id).into_iter().flatten();
                flags.extend(indices.zip(spelled(argument, long, values)));
            }
            None if argument.is_last_set() => rest = values,
            None => task = values,
        }
    }
    flags.sort_by_key(|(index, _)| *index);
    let mut words: Vec<String> = flags.into_iter().flat_map(|(_, words)| words).collect();
    if !task.is_empty() {
        words.push(format!("--task={}", task.join(" ")));
    }
    if !rest.is_empty() {
        words.push("--".to_owned());
        words.extend(rest);
    }
    Ok(words)
}

fn values(matches: &ArgMatches, id: &str) -> Result<Vec<String>, clap::Error> {
    let raw = matches.get_raw(id).into_iter().flatten();
    let text = |value: &std::ffi::OsStr| value.to_str().map(str::to_owned);
    let invalid =
        || clap::Error::raw(clap::error::ErrorKind::InvalidUtf8, "an argument is not UTF-8\n");
    raw.map(|value| text(value).ok_or_else(invalid)).collect()
}

fn spelled(argument: &Arg, long: &str, values: Vec<String>) -> Vec<Vec<String>> {
    if argument.get_action().takes_values() {
        return values.into_iter().map(|value| vec![format!("--{long}={value}")]).collect();
    }
    vec![vec![format!("--{long}")]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct Line {
        #[command(flatten)]
        run: RunWords,
    }

    fn parsed(line: &[&str]) -> RunWords {
        Line::try_parse_from(line).unwrap_or_else(|error| panic!("{error}")).run
    }

    #[test]
    fn the_words_of_a_run_describe_the_same_flags() {
        let line =
            ["-c", "one", "--file", "a.md", "b.md", "--full-auto", "-c", "-two", "--timeout", "5m"];
        let run = parsed(&line);
        let wanted = [
            "--task=one",
            "--file=a.md",
            "--file=b.md",
            "--full-auto",
            "--task=-two",
            "--timeout=5m",
        ];
        assert_eq!(run.words, wanted);
        let again =
            RunWords::parse(&run.words).unwrap_or_else(|failure| panic!("{}", failure.message));
        assert_eq!(format!("{again:?}"), format!("{:?}", run.flags));
    }

    #[test]
    fn the_words_of_the_task_come_before_the_arguments_for_codex() {
        let words = parsed(&["fix", "it", "--dry-run", "--", "--search"]).words;
        assert_eq!(words, ["--dry-run", "--task=fix it", "--", "--search"]);
        assert!(parsed(&[]).words.is_empty());
    }
}
