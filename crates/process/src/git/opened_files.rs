//! Checks the files that git opens before git is started.
//!
//! Git opens its files without checking their type. A FIFO or a device in place of such a file would block git until its
//! deadline.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::repository::git_dir_of;
use super::{Git, Repository, WorkTreeProblem};
use crate::End;

/// File names that git reads in every directory of a work tree, or at its top. Git does not open them if they are
/// symbolic links.
const NAMES_IN_EVERY_DIRECTORY: [&str; 3] = [".gitignore", ".gitattributes", ".gitmodules"];
/// Folders of a git directory whose files git opens by name. All files in them are checked.
const FOLDERS: [&str; 7] =
    ["refs", "reftable", "logs", "info", "objects/info", "objects/pack", "worktrees"];
/// Files of a git directory that only commands which read the work tree open.
const FILES_FOR_WORK_TREE: [&str; 2] = ["info/exclude", "info/attributes"];
/// The maximum duration of the search for blocking files. If it is exceeded, git runs without the check and may block until
/// its own deadline.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum number of symbolic references that git follows.
const MAX_SYMBOLIC_REFERENCES: usize = 5;
const MAX_CONFIG_BYTES: u64 = 1024 * 1024;
/// The maximum number of configuration files that include others.
const MAX_CONFIG_FILES: usize = 64;

impl Git {
    /// Checks the files of the git directory and the files that its configuration includes. [`Git::for_work_tree`] has
    /// already checked them for the [`Git`] that it returns, which does not check them again.
    ///
    /// # Errors
    /// Fails if git would open a FIFO or a device there, on which git would block, or if the included files cannot be
    /// listed.
    pub fn check_git_directory(&self) -> Result<(), WorkTreeProblem> {
        self.search_git_directory().map(drop)
    }

    /// Does the same as [`Git::check_git_directory`], and returns the common git directory if the search reached all its
    /// files.
    pub(super) fn search_git_directory(&self) -> Result<Option<PathBuf>, WorkTreeProblem> {
        if self.reads_work_tree {
            return Ok(self.checked_common_dir.clone());
        }
        let Some(repository) = Repository::around(&self.directory) else {
            let dot_git = self.directory.join(".git");
            return problem(would_block(&dot_git).then_some(dot_git)).map(|()| None);
        };
        let deadline = self.deadline(SEARCH_TIMEOUT);
        let is_checked = self.checked_common_dir.as_ref() == Some(&repository.common_dir);
        let unchecked = (!is_checked).then_some(&repository.common_dir);
        let blocking = blocking_in_git_dir(&repository.git_dir, deadline)
            .or_else(|| unchecked.and_then(|folder| blocking_in_git_dir(folder, deadline)))
            .or_else(|| blocking_head(&repository));
        problem(blocking)?;
        let is_complete = Instant::now() <= deadline;
        self.check_includes(&repository)?;
        Ok(is_complete.then_some(repository.common_dir))
    }

    /// Checks the files that the repository's configuration includes, whatever the conditions of `includeIf` are.
    fn check_includes(&self, repository: &Repository) -> Result<(), WorkTreeProblem> {
        let mut pending =
            vec![repository.common_dir.join("config"), repository.git_dir.join("config.worktree")];
        let mut listed = BTreeSet::new();
        while let Some(file) = pending.pop() {
            problem(would_block(&file).then(|| file.clone()))?;
            if !may_include(&file) || !listed.insert(file.clone()) {
                continue;
            }
            let folder = file.parent().unwrap_or(&file);
            let included = (listed.len() <= MAX_CONFIG_FILES).then(|| self.included_by(&file));
            let Some(included) = included.flatten() else {
                return Err(WorkTreeProblem::UnknownIncludes(file));
            };
            pending.extend(included.iter().map(|path| folder.join(path)));
        }
        Ok(())
    }

