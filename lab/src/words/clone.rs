//! Reads a clone at one commit: the commit subjects with the changed paths, and the files.

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The maximum size of a file, in bytes. Larger files are assumed to be data.
const MAX_FILE_BYTES: u64 = 300_000;
/// The character that separates records in git's output. Commit subjects do not contain it.
const RECORD: char = '\u{1}';

pub(super) struct Clone {
    directory: PathBuf,
    commit: String,
}

impl Clone {
    pub(super) fn find(clones: &Path, name: &str, commit: &str) -> Result<Self, String> {
        let directory =
            super::git_directory(clones, name).ok_or_else(|| format!("no clone of `{name}`"))?;
        Ok(Self { directory, commit: commit.to_owned() })
    }

    /// Calls `emit` with the subject and the changed paths of each commit, newest first. Merge commits are skipped.
    pub(super) fn for_each_commit(
        &self,
        mut emit: impl FnMut(&str, &[&str]),
    ) -> Result<(), String> {
        let format = format!("--format={RECORD}%s");
        let log = self.git(&[
            "-c",
            "core.quotepath=false",
            "log",
            "--no-merges",
            "--no-renames",
            "--name-only",
            &format,
            &self.commit,
        ])?;
        for record in log.split(RECORD) {
            let mut lines = record.lines();
            let subject = lines.next().unwrap_or_default();
            let paths: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
            emit(subject, &paths);
        }
        Ok(())
    }

    /// Calls `emit` with each text file that `wanted` accepts, sorted by path.
    pub(super) fn for_each_file(
        &self,
        wanted: impl Fn(&str) -> bool,
        mut emit: impl FnMut(&str, &str),
    ) -> Result<(), String> {
        let listing = self.git(&["ls-tree", "-r", "-l", "-z", &self.commit])?;
        let mut files = Vec::new();
        for entry in listing.split('\0') {
            let Some((facts, path)) = entry.split_once('\t') else { continue };
            let mut facts = facts.split_ascii_whitespace().skip(1);
            let (kind, object, size) = (facts.next(), facts.next(), facts.next());
            let size = size.and_then(|size| size.parse::<u64>().ok());
            if let (Some("blob"), Some(object), Some(size)) = (kind, object, size)
                && size <= MAX_FILE_BYTES
                && wanted(path)
            {
                files.push((path, object));
            }
        }
        let mut reader = self.batch(&files)?;
        for (path, _) in files {
            let mut head = String::new();
            let failed = |error: std::io::Error| format!("cannot read from git: {error}");
            reader.read_line(&mut head).map_err(failed)?;
            let Some(size) = head.trim().rsplit(' ').next().and_then(|size| size.parse().ok())
            else {
                continue; // a snapshot may lack its largest files
            };
            let mut content = vec![0; size];
            reader.read_exact(&mut content).map_err(failed)?;
            reader.read_exact(&mut [0]).map_err(failed)?;
            if let Ok(text) = std::str::from_utf8(&content) {
                emit(path, text);
            }
        }
        Ok(())
    }

    /// Returns the contents of `files` in the output format of `git cat-file --batch`.
    fn batch(&self, files: &[(&str, &str)]) -> Result<impl BufRead + use<>, String> {
        let failed = |error: std::io::Error| format!("cannot run git: {error}");
        let mut asked = tempfile::tempfile().map_err(failed)?;
        for (_, object) in files {
            writeln!(asked, "{object}").map_err(failed)?;
        }
        asked.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut answer = tempfile::tempfile().map_err(failed)?;
        let status = self
            .command(&["cat-file", "--batch"])
            .stdin(asked)
            .stdout(answer.try_clone().map_err(failed)?)
            .status()
            .map_err(failed)?;
        if !status.success() {
            return Err("git cat-file failed".to_owned());
        }
        answer.seek(SeekFrom::Start(0)).map_err(failed)?;
        Ok(BufReader::new(answer))
    }

    fn git(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self
            .command(arguments)
            .output()
            .map_err(|error| format!("cannot start git: {error}"))?;
        if !output.status.success() {
            return Err(format!("git {} failed in `{}`", arguments[0], self.directory.display()));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    #[expect(clippy::disallowed_methods, reason = "a chore that reads the clones it is given")]
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(&self.directory).args(arguments).stderr(Stdio::null());
        command
    }
}
