//! Finds client settings that refer to the `adjutant-hook` of another installation.

use std::path::{Path, PathBuf};

use clients::{Check, Client};
use disk::Links;
use process::Environment;

use crate::commands::install::{Place, version};
use crate::edge;

const HOOK: &str = "adjutant-hook";
const MAX_SETTINGS_BYTES: u64 = 4 * 1024 * 1024;

/// Checks the programs that the user's settings for a client refer to. Returns `None` if each of them is the
/// `adjutant-hook` of this installation or has the same version.
pub(super) fn check(
    client: &dyn Client,
    place: &Place,
    environment: &Environment,
) -> Option<Check> {
    let files = place.files(client);
    let named = files.iter().flat_map(|file| {
        let text = disk::read_text(file, Links::Follow, MAX_SETTINGS_BYTES).unwrap_or_default();
        let paths = named_programs(&text);
        paths.into_iter().map(move |path| (file, path))
    });
    let own = edge::program_directory().map(|folder| folder.join(HOOK));
    named.into_iter().find_map(|(file, path)| {
        let is_own =
            || path.canonicalize().ok() == own.as_ref().and_then(|own| own.canonicalize().ok());
        if path.is_file() && is_own() { None } else { problem(client, file, &path, environment) }
    })
}

fn problem(
    client: &dyn Client,
    file: &Path,
    path: &Path,
    environment: &Environment,
) -> Option<Check> {
    let name = format!("{} hook", client.names().title);
    let (file, shown) = (file.display(), path.display());
    let fix = format!("adjutant install {}", client.names().word);
    if !path.is_file() {
        let text = format!("{file} names `{shown}`, which does not exist");
        return Some(Check::bad(&name, text, fix));
    }
    let expected = format!("{HOOK} {}", crate::VERSION);
    let found = version::printed(path, environment)?;
    let text = format!("{file} names `{shown}`, which is {found}; this is {}", crate::VERSION);
    (found != expected).then(|| Check::lacking(&name, text, fix))
}

/// Returns the absolute paths in a settings file or a script that end in `adjutant-hook`. A path starts after a
/// quotation mark or, if it is not quoted, after a space or `=`.
fn named_programs(text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(HOOK) {
        let before = &text[..at];
        let line = &before[before.rfind('\n').map_or(0, |newline| newline + 1)..];
        // `//` starts a comment in the scripts of some clients.
        let is_path = |start: &&str| start.starts_with('/') && !start.starts_with("//");
        let quoted = &line[line.rfind(['\'', '"']).map_or(0, |quote| quote + 1)..];
        let unquoted = &line[line.rfind([' ', '=', '\'', '"']).map_or(0, |blank| blank + 1)..];
        let start = [quoted, unquoted].into_iter().find(is_path);
        let path = start.map(|start| PathBuf::from(format!("{start}{HOOK}")));
        found.extend(path.filter(|path| !found.contains(path)));
    }
    found
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::named_programs;

    #[test]
    fn programs_are_found_in_scripts_and_settings() {
        let check = |text: &str, expected: &[&str]| {
            let expected: Vec<&Path> = expected.iter().map(Path::new).collect();
            assert_eq!(named_programs(text), expected, "{text}");
        };
        let script = "for program in '/a b/adjutant-hook' \"$(command -v adjutant-hook)\"; do";
        check(script, &["/a b/adjutant-hook"]);
        let json = r#"{"command": "'/x/adjutant-hook' --client codex"}"#;
        check(json, &["/x/adjutant-hook"]);
        check(
            "command = \"/x/adjutant-hook\"\ncommand: /y/adjutant-hook -a",
            &["/x/adjutant-hook", "/y/adjutant-hook"],
        );
        check("adjutant-hook --client auto", &[]);
        check("// Starts adjutant-hook.", &[]);
    }
}
