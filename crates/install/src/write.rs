//! All files or none: everything is worked out first, then all is backed up, then each file is replaced whole.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use disk::Links;

use crate::Target;
use crate::journal::{Journal, mode_of};
use crate::problem::Problem;
use crate::receipt::{Receipt, Written, sha256};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Create,
    Change,
    Remove,
    Keep,
}

/// What is done, or would be done, to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub path: PathBuf,
    pub action: Action,
    /// Where the bytes of before were put.
    pub backup: Option<PathBuf>,
    /// The text it gets.
    pub text: Option<String>,
}

/// A step, and what it takes to do it.
struct Planned {
    step: Step,
    current: Option<String>,
    /// Our receipt says what was there before.
    is_known: bool,
    mode: Option<u32>,
}

impl Planned {
    fn new(target: &Target, current: Option<String>, is_known: bool, text: Option<String>) -> Self {
        let mode = mode(target);
        let lacks_mode = mode.is_some() && mode_of(&target.path).is_some_and(|it| it & 0o100 == 0);
        let action = match (current.as_deref(), text.as_deref()) {
            (None, Some(_)) => Action::Create,
            (Some(_), None) => Action::Remove,
            (Some(current), Some(text)) if current != text || lacks_mode => Action::Change,
            (Some(_), Some(_)) | (None, None) => Action::Keep,
        };
        let step = Step { path: target.path.clone(), action, backup: None, text };
        Self { step, current, is_known, mode }
    }
}

/// Puts everything in. `stamp` names the backups; with `is_dry` nothing is written.
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
        // An earlier install of ours is worked upon as if it had never been.
        let pristine = receipt.before(&target.path, current.as_deref());
        let base = pristine.clone().unwrap_or_else(|| current.clone());
        let text = (target.put)(base.as_deref()).map_err(|problem| problem.at(&target.path))?;
        planned.push(Planned::new(target, current, pristine.is_some(), text));
    }
    if let Some(mut journal) = journal {
        let written = put_all(&mut planned, &mut receipt, receipt_path, stamp, &mut journal);
        journal.settle(written)?;
    }
    Ok(planned.into_iter().map(|planned| planned.step).collect())
}

/// The receipt comes before what it is for: whoever is killed in between has backups and nothing changed.
fn put_all(
    planned: &mut [Planned],
    receipt: &mut Receipt,
    receipt_path: &Path,
    stamp: &str,
    journal: &mut Journal,
) -> Result<(), Problem> {
    let changed = |planned: &&mut Planned| planned.step.action != Action::Keep;
    for Planned { step, current, is_known, .. } in planned.iter_mut().filter(changed) {
        let known = receipt.files.get(&step.path).filter(|_| *is_known);
        let before = match known {
            Some(written) => written.before.clone(),
            None => back_up(journal, &step.path, current.as_deref(), stamp)?,
        };
        step.backup.clone_from(&before);
        let after = sha256(step.text.as_deref().unwrap_or_default());
        receipt.files.insert(step.path.clone(), Written { before, after });
    }
    if planned.iter_mut().any(|planned| changed(&planned)) {
        journal.write(receipt_path, Some(&receipt.text()), None)?;
    }
    for Planned { step, mode, .. } in planned.iter_mut().filter(changed) {
        journal.write(&step.path, step.text.as_deref(), *mode)?;
    }
    Ok(())
}

/// Takes everything out: the bytes of before if nobody else wrote since, else our entries one by one.
pub fn uninstall(
    targets: &[Target],
    receipt_path: &Path,
    stamp: &str,
    is_dry: bool,
) -> Result<Vec<Step>, Problem> {
    let journal = (!is_dry).then(|| Journal::begin(receipt_path)).transpose()?;
    let mut receipt = Receipt::load(receipt_path);
    let mut planned = Vec::new();
    // Backwards: what names the place of another entry goes first.
    for target in targets.iter().rev() {
        let current = read(&target.path)?;
        let restored = receipt.before(&target.path, current.as_deref());
        let is_ours = |text: &str| text.contains(crate::command::MARK);
        let text = match restored.clone() {
            Some(before) => before,
            // A file that somebody else has written since is theirs.
            None if target.is_whole && !current.as_deref().is_some_and(is_ours) => current.clone(),
            None => {
                (target.take)(current.as_deref()).map_err(|problem| problem.at(&target.path))?
            }
        };
        planned.push(Planned::new(target, current, restored.is_some(), text));
    }
    if let Some(mut journal) = journal {
        let spent = take_all(&mut planned, &mut receipt, receipt_path, stamp, &mut journal);
        for backup in journal.settle(spent)? {
            fs::remove_file(&backup).map_err(Problem::io(&backup))?;
        }
    }
    planned.reverse();
    Ok(planned.into_iter().map(|planned| planned.step).collect())
}

/// Gives the backups that have done their work: their bytes are back in their place.
fn take_all(
    planned: &mut [Planned],
    receipt: &mut Receipt,
    receipt_path: &Path,
    stamp: &str,
    journal: &mut Journal,
) -> Result<Vec<PathBuf>, Problem> {
    let mut spent = Vec::new();
    for Planned { step, current, is_known, mode } in planned {
        if step.action != Action::Keep {
            if !*is_known {
                step.backup = back_up(journal, &step.path, current.as_deref(), stamp)?;
            }
            journal.write(&step.path, step.text.as_deref(), *mode)?;
        }
        let written = receipt.files.remove(&step.path);
        spent.extend(written.filter(|_| *is_known).and_then(|written| written.before));
    }
    if receipt_path.exists() {
        let text = (!receipt.files.is_empty()).then(|| receipt.text());
        journal.write(receipt_path, text.as_deref(), None)?;
    }
    Ok(spent)
}

fn mode(target: &Target) -> Option<u32> {
    target.is_whole.then_some(0o755)
}

/// No settings of a client are larger.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

pub(crate) fn read(path: &Path) -> Result<Option<String>, Problem> {
    match disk::read_text(path, Links::Follow, MAX_BYTES) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match path.read_link() {
            Ok(_) => Err(Problem::io(path)(io::Error::other("a link that leads nowhere"))),
            Err(_) => Ok(None),
        },
        Err(error) => Err(Problem::io(path)(error)),
    }
}

fn back_up(
    journal: &mut Journal,
    path: &Path,
    current: Option<&str>,
    stamp: &str,
) -> Result<Option<PathBuf>, Problem> {
    let Some(current) = current else { return Ok(None) };
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

/// Whole or not at all; what is a link stays one. A file keeps its permissions unless it gets others.
pub(crate) fn replace(path: &Path, text: Option<&str>, mode: Option<u32>) -> Result<(), Problem> {
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let Some(text) = text else { return fs::remove_file(path).map_err(Problem::io(path)) };
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(Problem::io(folder))?;
    let known = mode_of(path);
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(Problem::io(path))?;
    file.write_all(text.as_bytes()).map_err(Problem::io(path))?;
    let mode = fs::Permissions::from_mode(mode.or(known).unwrap_or(0o600));
    file.as_file().set_permissions(mode).map_err(Problem::io(path))?;
    file.as_file().sync_all().map_err(Problem::io(path))?;
    file.persist(path).map_err(|error| Problem::io(path)(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests;
