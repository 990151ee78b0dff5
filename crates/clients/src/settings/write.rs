//! Changes a client's files to install Adjutant, and restores them to uninstall it. The new content of all files is
//! computed first. Then backups are written and the files are replaced.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use disk::Links;

use super::receipt::{OldText, Receipt, Written, sha256};
use super::{Content, SettingsProblem, Target};
use crate::transcript::listed;

/// Maximum size of a settings file, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// The permissions of a folder that is created for settings.
const NEW_FOLDER: u32 = 0o755;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Create,
    Change,
    Remove,
    Keep,
}

/// The change to one file. A dry run only reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub path: PathBuf,
    pub action: Action,
    /// The backup file with the old content.
    pub backup: Option<PathBuf>,
    /// The old content, or `None` if the file does not exist.
    pub old_text: Option<String>,
    /// The new content, or `None` if the file is removed.
    pub text: Option<String>,
}

/// A step with the data that is needed to carry it out.
struct Planned {
    step: Step,
    /// Whether the receipt contains the state of the file before the installation.
    is_known: bool,
    mode: Option<u32>,
}

/// Plans the change to one file. `new_text` returns the new content of the file from its content before the installation,
/// if that is known, and its current content.
fn plan(
    target: &Target,
    receipt: &Receipt,
    new_text: impl FnOnce(&Content, OldText, Option<&str>) -> Result<Option<String>, SettingsProblem>,
) -> Result<Planned, SettingsProblem> {
    let current = read(&target.path)?;
    let before = receipt.before(&target.path, current.as_deref());
    let is_known = before.is_some();
    let text = new_text(&target.content, before, current.as_deref())
        .map_err(|problem| problem.at(&target.path))?;
    let mode = match &target.content {
        Content::Whole { mode, .. } => Some(*mode),
        Content::Entries { .. } => None,
    };
    let lost_mode =
        mode.zip(mode_of(&target.path)).is_some_and(|(mode, is)| mode & !is & 0o100 != 0);
    let action = match (current.as_deref(), text.as_deref()) {
        (None, Some(_)) => Action::Create,
        (Some(_), None) => Action::Remove,
        (Some(current), Some(text)) if current != text || lost_mode => Action::Change,
        (Some(_), Some(_)) | (None, None) => Action::Keep,
    };
    let step = Step { path: target.path.clone(), action, backup: None, old_text: current, text };
    Ok(Planned { step, is_known, mode })
}

/// Installs all targets. `stamp` is part of the backup file names. If `is_dry` is true, no file is written.
///
/// # Errors
/// Fails if a file cannot be read, parsed or written. All files are then restored.
pub fn install(
    targets: &[Target],
    receipt_path: &Path,
    stamp: &str,
    is_dry: bool,
) -> Result<Vec<Step>, SettingsProblem> {
    let journal = (!is_dry).then(|| Journal::begin(receipt_path, stamp)).transpose()?;
    let receipt = Receipt::load(receipt_path);
    let planned = targets.iter().map(|target| plan(target, &receipt, installed_text));
    let mut planned = planned.collect::<Result<Vec<Planned>, SettingsProblem>>()?;
    if let Some(mut journal) = journal {
        let written = put_all(&mut planned, receipt, &mut journal);
        journal.finish(written)?;
    }
    Ok(planned.into_iter().map(|planned| planned.step).collect())
}

/// A new installation starts from the content that the file had before an earlier installation.
fn installed_text(
    content: &Content,
    before: OldText,
    current: Option<&str>,
) -> Result<Option<String>, SettingsProblem> {
    match content {
        Content::Whole { text, .. } => Ok(Some(text.clone())),
        Content::Entries { put, .. } => {
            let base = before.as_ref().map_or(current, Option::as_deref);
            put(base).map(Some)
        }
    }
}

/// Writes the backups and the receipt before any other file, so that the old content is not lost if the process is killed.
fn put_all(
    planned: &mut [Planned],
    mut receipt: Receipt,
    journal: &mut Journal<'_>,
) -> Result<(), SettingsProblem> {
    let changed = |planned: &&mut Planned| planned.step.action != Action::Keep;
    receipt.folders.extend(journal.folders.iter().cloned());
    for Planned { step, is_known, .. } in planned.iter_mut().filter(changed) {
        let known = receipt.files.get(&step.path).filter(|_| *is_known);
        let before = match known {
            Some(written) => written.before.clone(),
            None => journal.back_up(step)?,
        };
        step.backup.clone_from(&before);
        let after = sha256(step.text.as_deref().unwrap_or_default());
        receipt.files.insert(step.path.clone(), Written { before, after });
        receipt.folders.extend(missing_folders(&step.path));
    }
    if planned.iter_mut().any(|planned| changed(&planned)) {
        journal.write(journal.receipt_path, Some(&receipt.text()), None)?;
    }
    for Planned { step, mode, .. } in planned.iter_mut().filter(changed) {
        journal.write(&step.path, step.text.as_deref(), *mode)?;
    }
    Ok(())
}

