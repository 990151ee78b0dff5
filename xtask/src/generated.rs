//! Generates the checked-in files: the JSON Schema of JSON 1.0, the plugin folder, and the tables of settings.
//!
//! `cargo xtask generate` writes the files, and `cargo xtask ci` fails if one of them is out of date.

mod settings;

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::process::ExitCode;

use crate::output::{print_message, print_result};
use crate::root;

struct Generated {
    path: &'static str,
    text: String,
    is_program: bool,
}

pub(crate) fn write() -> ExitCode {
    let files = match files() {
        Ok(files) => files,
        Err(complaint) => {
            print_message(&format!("error: {complaint}"));
            return ExitCode::FAILURE;
        }
    };
    for file in files.iter().filter(|file| !is_as_generated(file)) {
        if let Err(error) = write_file(file) {
            print_message(&format!("error: cannot write `{}`: {error}", file.path));
            return ExitCode::FAILURE;
        }
        print_result(file.path);
    }
    ExitCode::SUCCESS
}

pub(crate) fn is_current() -> bool {
    let files = match files() {
        Ok(files) => files,
        Err(complaint) => {
            print_message(&format!("error: {complaint}"));
            return false;
        }
    };
    let stale: Vec<&str> =
        files.iter().filter(|file| !is_as_generated(file)).map(|file| file.path).collect();
    if !stale.is_empty() {
        print_message(&format!(
            "error: generated files are out of date: {}\n\nhint: run `cargo xtask generate` and review the changes",
            stale.join(", ")
        ));
    }
    stale.is_empty()
}

fn files() -> Result<Vec<Generated>, String> {
    let schema = serde_json::to_string_pretty(&contract::json_schema()).unwrap_or_default() + "\n";
    let mut files =
        vec![Generated { path: "docs/schema/briefing-1.0.json", text: schema, is_program: false }];
    let plugin = clients::plugin_files(clients::PluginPrograms::OnPath)
        .map_err(|problem| problem.to_string())?;
    files.extend(plugin.into_iter().map(|file| {
        let clients::PluginFile { path, text, is_program } = file;
        Generated { path, text, is_program }
    }));
    let current = fs::read_to_string(root().join(settings::PATH)).unwrap_or_default();
    let text = settings::page(&current)?;
    files.push(Generated { path: settings::PATH, text, is_program: false });
    Ok(files)
}

fn is_as_generated(file: &Generated) -> bool {
    let path = root().join(file.path);
    let is_program = fs::metadata(&path).is_ok_and(|found| found.permissions().mode() & 0o100 != 0);
    fs::read_to_string(&path).is_ok_and(|text| text == file.text) && is_program == file.is_program
}

fn write_file(file: &Generated) -> io::Result<()> {
    let path = root().join(file.path);
    fs::create_dir_all(path.parent().unwrap_or(root()))?;
    fs::write(&path, &file.text)?;
    fs::set_permissions(&path, Permissions::from_mode(if file.is_program { 0o755 } else { 0o644 }))
}
