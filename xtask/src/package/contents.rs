//! Collects the files for the archive. The programs are in the plugin folder, because a client copies that folder and
//! must find the programs in it. `bin` contains links to them.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::archive::Contents;
use super::build::Programs;
use super::{PROGRAMS, cannot};
use crate::root;

/// Files in the checkout that are included in every package.
const DOCUMENTS: [&str; 5] =
    ["LICENSE-APACHE", "LICENSE-LGPL-2.1", "LICENSE-MIT", "NOTICE", "README.md"];
/// The supported shells, each with the prefix and the suffix of a completion file's name.
const COMPLETIONS: [(&str, &str, &str); 3] =
    [("bash", "", ".bash"), ("fish", "", ".fish"), ("zsh", "_", "")];

pub(super) fn archive(programs: &Programs) -> Result<Contents, String> {
    let mut contents = plugin(programs)?;
    contents.extend(documents()?);
    for program in &PROGRAMS {
        let name = program.name;
        contents.add_link(format!("bin/{name}"), format!("../plugin/bin/{name}"));
    }
    let adjutant = programs.folder.join("adjutant");
    for program in PROGRAMS.iter().filter(|program| program.is_command) {
        for (shell, prefix, suffix) in COMPLETIONS {
            let script = printed(&adjutant, &["completions", shell, "--program", program.name])?;
            contents.add(format!("completions/{prefix}{}{suffix}", program.name), script);
        }
    }
    contents.extend(manual_pages(&adjutant)?);
    Ok(contents)
}

/// Returns the plugin folder with the programs, and the marketplace file that lists the plugin.
pub(super) fn plugin(programs: &Programs) -> Result<Contents, String> {
    let mut contents = Contents::default();
    for file in clients::plugin_files(clients::PluginPrograms::Inside)
        .map_err(|problem| problem.to_string())?
    {
        if file.is_program {
            contents.add_program(file.path, file.text);
        } else {
            contents.add(file.path, file.text);
        }
    }
    contents.add("plugin/README.md", from_checkout("plugin/README.md")?);
    for program in &PROGRAMS {
        contents.add_program(format!("plugin/bin/{}", program.name), programs.read(program.name)?);
    }
    Ok(contents)
}

pub(super) fn documents() -> Result<Contents, String> {
    let mut contents = Contents::default();
    for name in DOCUMENTS {
        contents.add(name, from_checkout(name)?);
    }
    Ok(contents)
}

fn from_checkout(name: &str) -> Result<Vec<u8>, String> {
    let path = root().join(name);
    fs::read(&path).map_err(|error| cannot("read", &path, error))
}

fn manual_pages(adjutant: &Path) -> Result<Contents, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("cannot create a folder: {error}"))?;
    let path = folder.path().to_string_lossy();
    printed(adjutant, &["man", &path])?;
    let entries =
        fs::read_dir(folder.path()).map_err(|error| cannot("read", folder.path(), error))?;
    let mut contents = Contents::default();
    for page in entries.flatten().map(|entry| entry.path()) {
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read(&page).map_err(|error| cannot("read", &page, error))?;
        contents.add(format!("man/man1/{name}"), text);
    }
    Ok(contents)
}

/// Runs a built program without this machine's environment variables and returns its standard output.
#[expect(
    clippy::disallowed_methods,
    reason = "a chore runs a built program; it is not part of the product"
)]
fn printed(program: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new(program).args(arguments).env_clear().output().map_err(|error| {
        let hint = "hint: package a target on a machine that can run its programs";
        format!("cannot start `{}`: {error}\n\n{hint}", program.display())
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!("`{} {}` failed: {message}", program.display(), arguments.join(" ")))
}