    /// Returns the paths that a configuration file includes, or `None` if git fails. Git reads no other file of the
    /// repository, and does not open the included files.
    fn included_by(&self, file: &Path) -> Option<Vec<PathBuf>> {
        let environment = self.environment.clone().without("GIT_DIR").without("GIT_WORK_TREE");
        // In another locale, the pattern does not match names that are not valid text.
        let environment = environment.with("LC_ALL", "C");
        let git = Self { directory: "/".into(), environment, ..self.clone() };
        let list = ["config", "--no-includes", "--type=path", "--null", "--file"];
        let program = git.command(list).argument(file).arguments(["--get-regexp", "^include"]);
        let finished = self.run(&program, MAX_CONFIG_BYTES as usize)?;
        // The exit code is 1 if no name matches.
        if !matches!(finished.end, End::Exited(0 | 1)) || finished.stdout.cut {
            return None;
        }
        let entries = finished.stdout.bytes.split(|byte| *byte == 0);
        let value = |entry: &[u8]| {
            let end_of_name = entry.iter().position(|byte| *byte == b'\n')?;
            Some(PathBuf::from(OsStr::from_bytes(&entry[end_of_name + 1..])))
        };
        Some(entries.filter_map(value).collect())
    }

    /// Checks the ignore and attribute files of the work tree and the files of the repositories nested in it. Outside a
    /// work tree, checks the directory in which git runs.
    pub(super) fn check_work_tree_files(&self) -> Result<(), WorkTreeProblem> {
        let repository = Repository::around(&self.directory);
        let own = repository.iter().flat_map(|repository| {
            FILES_FOR_WORK_TREE.iter().map(|name| repository.common_dir.join(name))
        });
        problem(own.into_iter().find(|path| would_block(path)))?;
        let top = repository.map_or_else(|| self.directory.clone(), |repository| repository.top);
        let named = ["core.excludesFile", "core.attributesFile"]
            .into_iter()
            .filter_map(|key| self.line(&["config", "--type=path", "--get", key]));
        // Git follows links for these files. Relative paths are relative to the top of the work tree.
        let mut named = named.flat_map(|path| [top.join(&path), self.directory.join(path)]);
        let blocking = named.find(|path| would_block(path));
        problem(blocking.or_else(|| blocking_below(&top)))
    }
}

fn problem(blocking: Option<PathBuf>) -> Result<(), WorkTreeProblem> {
    blocking.map_or(Ok(()), |path| Err(WorkTreeProblem::BlockingFile(path)))
}

/// Returns whether opening or reading a path, or the target of a link, could block: whether it is a FIFO or a device other
/// than `/dev/null`.
fn would_block(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| {
        let kind = found.file_type();
        let is_null = || {
            fs::metadata("/dev/null")
                .is_ok_and(|null| kind.is_char_device() && null.rdev() == found.rdev())
        };
        kind.is_fifo() || ((kind.is_char_device() || kind.is_block_device()) && !is_null())
    })
}

/// Returns the first file of a git directory that would block git. Does not search the loose objects, which git opens
/// only if they are referenced.
fn blocking_in_git_dir(git_dir: &Path, deadline: Instant) -> Option<PathBuf> {
    let skipped = FILES_FOR_WORK_TREE.map(|name| git_dir.join(name));
    let direct = entries(git_dir).into_iter().map(|(path, _)| path).find(|path| would_block(path));
    let mut pending: Vec<PathBuf> = FOLDERS.iter().map(|name| git_dir.join(name)).collect();
    direct.or_else(|| {
        while let Some(folder) = pending.pop() {
            if Instant::now() > deadline {
                return None;
            }
            for (path, kind) in entries(&folder) {
                if kind.is_dir() {
                    // A linked worktree contains the git directories of its submodules, with their objects.
                    let is_submodules =
                        path.ends_with("modules") && path.starts_with(git_dir.join("worktrees"));
                    pending.extend((!is_submodules).then_some(path));
                } else if !kind.is_file() && would_block(&path) && !skipped.contains(&path) {
                    return Some(path);
                }
            }
        }
        None
    })
}

