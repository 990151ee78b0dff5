//! The changes that a job or a task made, as a diff from git, by file.

use std::path::Path;
use std::time::{Duration, Instant};

use disk::Links;
use process::{Bounds, End, Environment, Git};
use serde::Serialize;

use crate::work::shown;

/// The maximum size of the shown text.
const MAX_BYTES: usize = 512 * 1024;
/// The maximum size of a patch that is read. Most of it can be binary files, which are not shown.
const MAX_PATCH_BYTES: usize = 8 * 1024 * 1024;
const MAX_FILES: usize = 200;
/// The checked-out commit.
pub(crate) const HEAD: &str = "HEAD";
const TIMEOUT: Duration = Duration::from_secs(20);

/// The changes in a directory. Secrets in the diff are redacted.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Changes {
    directory: String,
    /// The commit that the work tree is compared with.
    base: String,
    files: Vec<FileChange>,
    /// Files that git does not track and does not ignore.
    untracked: Vec<String>,
    is_cut: bool,
}

/// The changes of one file.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct FileChange {
    path: String,
    added: usize,
    removed: usize,
    is_binary: bool,
    /// The hunks of the diff, without the lines that name the file. Empty for a binary file.
    text: String,
}

/// Compares the work tree that contains `directory` with a commit.
pub(crate) fn in_directory(
    directory: &Path,
    base: &str,
    environment: &Environment,
) -> Result<Changes, String> {
    // The commit comes from the task store. Git would interpret a word that starts with `-` as an option.
    if base != HEAD && !base.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(format!("`{base}` is not a commit"));
    }
    if !directory.is_dir() {
        return Err(format!("the directory `{}` no longer exists", directory.display()));
    }
    let git =
        Git::new(environment, directory).for_work_tree().map_err(|error| error.to_string())?;
    // The configuration of a submodule could name programs, so git does not enter it.
    let options = [
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=all",
        // The user can configure other prefixes.
        "--src-prefix=a/",
        "--dst-prefix=b/",
    ];
    let arguments = [&["diff"], &options[..], &[base, "--"]].concat();
    let (diff, is_cut) = output(&git, &arguments)?;
    let (untracked, _) = output(&git, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    let names = untracked.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let generated = runs::GeneratedFiles::of(&git, directory)?;
    let names = names.filter(|name| generated.place(name).is_none());
    let untracked: Vec<String> =
        names.take(MAX_FILES).map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let changes = Changes::of(&diff, shown(directory), base);
    Ok(Changes { untracked, is_cut: is_cut || changes.is_cut, ..changes })
}

/// Reads the patch of a task whose worktree has been removed.
pub(crate) fn in_patch(path: &Path, base: &str) -> Result<Changes, String> {
    let bytes = disk::read_start(path, Links::Refuse, MAX_PATCH_BYTES as u64 + 1)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let changes = Changes::of(&bytes[..bytes.len().min(MAX_PATCH_BYTES)], shown(path), base);
    Ok(Changes { is_cut: bytes.len() > MAX_PATCH_BYTES || changes.is_cut, ..changes })
}

impl Changes {
    fn of(diff: &[u8], directory: String, base: &str) -> Self {
        let text = String::from_utf8_lossy(diff);
        let mut files: Vec<FileChange> = Vec::new();
        let (mut n_bytes, mut is_cut) = (0, false);
        for part in split_files(&text) {
            let mut file = FileChange::of(part);
            if files.len() >= MAX_FILES {
                is_cut = true;
                break;
            }
            file.text = guard::redact(&file.text).text.into_owned();
            if n_bytes + file.text.len() > MAX_BYTES {
                is_cut = true;
                let rest = MAX_BYTES.saturating_sub(n_bytes);
                file.text.truncate(file.text.floor_char_boundary(rest));
            }
            n_bytes += file.text.len();
            files.push(file);
        }
        Self { directory, base: base.to_owned(), files, untracked: Vec::new(), is_cut }
    }
}

/// Splits a diff before each line `diff --git …`. The lines of a hunk begin with another character.
fn split_files(text: &str) -> impl Iterator<Item = &str> {
    const START: &str = "diff --git ";
    let starts = text.match_indices(START).map(|(at, _)| at);
    let starts = starts.filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n');
    let ends = starts.clone().skip(1).chain([text.len()]);
    starts.zip(ends).map(|(start, end)| &text[start..end])
}

impl FileChange {
    fn of(part: &str) -> Self {
        let mut file = Self::default();
        let mut lines = part.lines();
        // `diff --git a/x b/x`; the name is taken from a later line if there is one, because it can contain spaces.
        let heading = lines.next().unwrap_or_default();
        let name = heading.rsplit_once(" b/").map_or(heading, |(_, name)| name);
        file.path = name.trim_end_matches('"').to_owned();
        let mut in_hunks = false;
        for line in lines {
            in_hunks |= line.starts_with("@@ ");
            if in_hunks {
                file.added += usize::from(line.starts_with('+'));
                file.removed += usize::from(line.starts_with('-'));
                file.text.push_str(line);
                file.text.push('\n');
            } else if line.starts_with("Binary files ") || line == "GIT binary patch" {
                file.is_binary = true;
                break;
            } else if let Some(name) = line.strip_prefix("+++ b/") {
                name.trim_end_matches('\t').clone_into(&mut file.path);
            } else if let Some(name) = line.strip_prefix("rename from ") {
                file.text.push_str(&format!("{name} → "));
            } else if let Some(name) = line.strip_prefix("rename to ") {
                file.text.push_str(&format!("{name}\n"));
            }
        }
        file
    }
}

/// Runs git. Returns its output and whether the output was truncated.
fn output(git: &Git, arguments: &[&str]) -> Result<(Vec<u8>, bool), String> {
    let bounds = Bounds {
        deadline: Instant::now() + TIMEOUT,
        stdout_bytes: MAX_PATCH_BYTES,
        stderr_bytes: 4096,
    };
    let finished =
        process::run(&git.command(arguments), &bounds).map_err(|error| error.to_string())?;
    if finished.end != End::Exited(0) {
        let said = String::from_utf8_lossy(&finished.stderr.bytes);
        let said = said.lines().next().unwrap_or("git failed").to_owned();
        return Err(guard::redact(&said).text.into_owned());
    }
    Ok((finished.stdout.bytes, finished.stdout.cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_is_shown_by_file_without_binary_content() {
        let patch = "diff --git a/a b.txt b/a b.txt\nindex 1..2 100644\n--- a/a b.txt\n+++ b/a b.txt\n@@ -1,2 +1,2 @@\n-one\n+two\n+diff --git a/x b/x\n same\n\
            diff --git a/m.pyc b/m.pyc\nnew file mode 100644\nindex 0..1\nGIT binary patch\nliteral 3\nKcmZQzU\n\n\
            diff --git a/old.rs b/new.rs\nsimilarity index 100%\nrename from old.rs\nrename to new.rs\n";
        let Changes { files, is_cut, .. } = Changes::of(patch.as_bytes(), String::new(), HEAD);
        let shown: Vec<_> = files
            .iter()
            .map(|file| (file.path.as_str(), file.added, file.removed, file.is_binary))
            .collect();
        let expected = [("a b.txt", 2, 1, false), ("m.pyc", 0, 0, true), ("new.rs", 0, 0, false)];
        assert_eq!(shown, expected);
        assert!(files[0].text.starts_with("@@ -1,2") && files[1].text.is_empty());
        assert_eq!(files[2].text, "old.rs → new.rs\n");
        assert!(!is_cut);
    }
}
