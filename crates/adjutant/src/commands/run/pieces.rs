//! Parses `--file`, `--docs-dir` and `--task`, and preserves their relative order on the command line, which
//! clap's derive macros do not.

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use runs::Piece;

#[derive(Clone, Debug, Default)]
pub(super) struct Pieces(pub(super) Vec<Piece>);

const FILE: &str = "file";
const FOLDER: &str = "docs_dir";
const CONTENT: &str = "content";

type MakePiece = fn(String) -> Piece;

impl FromArgMatches for Pieces {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut found: Vec<(usize, Piece)> = Vec::new();
        let makers: [(&str, MakePiece); 3] = [
            (FILE, Piece::File),
            (FOLDER, |folder| Piece::Folder(folder.into())),
            (CONTENT, Piece::Text),
        ];
        for (name, piece) in makers {
            let indices = matches.indices_of(name).into_iter().flatten();
            let values = matches.get_many::<String>(name).into_iter().flatten();
            found.extend(indices.zip(values.map(|value| piece(value.clone()))));
        }
        found.sort_by_key(|(index, _)| *index);
        Ok(Self(found.into_iter().map(|(_, piece)| piece).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Pieces {
    fn augment_args(command: Command) -> Command {
        let list = |name: &'static str, help: &'static str| {
            Arg::new(name).long(name).num_args(1..).action(ArgAction::Append).help(help)
        };
        command
            .next_help_heading("Instructions")
            .arg(
                list(
                    FILE,
                    "Add files: paths, patterns (with **), folders of Markdown, @list, - for stdin",
                )
                .short('f')
                .visible_alias("docs")
                .value_name("PATH"),
            )
            .arg(
                Arg::new(FOLDER)
                    .long("docs-dir")
                    .action(ArgAction::Append)
                    .value_name("DIR")
                    .help("Add every Markdown file below a folder"),
            )
            .arg(
                Arg::new(CONTENT)
                    .long("task")
                    .visible_alias("content")
                    .short('c')
                    .action(ArgAction::Append)
                    .allow_hyphen_values(true)
                    .value_name("TEXT")
                    .help("Add a text that describes the task"),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
