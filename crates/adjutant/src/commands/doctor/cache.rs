//! Checks the cache folder: its path, whether it is writable, and its size.

use std::fs;
use std::path::Path;

use clients::Check;
use process::Environment;
use serde_json::json;

use crate::edge;

/// The maximum number of files to count, so that the check is fast.
const MAX_FILES: usize = 200_000;

pub(super) fn check(environment: &Environment) -> Check {
    const NAME: &str = "cache";
    const FIX: &str = "set ADJUTANT_CACHE_DIR to a writable folder";
    if let Some(problem) = edge::refused_folders(environment).into_iter().next() {
        let fix = "make the folder your own, or set ADJUTANT_CACHE_DIR and ADJUTANT_STATE_DIR";
        return Check::bad(NAME, problem, fix);
    }
    let Some(folder) = edge::cache_directory(environment) else {
        return Check::lacking(
            NAME,
            "no cache folder is known: prompts are briefed without an index",
            FIX,
        );
    };
    let place = folder.display();
    if let Err(error) = write(&folder) {
        let text =
            format!("{place} cannot be written to ({error}): prompts are briefed without an index");
        return Check::lacking(NAME, text, FIX);
    }
    let (bytes, n_files) = size(&folder);
    let details = json!({ "folder": folder, "bytes": bytes, "files": n_files });
    Check::good(NAME, format!("{place}, {:.1} MB", bytes as f64 / 1e6)).with(details)
}

fn write(folder: &Path) -> std::io::Result<()> {
    disk::create_private_folder(folder)?;
    let file = folder.join(format!(".doctor-{}", std::process::id()));
    fs::write(&file, "x")?;
    fs::remove_file(file)
}

/// Returns the total size in bytes and the number of files. Does not follow symbolic links.
fn size(folder: &Path) -> (u64, usize) {
    let (mut bytes, mut n_files) = (0, 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(found) = entry.metadata() else { continue };
            if found.is_dir() {
                folders.push(entry.path());
            } else {
                bytes += found.len();
                n_files += 1;
            }
            if n_files >= MAX_FILES {
                return (bytes, n_files);
            }
        }
    }
    (bytes, n_files)
}
