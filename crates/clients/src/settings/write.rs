//! Changes a client's files to install Adjutant, and restores them to uninstall it. The new content of all files is
//! computed first. Then backups are written and the files are replaced.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use disk::Links;

use super::journal::{Journal, mode_of};
use super::receipt::{Receipt, Written, sha256};
use super::{Content, Problem, Target};

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

impl Planned {
    fn new(target: &Target, current: Option<String>, is_known: bool, text: Option<String>) -> Self {
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
        let path = target.path.clone();
        let step = Step { path, action, backup: None, old_text: current, text };
        Self { step, is_known, mode }
    }
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
) -> Result<Vec<Step>, Problem> {
    let journal = (!is_dry).then(|| Journal::begin(receipt_path)).transpose()?;
    let mut receipt = Receipt::load(receipt_path);
    let mut planned = Vec::new();
    for target in targets {
        let current = read(&target.path)?;
        // A new installation starts from the content that the file had before an earlier installation.
        let before = receipt.before(&target.path, current.as_deref());
        let base = before.clone().unwrap_or_else(|| current.clone());
        let text = match &target.content {
            Content::Whole { text, .. } => text.clone(),
            Content::Entries { put, .. } => {
                put(base.as_deref()).map_err(|problem| problem.at(&target.path))?
            }
        };
        planned.push(Planned::new(target, current, before.is_some(), Some(text)));
    }
    if let Some(mut journal) = journal {
        let written = put_all(&mut planned, &mut receipt, receipt_path, stamp, &mut journal);
        journal.finish(written)?;
    }
    Ok(planned.into_iter().map(|planned| planned.step).collect())
}

/// Writes the backups and the receipt before any other file, so that the old content is not lost if the process is killed.
fn put_all(
    planned: &mut [Planned],
    receipt: &mut Receipt,
    receipt_path: &Path,
    stamp: &str,
    journal: &mut Journal,
) -> Result<(), Problem> {
    let changed = |planned: &&mut Planned| planned.step.action != Action::Keep;
    receipt.folders.extend(journal.folders.iter().cloned());
    for Planned { step, is_known, .. } in planned.iter_mut().filter(changed) {
        let known = receipt.files.get(&step.path).filter(|_| *is_known);
        let before = match known {
            Some(written) => written.before.clone(),
            None => back_up(journal, step, stamp)?,
        };
        step.backup.clone_from(&before);
        let after = sha256(step.text.as_deref().unwrap_or_default());
        receipt.files.insert(step.path.clone(), Written { before, after });
        receipt.folders.extend(missing_folders(&step.path));
    }
    if planned.iter_mut().any(|planned| changed(&planned)) {
        journal.write(receipt_path, Some(&receipt.text()), None)?;
    }
    for Planned { step, mode, .. } in planned.iter_mut().filter(changed) {
        journal.write(&step.path, step.text.as_deref(), *mode)?;
    }
    Ok(())
}

/// Returns the folders above a file that do not exist.
pub(crate) fn missing_folders(path: &Path) -> Vec<PathBuf> {
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
) -> Result<Vec<Step>, Problem> {
    let journal = (!is_dry).then(|| Journal::begin(receipt_path)).transpose()?;
    let mut receipt = Receipt::load(receipt_path);
    let mut planned = Vec::new();
    // The targets are processed in reverse order. The keys of trusted hashes contain the position of a hook, so the
    // hooks must be removed last.
    for target in targets.iter().rev() {
        let current = read(&target.path)?;
        let before = receipt.before(&target.path, current.as_deref());
        let text = match (&before, &current, &target.content) {
            (Some(before), ..) => before.clone(),
            (None, None, _) => None,
            (None, Some(text), Content::Whole { mark, .. }) if text.contains(mark) => None,
            // Without the mark, the file was replaced after the installation, so it is kept.
            (None, Some(text), Content::Whole { .. }) => Some(text.clone()),
            (None, Some(text), Content::Entries { take, .. }) => {
                Some(take(text).map_err(|problem| problem.at(&target.path))?)
            }
        };
        planned.push(Planned::new(target, current, before.is_some(), text));
    }
    if let Some(mut journal) = journal {
        receipt.folders.extend(journal.folders.iter().cloned());
        let restored = take_all(&mut planned, &mut receipt, receipt_path, stamp, &mut journal);
        for backup in journal.finish(restored)? {
            fs::remove_file(&backup).map_err(Problem::io(&backup))?;
        }
        // The deepest folders come first. A folder that contains other files by now is kept.
        for folder in receipt.folders.iter().rev() {
            let _is_removed = fs::remove_dir(folder);
        }
    }
    planned.reverse();
    Ok(planned.into_iter().map(|planned| planned.step).collect())
}