/// Returns the folders above a file that do not exist.
fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let folders = path.ancestors().skip(1).take_while(|folder| !folder.exists());
    folders.map(Path::to_owned).collect()
}

/// Undoes an installation: restores the old content of each file. If a file was changed after the installation, only
/// removes Adjutant's entries.
///
/// # Errors
/// Fails for the same reasons as [`install`], and if a backup cannot be deleted after the files have been restored.
pub fn uninstall(
    targets: &[Target],
    receipt_path: &Path,
    stamp: &str,
    is_dry: bool,
) -> Result<Vec<Step>, SettingsProblem> {
    let journal = (!is_dry).then(|| Journal::begin(receipt_path, stamp)).transpose()?;
    let mut receipt = Receipt::load(receipt_path);
    // The targets are processed in reverse order. The keys of trusted hashes contain the position of a hook, so the
    // hooks must be removed last.
    let planned = targets.iter().rev().map(|target| plan(target, &receipt, uninstalled_text));
    let mut planned = planned.collect::<Result<Vec<Planned>, SettingsProblem>>()?;
    if let Some(mut journal) = journal {
        receipt.folders.extend(journal.folders.iter().cloned());
        let restored = take_all(&mut planned, &mut receipt, &mut journal);
        for backup in journal.finish(restored)? {
            fs::remove_file(&backup).map_err(SettingsProblem::io(&backup))?;
        }
        // The deepest folders come first. A folder that contains other files by now is kept.
        for folder in receipt.folders.iter().rev() {
            let _is_removed = fs::remove_dir(folder);
        }
    }
    planned.reverse();
    Ok(planned.into_iter().map(|planned| planned.step).collect())
}

fn uninstalled_text(
    content: &Content,
    before: OldText,
    current: Option<&str>,
) -> Result<Option<String>, SettingsProblem> {
    match (before, current, content) {
        (Some(before), ..) => Ok(before),
        (None, None, _) => Ok(None),
        (None, Some(text), Content::Whole { mark, .. }) if text.contains(mark) => Ok(None),
        // Without the mark, the file was replaced after the installation, so it is kept.
        (None, Some(text), Content::Whole { .. }) => Ok(Some(text.to_owned())),
        (None, Some(text), Content::Entries { take, .. }) => take(text).map(Some),
    }
}

/// Writes the planned files and updates the receipt. Returns the backups whose content was restored.
fn take_all(
    planned: &mut [Planned],
    receipt: &mut Receipt,
    journal: &mut Journal<'_>,
) -> Result<Vec<PathBuf>, SettingsProblem> {
    let mut restored = Vec::new();
    for Planned { step, is_known, mode } in planned {
        if step.action != Action::Keep {
            if !*is_known {
                step.backup = journal.back_up(step)?;
            }
            journal.write(&step.path, step.text.as_deref(), *mode)?;
        }
        let written = receipt.files.remove(&step.path);
        restored.extend(written.filter(|_| *is_known).and_then(|written| written.before));
    }
    if journal.receipt_path.exists() {
        let text = (!receipt.files.is_empty()).then(|| receipt.text());
        journal.write(journal.receipt_path, text.as_deref(), None)?;
    }
    if receipt.files.is_empty() {
        hand_over_folders(receipt, journal)?;
    }
    Ok(restored)
}

/// Adds the folders of a receipt that is being deleted to another receipt. Clients share folders, such as the state
/// folder, and these can be removed only when the last client is uninstalled.
fn hand_over_folders(receipt: &Receipt, journal: &mut Journal<'_>) -> Result<(), SettingsProblem> {
    let others = journal.receipt_path.parent().map(listed).unwrap_or_default();
    let is_receipt = |path: &PathBuf| path.extension().is_some_and(|it| it == "json");
    let Some(other) = others.into_iter().find(is_receipt) else { return Ok(()) };
    let mut heir = Receipt::load(&other);
    if heir.files.is_empty() {
        return Ok(());
    }
    heir.folders.extend(receipt.folders.iter().cloned());
    journal.write(&other, Some(&heir.text()), None)
}

