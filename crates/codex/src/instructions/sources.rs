//! From names on the command line to sections: files, folders, patterns, lists, stdin.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use disk::Links;
use globset::{GlobBuilder, GlobMatcher};

use super::{Base, POLICY_NOTE, Piece, Section, Sources, Surroundings};

const BUILT_IN: &str = "\
You work unattended: nobody will answer questions, so decide yourself and say what you assumed. Stay inside the task. \
When everything is done, end your last message with a line `CONTROL: DONE`; if more is left to do, with `CONTROL: CONTINUE`.";

const PATCH_NOTE: &str = "\
Patch mode: change no file. Answer with one patch in unified diff format (`diff --git …`) inside a ```diff block that \
`git apply` takes from the root of the repository, and nothing else of code. End with a line `CONTROL: DONE`.";

/// One file; what is longer is not something to paste into a prompt.
const MOST_BYTES: u64 = 16 * 1024 * 1024;
const MOST_FILES: usize = 10_000;

#[derive(Debug, thiserror::Error)]
pub enum InstructionError {
    #[error("no such file (错误: 文件不存在: {named}), 搜索模式: {named}, 匹配到的文件: 0")]
    Missing { named: String },
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("`{}` is not UTF-8 text", .0.display())]
    NotText(PathBuf),
    #[error("`{}` is larger than {MOST_BYTES} bytes", .0.display())]
    TooLarge(PathBuf),
    #[error("`{}` holds no `.md` or `.markdown` file", .0.display())]
    NoDocuments(PathBuf),
    #[error("stdin can be read once: `-` is named again")]
    StdinTwice,
    #[error("`{named}`: {reason}")]
    Pattern { named: String, reason: String },
}

pub fn read_sources(
    sources: &Sources,
    around: &Surroundings,
) -> Result<Vec<Section>, InstructionError> {
    let mut reader = Reader { around, stdin: around.stdin.as_deref() };
    let mut sections = Vec::new();
    if let Some(context) = sources.context.as_deref().filter(|text| !text.trim().is_empty()) {
        sections.push(Section::new("context", context).with("source", "adjutant"));
    }
    for path in &sources.prepend_files {
        sections.push(Section::new("prepend-file", reader.read(path)?).at(path));
    }
    sections.extend(sources.prepend_texts.iter().map(|text| Section::new("prepend-text", text)));
    sections.push(reader.base(&sources.base)?);
    for piece in &sources.pieces {
        reader.piece(piece, &mut sections)?;
    }
    for path in &sources.append_files {
        sections.push(Section::new("append-file", reader.read(path)?).at(path));
    }
    sections.extend(sources.append_texts.iter().map(|text| Section::new("append-text", text)));
    if sources.patch_mode {
        sections.push(Section::new(POLICY_NOTE, PATCH_NOTE));
    }
    Ok(sections)
}

struct Reader<'a> {
    around: &'a Surroundings,
    /// Taken by the first who asks for it.
    stdin: Option<&'a str>,
}

impl Reader<'_> {
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
                let file = self.around.codex_home.as_ref().map(|home| home.join("instructions.md"));
                match file.filter(|file| file.is_file()) {
                    Some(file) => section("default-file", self.read(&file)?).at(&file),
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
            Piece::File(named) => {
                for path in self.named(named)? {
                    sections.push(Section::new("file", self.read(&path)?).at(&path));
                }
            }
            Piece::Folder(folder) => {
                for path in self.documents(folder)? {
                    sections.push(Section::new("file", self.read(&path)?).at(&path));
                }
            }
        }
        Ok(())
    }

    fn stdin(&mut self) -> Result<String, InstructionError> {
        self.stdin.take().map(str::to_owned).ok_or(InstructionError::StdinTwice)
    }

    /// The files a name on the command line, or a line of a list, stands for.
    fn named(&self, named: &str) -> Result<Vec<PathBuf>, InstructionError> {
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
        let place = self.around.directory.join(path);
        if place.is_dir() {
            return self.documents(path);
        }
        if place.exists() {
            return Ok(vec![path.to_owned()]);
        }
        let is_pattern = named.contains(['*', '?', '[', '{']);
        let found = if is_pattern { self.matching(named)? } else { Vec::new() };
        if found.is_empty() {
            return Err(InstructionError::Missing { named: named.to_owned() });
        }
        Ok(found)
    }

    /// Markdown below a folder, in the order of the names.
    fn documents(&self, folder: &Path) -> Result<Vec<PathBuf>, InstructionError> {
        let place = self.around.directory.join(folder);
        if !place.is_dir() {
            return Err(InstructionError::Missing { named: folder.display().to_string() });
        }
        let is_document = |path: &Path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            matches!(extension, Some("md" | "markdown"))
        };
        let found = files_below(&place, is_document);
        if found.is_empty() {
            return Err(InstructionError::NoDocuments(folder.to_owned()));
        }
        Ok(found.iter().map(|path| folder.join(path)).collect())
    }

    fn matching(&self, pattern: &str) -> Result<Vec<PathBuf>, InstructionError> {
        let wrong = |error: globset::Error| InstructionError::Pattern {
            named: pattern.to_owned(),
            reason: error.kind().to_string(),
        };
        let matcher: GlobMatcher = GlobBuilder::new(pattern)
            .literal_separator(true)
            .build()
            .map_err(wrong)?
            .compile_matcher();
        // Only what is below the part before the first wildcard is looked at.
        let fixed: PathBuf = Path::new(pattern)
            .components()
            .take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{']))
            .collect();
        let found = files_below(&self.around.directory.join(&fixed), |path| {
            matcher.is_match(fixed.join(path))
        });
        Ok(found.iter().map(|path| fixed.join(path)).collect())
    }

    fn read(&self, path: &Path) -> Result<String, InstructionError> {
        let place = self.around.directory.join(path);
        let unreadable = |source| InstructionError::Unreadable { path: path.to_owned(), source };
        let bytes =
            disk::read(&place, Links::Follow, MOST_BYTES).map_err(|error| match error.kind() {
                ErrorKind::NotFound => {
                    InstructionError::Missing { named: path.display().to_string() }
                }
                ErrorKind::FileTooLarge => InstructionError::TooLarge(path.to_owned()),
                _ => unreadable(error),
            })?;
        String::from_utf8(bytes).map_err(|_| InstructionError::NotText(path.to_owned()))
    }
}

/// Relative to the folder, sorted; links to folders are not followed.
fn files_below(folder: &Path, wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![PathBuf::new()];
    while let Some(below) = pending.pop() {
        let Ok(entries) = fs::read_dir(folder.join(&below)) else { continue };
        for entry in entries.flatten() {
            let path = below.join(entry.file_name());
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && entry.file_name() != ".git" {
                pending.push(path);
            } else if !kind.is_dir() && wanted(&path) && found.len() < MOST_FILES {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