/// Writes the planned files and updates the receipt. Returns the backups whose content was restored.
fn take_all(
    planned: &mut [Planned],
    receipt: &mut Receipt,
    receipt_path: &Path,
    stamp: &str,
    journal: &mut Journal,
) -> Result<Vec<PathBuf>, Problem> {
    let mut restored = Vec::new();
    for Planned { step, is_known, mode } in planned {
        if step.action != Action::Keep {
            if !*is_known {
                step.backup = back_up(journal, step, stamp)?;
            }
            journal.write(&step.path, step.text.as_deref(), *mode)?;
        }
        let written = receipt.files.remove(&step.path);
        restored.extend(written.filter(|_| *is_known).and_then(|written| written.before));
    }
    if receipt_path.exists() {
        let text = (!receipt.files.is_empty()).then(|| receipt.text());
        journal.write(receipt_path, text.as_deref(), None)?;
    }
    if receipt.files.is_empty() {
        hand_over_folders(receipt, receipt_path, journal)?;
    }
    Ok(restored)
}

/// Adds the folders of a receipt that is being deleted to another receipt. Clients share folders, such as the state
/// folder, and these can be removed only when the last client is uninstalled.
fn hand_over_folders(
    receipt: &Receipt,
    receipt_path: &Path,
    journal: &mut Journal,
) -> Result<(), Problem> {
    let entries = receipt_path.parent().and_then(|folder| fs::read_dir(folder).ok());
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let is_receipt = |path: &PathBuf| path.extension().is_some_and(|it| it == "json");
    let Some(other) = paths.filter(is_receipt).min() else { return Ok(()) };
    let mut heir = Receipt::load(&other);
    if heir.files.is_empty() {
        return Ok(());
    }
    heir.folders.extend(receipt.folders.iter().cloned());
    journal.write(&other, Some(&heir.text()), None)
}

/// Reads a settings file. Returns `None` if the file does not exist, and an error for a dangling link.
pub(crate) fn read(path: &Path) -> Result<Option<String>, Problem> {
    match disk::read_text(path, Links::Follow, MAX_BYTES) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match path.read_link() {
            Ok(_) => {
                Err(Problem::io(path)(io::Error::other("is a link to a file that does not exist")))
            }
            Err(_) => Ok(None),
        },
        Err(error) => Err(Problem::io(path)(error)),
    }
}

fn back_up(journal: &mut Journal, step: &Step, stamp: &str) -> Result<Option<PathBuf>, Problem> {
    let (Some(current), path) = (&step.old_text, &step.path) else { return Ok(None) };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let backup = (0..)
        .map(|number| match number {
            0 => path.with_file_name(format!("{name}.adjutant-{stamp}.bak")),
            _ => path.with_file_name(format!("{name}.adjutant-{stamp}-{number}.bak")),
        })
        .find(|candidate| !candidate.exists())
        .unwrap_or_default();
    journal.write(&backup, Some(current), mode_of(path))?;
    Ok(Some(backup))
}

/// Replaces a file, or removes it if `text` is `None`. Links are followed. The permissions are kept unless `mode` is given.
pub(crate) fn replace(path: &Path, text: Option<&str>, mode: Option<u32>) -> Result<(), Problem> {
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let Some(text) = text else { return fs::remove_file(path).map_err(Problem::io(path)) };
    let folder = path.parent().unwrap_or(Path::new("."));
    // Other users must not be able to change the settings, whatever the umask permits.
    let created = DirBuilder::new().recursive(true).mode(NEW_FOLDER).create(folder);
    created.map_err(Problem::io(folder))?;
    disk::replace_file(path, text.as_bytes(), mode).map_err(Problem::io(path))
}

#[cfg(test)]
mod tests;