/// Writes several files, and restores all of them if one file cannot be written.
struct Journal<'a> {
    receipt_path: &'a Path,
    /// A part of the names of backups.
    stamp: &'a str,
    /// The path, the old content and the old permissions of each written file. The content and the permissions are `None`
    /// if the file did not exist.
    before: Vec<(PathBuf, Option<String>, Option<u32>)>,
    /// The folders that did not exist, the deepest first.
    folders: Vec<PathBuf>,
    /// The lock on the receipt folder. The system releases it when the process ends.
    _lock: File,
}

impl<'a> Journal<'a> {
    /// Locks the receipt folder. Blocks while another installation is running.
    fn begin(receipt_path: &'a Path, stamp: &'a str) -> Result<Self, SettingsProblem> {
        let folder = receipt_path.parent().unwrap_or(Path::new("."));
        let folders = missing_folders(receipt_path);
        disk::create_private_folder(folder).map_err(SettingsProblem::io(folder))?;
        let lock = File::open(folder).map_err(SettingsProblem::io(folder))?;
        lock.lock().map_err(SettingsProblem::io(folder))?;
        Ok(Self { receipt_path, stamp, before: Vec::new(), folders, _lock: lock })
    }

    fn write(
        &mut self,
        path: &Path,
        text: Option<&str>,
        mode: Option<u32>,
    ) -> Result<(), SettingsProblem> {
        self.before.push((path.to_owned(), read(path)?, mode_of(path)));
        self.folders.splice(0..0, missing_folders(path));
        replace(path, text, mode)
    }

    /// Writes the old content of a file to a new file next to it. Returns `None` if the file does not exist.
    fn back_up(&mut self, step: &Step) -> Result<Option<PathBuf>, SettingsProblem> {
        let (Some(current), path) = (&step.old_text, &step.path) else { return Ok(None) };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stamp = self.stamp;
        let backup = (0..)
            .map(|number| match number {
                0 => path.with_file_name(format!("{name}.adjutant-{stamp}.bak")),
                _ => path.with_file_name(format!("{name}.adjutant-{stamp}-{number}.bak")),
            })
            .find(|candidate| !candidate.exists())
            .unwrap_or_default();
        self.write(&backup, Some(current), mode_of(path))?;
        Ok(Some(backup))
    }

    /// Returns `result`. Restores all files if `result` is an error.
    fn finish<T>(self, result: Result<T, SettingsProblem>) -> Result<T, SettingsProblem> {
        if result.is_err() {
            for (path, text, mode) in self.before.into_iter().rev() {
                // This may fail for the file that could not be written, but that file is unchanged.
                let _restored = replace(&path, text.as_deref(), mode);
            }
            for folder in self.folders {
                let _is_removed = fs::remove_dir(folder);
            }
        }
        result
    }
}

fn mode_of(path: &Path) -> Option<u32> {
    fs::metadata(path).ok().map(|found| found.permissions().mode() & 0o777)
}

/// Reads a settings file. Returns `None` if the file does not exist, and an error for a dangling link.
pub(crate) fn read(path: &Path) -> Result<Option<String>, SettingsProblem> {
    match disk::read_text(path, Links::Follow, MAX_BYTES) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match path.read_link() {
            Ok(_) => Err(SettingsProblem::io(path)(io::Error::other(
                "is a link to a file that does not exist",
            ))),
            Err(_) => Ok(None),
        },
        Err(error) => Err(SettingsProblem::io(path)(error)),
    }
}

/// Replaces a file, or removes it if `text` is `None`. Links are followed. The permissions are kept unless `mode` is given.
fn replace(path: &Path, text: Option<&str>, mode: Option<u32>) -> Result<(), SettingsProblem> {
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let Some(text) = text else { return fs::remove_file(path).map_err(SettingsProblem::io(path)) };
    let folder = path.parent().unwrap_or(Path::new("."));
    // Other users must not be able to change the settings, whatever the umask permits.
    let created = DirBuilder::new().recursive(true).mode(NEW_FOLDER).create(folder);
    created.map_err(SettingsProblem::io(folder))?;
    disk::replace_file(path, text.as_bytes(), mode).map_err(SettingsProblem::io(path))
}

#[cfg(test)]
mod tests;
