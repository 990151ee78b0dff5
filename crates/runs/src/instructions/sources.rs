//! Reads the sources of the instructions: files, folders, patterns, lists and standard input.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::matches;
use super::{Base, POLICY_NOTE, Piece, Section, SourceContext};
use crate::request::RunRequest;

const BUILT_IN: &str = "\
You work unattended: nobody will answer questions, so decide yourself and say what you assumed. Stay inside the task. \
When everything is done, end your last message with a line `CONTROL: DONE`; if more is left to do, with `CONTROL: CONTINUE`.";

const PATCH_NOTE: &str = "\
Patch mode: change no file. Answer with one patch in unified diff format (`diff --git …`) inside a ```diff block that \
`git apply` takes from the root of the repository, and nothing else of code. End with a line `CONTROL: DONE`.";

/// The maximum size of one file in bytes.
pub(super) const MAX_BYTES: u64 = 16 * 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum InstructionError {
    #[error("no such file (错误: 文件不存在: {named}), 搜索模式: {named}, 匹配到的文件: 0")]
    Missing { named: String },
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("`{}` is not UTF-8 text", .0.display())]
    NotText(PathBuf),
    #[error("`{}` is larger than {MAX_BYTES} bytes", .0.display())]
    TooLarge(PathBuf),
    #[error("`{}` contains no `.md` or `.markdown` file", .0.display())]
    NoDocuments(PathBuf),
    #[error("`{}` is outside the repository `{}`", path.display(), repository.display())]
    Outside { path: PathBuf, repository: PathBuf },
    #[error("`{}` is not a regular file", .0.display())]
    NotAFile(PathBuf),
    #[error("`{named}` matches only files that are not read: {}", left_out.join(", "))]
    AllLeftOut { named: String, left_out: Vec<String> },
    #[error("stdin can be read only once, but `-` is named twice")]
    StdinTwice,
    #[error("`{named}`: {reason}")]
    Pattern { named: String, reason: String },
}

/// The sections that were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SourcesRead {
    pub(crate) sections: Vec<Section>,
    /// The files that matched a folder or a pattern but were not read, each with the reason.
    pub(crate) left_out: Vec<String>,
}

pub(crate) fn read_sources(
    request: &RunRequest,
    context: &SourceContext,
) -> Result<SourcesRead, InstructionError> {
    let mut reader =
        SourceReader { context, stdin: context.stdin.as_deref(), left_out: Vec::new() };
    let mut sections = Vec::new();
    if let Some(briefing) = context.briefing.as_deref().filter(|text| !text.trim().is_empty()) {
        sections.push(Section::new("context", briefing).with("source", "adjutant"));
    }
    for path in &request.prepend_file {
        sections.push(Section::new("prepend-file", reader.read(path)?).at(path));
    }
    sections.extend(request.prepend.iter().map(|text| Section::new("prepend-text", text)));
    sections.push(reader.base(&context.base)?);
    for piece in &request.pieces {
        reader.piece(piece, &mut sections)?;
    }
    for path in &request.append_file {
        sections.push(Section::new("append-file", reader.read(path)?).at(path));
    }
    sections.extend(request.append.iter().map(|text| Section::new("append-text", text)));
    if request.patch_mode {
        sections.push(Section::new(POLICY_NOTE, PATCH_NOTE));
    }
    Ok(SourcesRead { sections, left_out: reader.left_out })
}

pub(super) struct SourceReader<'a> {
    pub(super) context: &'a SourceContext,
    /// The content of standard input, or `None` after it has been used.
    stdin: Option<&'a str>,
    pub(super) left_out: Vec<String>,
}

impl SourceReader<'_> {
    fn base(&mut self, base: &Base) -> Result<Section, InstructionError> {
        let section =
            |source: &str, text: String| Section::new("base", text).with("source", source);
        Ok(match base {
            Base::Override(file) if file == "-" => section("override-stdin", self.stdin()?),
            Base::Override(file) => {
                section("override-file", self.read(Path::new(file))?).at(Path::new(file))
            }
            Base::Environment(text) => section("env", text.clone()),
            Base::Stdin => section("stdin", self.stdin()?),
            Base::Default => {
                let file =
                    self.context.codex_home.as_ref().map(|home| home.join("instructions.md"));
                match file.filter(|file| file.is_file()) {
                    // The user's instructions file can be read even if a model requested the run.
                    Some(file) => section("default-file", read_plainly(&file, &file)?).at(&file),
                    None => section("default-builtin", BUILT_IN.to_owned()),
                }
            }
        })
    }

    fn piece(
        &mut self,
        piece: &Piece,
        sections: &mut Vec<Section>,
    ) -> Result<(), InstructionError> {
        match piece {
            Piece::Text(text) => sections.push(Section::new("text", text)),
            Piece::File(named) if named == "-" => {
                sections.push(Section::new("file", self.stdin()?).with("path", "-"));
            }
            Piece::File(named) => sections.extend(self.named(named)?),
            Piece::Folder(folder) => sections.extend(self.documents(folder)?),
        }
        Ok(())
    }

    fn stdin(&mut self) -> Result<String, InstructionError> {
        self.stdin.take().map(str::to_owned).ok_or(InstructionError::StdinTwice)
    }

    /// Reads all files that a name denotes. A name comes from the command line or from a line of a list, and can be a
    /// file, a folder, a pattern, or `@` followed by the name of a list.
    fn named(&mut self, named: &str) -> Result<Vec<Section>, InstructionError> {
        if let Some(list) = named.strip_prefix('@') {
            let lines = self.read(Path::new(list))?;
            let names = lines.lines().map(str::trim);
            let mut files = Vec::new();
            for name in names.filter(|name| !name.is_empty() && !name.starts_with('#')) {
                files.extend(self.named(name)?);
            }
            return Ok(files);
        }
        let path = Path::new(named);
        let place = self.context.directory.join(path);
        if place.is_dir() {
            return self.documents(path);
        }
        if place.exists() {
            return Ok(vec![Section::new("file", self.read(path)?).at(path)]);
        }
        if named.contains(['*', '?', '[', '{']) {
            return self.matching(named);
        }
        Err(InstructionError::Missing { named: named.to_owned() })
    }

    /// Reads a file that the caller named.
    fn read(&self, path: &Path) -> Result<String, InstructionError> {
        let place = self.context.directory.join(path);
        match &self.context.confined_to {
            Some(repository) => matches::read_inside(repository, &place, path),
            None => read_plainly(&place, path),
        }
    }
}

/// Reads a file that the user named. The file may be a pipe.
fn read_plainly(place: &Path, path: &Path) -> Result<String, InstructionError> {
    match File::open(place) {
        Ok(file) => text_of(file, path),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(InstructionError::Missing { named: path.display().to_string() })
        }
        Err(source) => Err(InstructionError::Unreadable { path: path.to_owned(), source }),
    }
}

pub(super) fn text_of(file: File, path: &Path) -> Result<String, InstructionError> {
    let mut bytes = Vec::new();
    let read = file.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|source| InstructionError::Unreadable { path: path.to_owned(), source })?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(InstructionError::TooLarge(path.to_owned()));
    }
    String::from_utf8(bytes).map_err(|_| InstructionError::NotText(path.to_owned()))
}
