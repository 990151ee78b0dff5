//! Checks finished packages: a second run must write the same bytes, and the packages must be installable.

use std::path::Path;
use std::process::Command;

use super::build::Programs;
use super::target::Target;
use super::{products, write_all};
use crate::output::print_message;
use crate::root;

/// The environment variable that tells the tests which folder contains the packages.
const PACKAGES: &str = "ADJUTANT_TEST_PACKAGES";

pub(super) fn is_reproducible(
    programs: &Programs,
    target: &Target,
    epoch: u64,
    out: &Path,
) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| format!("cannot create a folder: {error}"))?;
    write_all(programs, target, epoch, folder.path())?;
    let (first, second) = (products(out)?, products(folder.path())?);
    if first.keys().ne(second.keys()) {
        return Err("a second run writes other files".to_owned());
    }
    match first.iter().find(|(name, bytes)| second.get(*name) != Some(*bytes)) {
        Some((name, _)) => Err(format!("a second run writes other bytes to `{name}`")),
        None => {
            print_message(&format!("a second run writes the same bytes to {} files", first.len()));
            Ok(())
        }
    }
}

/// Runs the tests that install the packages. Other test runs ignore these tests, because they need the packages.
#[expect(clippy::disallowed_methods, reason = "a chore runs cargo; it is not part of the product")]
pub(super) fn can_be_installed(out: &Path) -> Result<(), String> {
    let out = out.canonicalize().map_err(|error| super::cannot("find", out, error))?;
    let arguments = [
        "test",
        "--locked",
        "--package",
        "adjutant",
        "--test",
        "real_clients",
        "--",
        "--ignored",
        "packages::",
    ];
    let status =
        Command::new("cargo").args(arguments).env(PACKAGES, out).current_dir(root()).status();
    if status.is_ok_and(|status| status.success()) {
        Ok(())
    } else {
        Err("the packages could not be installed".to_owned())
    }
}