/// Returns the file of the current commit's reference if it would block git. [`blocking_in_git_dir`] does not find it in a
/// linked folder.
fn blocking_head(repository: &Repository) -> Option<PathBuf> {
    let mut name = "HEAD".to_owned();
    for _ in 0..MAX_SYMBOLIC_REFERENCES {
        let paths = [&repository.git_dir, &repository.common_dir].map(|dir| dir.join(&name));
        if let Some(path) = paths.iter().find(|path| would_block(path)) {
            return Some(path.clone());
        }
        let line = paths.iter().find_map(|path| read_line(path))?;
        line.strip_prefix("ref:")?.trim().clone_into(&mut name);
    }
    None
}

fn entries(folder: &Path) -> Vec<(PathBuf, fs::FileType)> {
    let found = fs::read_dir(folder).into_iter().flatten().flatten();
    found.filter_map(|entry| Some((entry.path(), entry.file_type().ok()?))).collect()
}

/// Returns whether a configuration file may include others. The name of the section is never quoted or escaped.
fn may_include(file: &Path) -> bool {
    let text = read_config(file).unwrap_or_default().to_ascii_lowercase();
    text.len() as u64 >= MAX_CONFIG_BYTES || text.contains("include")
}

/// Returns the values of a key in a configuration file, in all sections. Supports quotes, but not all escape sequences.
pub(super) fn values_of<'a>(text: &'a str, key: &'a str) -> impl Iterator<Item = String> + 'a {
    text.lines().filter_map(move |line| {
        let line = line.trim_start();
        // A key can follow its section's name on the same line.
        let line =
            line.strip_prefix('[').and_then(|rest| rest.rsplit_once(']')).map_or(line, |it| it.1);
        let (name, value) = line.split_once('=')?;
        name.trim().eq_ignore_ascii_case(key).then(|| {
            let value = value.trim();
            let plain = value.split(['#', ';']).next().unwrap_or_default().trim_end();
            let quoted = value.strip_prefix('"').and_then(|rest| rest.split_once('"'));
            let value = quoted.map_or(plain, |(inner, _)| inner);
            value.replace("\\\\", "\\")
        })
    })
}

/// Reads a configuration file. Returns `None` if it is missing, too large, or not a regular file.
pub(super) fn read_config(path: &Path) -> Option<String> {
    let file = fs::OpenOptions::new()
        .read(true)
        .custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
        .open(path)
        .ok()?;
    if !file.metadata().is_ok_and(|found| found.is_file()) {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MAX_CONFIG_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads the first line of a small file. Returns `None` if it is missing, empty, or not a regular file.
pub(super) fn read_line(path: &Path) -> Option<String> {
    let text = read_config(path)?;
    let line = text.lines().next()?.trim_end();
    (!line.is_empty()).then(|| line.to_owned())
}

fn blocking_below(top: &Path) -> Option<PathBuf> {
    let deadline = Instant::now() + SEARCH_TIMEOUT;
    let mut pending = vec![top.to_owned()];
    while let Some(folder) = pending.pop() {
        for (path, kind) in entries(&folder) {
            if Instant::now() > deadline {
                return None;
            }
            let name = path.file_name().unwrap_or_default();
            let is_special = !kind.is_dir() && !kind.is_file() && !kind.is_symlink();
            if name == ".git" {
                // Git reads the current commit of a nested repository.
                let git_dir = git_dir_of(&path).filter(|_| folder != top);
                let blocking = git_dir.and_then(|git_dir| blocking_in_git_dir(&git_dir, deadline));
                if blocking.is_some() {
                    return blocking;
                }
            } else if kind.is_dir() {
                pending.push(path);
            } else if is_special
                && would_block(&path)
                && NAMES_IN_EVERY_DIRECTORY.iter().any(|rules| name.eq_ignore_ascii_case(rules))
            {
                return Some(path);
            }
        }
    }
    None
}
