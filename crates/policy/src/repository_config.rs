//! Reads a repository's configuration and determines whether the user trusts it.
//!
//! The file is read once. The same bytes are hashed, parsed and applied, so the file cannot change between these
//! steps.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use disk::{PathRefusal, Root};

use crate::covered::{
    CoverError, TrustedContent, Uncovered, Verified, VerifyError, WrittenCommand, covered_content,
    named_files, uncovered_commands,
};
use crate::file::{CONFIG_PATH, ConfigError, ConfigFile};
use crate::{ContentHash, Trust, TrustStore};

const MAX_BYTES: u64 = 256 * 1024;

/// A repository's configuration file and the user's trust in it. The default value represents a repository without a
/// configuration file.
#[derive(Clone, Debug)]
pub struct RepositoryConfig {
    pub file: ConfigFile,
    pub trust: Trust,
    /// The reason why the file cannot be trusted, or why the trust store cannot be read.
    pub problem: Option<String>,
    read: Option<ReadConfig>,
}

/// A configuration file that has been read.
#[derive(Clone, Debug)]
struct ReadConfig {
    repository: PathBuf,
    text: String,
    commands: Vec<WrittenCommand>,
    content: Result<ContentHash, CoverError>,
}

impl Default for RepositoryConfig {
    fn default() -> Self {
        Self { file: ConfigFile::default(), trust: Trust::Never, problem: None, read: None }
    }
}

impl RepositoryConfig {
    /// Reads a repository's configuration file. A missing file is treated as an empty one.
    pub fn read(repository: &Path, store: &TrustStore) -> Result<Self, ConfigError> {
        let root = Root::open(repository).map_err(|refusal| whole_file(&refusal))?;
        let Some(text) = read_text(&root)? else { return Ok(Self::default()) };
        let file = ConfigFile::parse(&text)?;
        let commands: Vec<WrittenCommand> = file
            .tools
            .values()
            .filter_map(|section| {
                section.command.as_ref().map(|line| WrittenCommand::Program(line.0.clone()))
            })
            .collect();
        let repository = root.path().to_owned();
        let content = covered_content(&text, &commands, &repository);
        let read = ReadConfig { repository, text, commands, content };
        let judged = match &read.content {
            Ok(content) => store.judge(&read.path(), content),
            Err(_) => store.judge_unhashed(&read.path()),
        };
        let uncoverable = read.content.as_ref().err().map(ToString::to_string);
        let (trust, problem) = match judged {
            Ok(trust) => (trust, uncoverable),
            Err(error) => (Trust::Never, Some(error.to_string())),
        };
        Ok(Self { file, trust, problem, read: Some(read) })
    }

    /// Returns the path of the configuration file, or `None` if there is no file.
    #[must_use]
    pub fn path(&self) -> Option<PathBuf> {
        self.read.as_ref().map(ReadConfig::path)
    }

    /// Returns the hash of the content that the user can trust: the configuration file and the repository files that
    /// its commands name. Returns `None` if there is no configuration file or if its content cannot be hashed.
    #[must_use]
    pub fn content(&self) -> Option<&ContentHash> {
        self.read.as_ref().and_then(|read| read.content.as_ref().ok())
    }

    /// Returns the repository files that the commands in the configuration file name. Trust in the configuration file
    /// also covers these files.
    #[must_use]
    pub fn programs(&self) -> Vec<PathBuf> {
        let named = self.read.as_ref().map(|read| named_files(&read.commands, &read.repository));
        named.into_iter().flatten().collect()
    }

    /// Returns the commands that trust in this file does not cover.
    #[must_use]
    pub fn uncovered(&self) -> Vec<Uncovered> {
        let listed = |read: &ReadConfig| uncovered_commands(&read.commands, &read.repository);
        self.read.as_ref().map(listed).unwrap_or_default()
    }

    /// Returns the canonical path of the repository, or `None` if there is no configuration file. The programs that the
    /// configuration names are started in this folder.
    #[must_use]
    pub fn repository(&self) -> Option<&Path> {
        self.read.as_ref().map(|read| read.repository.as_path())
    }

    /// Verifies a command of the file immediately before it runs. See [`TrustedContent::verify`].
    ///
    /// # Errors
    /// The errors of [`TrustedContent::verify`], and [`VerifyError::Changed`] if the file is not trusted.
    pub fn verify(
        &self,
        command: &[String],
        copies: Option<&Path>,
    ) -> Result<Verified, VerifyError> {
        let read = self.read.as_ref().filter(|_| self.trust == Trust::Trusted);
        let read = read.ok_or(VerifyError::Changed)?;
        let trusted = TrustedContent {
            text: read.text.clone(),
            commands: read.commands.clone(),
            repository: read.repository.clone(),
            hash: read.content.clone()?,
        };
        trusted.verify(&WrittenCommand::Program(command.to_vec()), copies)
    }
}

impl ReadConfig {
    fn path(&self) -> PathBuf {
        self.repository.join(CONFIG_PATH)
    }
}

/// Reads the configuration file, or returns `None` if it does not exist. The file is opened relative to a handle of
/// the repository root, so that a symbolic link that leads out of the repository is never followed.
fn read_text(root: &Root) -> Result<Option<String>, ConfigError> {
    let file = match root.open_file(Path::new(CONFIG_PATH)) {
        Ok(file) => file,
        Err(PathRefusal::Unreadable { source, .. }) if is_absent(root, &source) => return Ok(None),
        Err(PathRefusal::Escapes { .. }) => {
            return Err(ConfigError::whole_file("is a link out of the repository"));
        }
        Err(refusal) => return Err(whole_file(&refusal)),
    };
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| ConfigError::whole_file(error.to_string()))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ConfigError::whole_file(format!("is larger than {MAX_BYTES} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| ConfigError::whole_file("is not UTF-8"))?;
    Ok(Some(text))
}

/// Returns true if the configuration file does not exist. A dangling symbolic link counts as unreadable, not as
/// missing.
fn is_absent(root: &Root, error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        && root.path().join(CONFIG_PATH).symlink_metadata().is_err()
}

fn whole_file(refusal: &PathRefusal) -> ConfigError {
    let reason = match refusal {
        PathRefusal::Escapes { .. } => refusal.to_string(),
        PathRefusal::Unreadable { source, .. } if source.kind() == io::ErrorKind::InvalidInput => {
            "is not a file".to_owned()
        }
        PathRefusal::Unreadable { source, .. } => source.to_string(),
    };
    ConfigError::whole_file(reason)
}

#[cfg(test)]
mod tests;
