//! All files or none: everything is worked out first, then each file is backed up and replaced whole.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::Target;
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

/// Puts everything in. `stamp` names the backups; with `is_dry` nothing is written.
pub fn install(
    targets: &[Target],
    receipt_path: &Path,
    stamp: &str,
    is_dry: bool,
) -> Result<Vec<Step>, Problem> {
    let mut receipt = Receipt::load(receipt_path);
    let mut planned = Vec::new();
    for target in targets {
        let current = read(&target.path)?;
        // An earlier install of ours is worked upon as if it had never been.
        let pristine = receipt.before(&target.path, current.as_deref());
        let base = pristine.clone().unwrap_or_else(|| current.clone());
        let text = (target.put)(base.as_deref()).map_err(|problem| problem.at(&target.path))?;
        planned.push((target, current, pristine.is_some(), text));
    }
    let mut steps = Vec::new();
    for (target, current, is_upgrade, text) in planned {
        let mut step = step(&target.path, current.as_deref(), text);
        if step.action != Action::Keep && !is_dry {
            let known = receipt.files.get(&target.path).filter(|_| is_upgrade);
            let before = match known {
                Some(written) => written.before.clone(),
                None => back_up(&target.path, current.as_deref(), stamp)?,
            };
            replace(&target.path, step.text.as_deref(), mode(target))?;
            let after = sha256(step.text.as_deref().unwrap_or_default());
            step.backup.clone_from(&before);
            receipt.files.insert(target.path.clone(), Written { before, after });
            receipt.save(receipt_path)?;
        }
        steps.push(step);
    }
    Ok(steps)
}

/// Takes everything out: the bytes of before if nobody else wrote since, else our entries one by one.
pub fn uninstall(
    targets: &[Target],
    receipt_path: &Path,
    stamp: &str,
    is_dry: bool,
) -> Result<Vec<Step>, Problem> {
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
        planned.push((target, current, restored.is_some(), text));
    }
    let mut steps = Vec::new();
    for (target, current, is_restored, text) in planned {
        let mut step = step(&target.path, current.as_deref(), text);
        if step.action != Action::Keep && !is_dry {
            if !is_restored {
                step.backup = back_up(&target.path, current.as_deref(), stamp)?;
            }
            replace(&target.path, step.text.as_deref(), mode(target))?;
        }
        if !is_dry && let Some(written) = receipt.files.remove(&target.path) {
            // A backup whose bytes are back in their place has done its work.
            if let (true, Some(backup)) = (is_restored, written.before) {
                fs::remove_file(&backup).map_err(Problem::io(&backup))?;
            }
        }
        steps.push(step);
    }
    if !is_dry && receipt_path.exists() {
        if receipt.files.is_empty() {
            fs::remove_file(receipt_path).map_err(Problem::io(receipt_path))?;
        } else {
            receipt.save(receipt_path)?;
        }
    }
    steps.reverse();
    Ok(steps)
}

fn step(path: &Path, current: Option<&str>, text: Option<String>) -> Step {
    let action = match (current, text.as_deref()) {
        (None, Some(_)) => Action::Create,
        (Some(_), None) => Action::Remove,
        (Some(current), Some(text)) if current != text => Action::Change,
        (Some(_), Some(_)) | (None, None) => Action::Keep,
    };
    Step { path: path.to_owned(), action, backup: None, text }
}

fn mode(target: &Target) -> Option<u32> {
    target.is_whole.then_some(0o755)
}

pub(crate) fn read(path: &Path) -> Result<Option<String>, Problem> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Problem::io(path)(error)),
    }
}

fn back_up(path: &Path, current: Option<&str>, stamp: &str) -> Result<Option<PathBuf>, Problem> {
    let Some(current) = current else { return Ok(None) };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let backup = (0..)
        .map(|number| match number {
            0 => path.with_file_name(format!("{name}.adjutant-{stamp}.bak")),
            _ => path.with_file_name(format!("{name}.adjutant-{stamp}-{number}.bak")),
        })
        .find(|candidate| !candidate.exists())
        .unwrap_or_default();
    let mode = fs::metadata(path).ok().map(|found| found.permissions().mode() & 0o777);
    replace(&backup, Some(current), mode)?;
    Ok(Some(backup))
}

/// Whole or not at all; what is a link stays one. A file keeps its permissions unless it gets others.
pub(crate) fn replace(path: &Path, text: Option<&str>, mode: Option<u32>) -> Result<(), Problem> {
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let Some(text) = text else { return fs::remove_file(path).map_err(Problem::io(path)) };
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(Problem::io(folder))?;
    let known = fs::metadata(path).ok().map(|found| found.permissions().mode() & 0o777);
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
