//! Builds the npm packages: a launcher that runs in node, and one package per platform with the native programs.
//!
//! npm installs only the platform package whose `os`, `cpu` and `libc` match. No package has an install script,
//! because npm does not run install scripts by default.

use serde_json::{Map, Value, json};

use super::archive::Contents;
use super::build::Programs;
use super::target::{TARGETS, Target};
use super::{DESCRIPTION, LICENSE, PROGRAMS, REPOSITORY, VERSION, contents};

/// The name of the launcher package, which is also the prefix of the platform packages' names.
pub(super) const LAUNCHER: &str = "adjutant-cli";
const LAUNCH_SCRIPT: &str = include_str!("files/launch.js");
/// The folder that contains all files of an npm package.
const FOLDER: &str = "package";
/// The oldest version of node that the launcher is tested with.
const NODE: &str = ">=20";

pub(super) fn tarball_name(package: &str) -> String {
    format!("{package}-{VERSION}.tgz")
}

pub(super) fn launcher_package() -> Result<Contents, String> {
    let mut manifest = manifest(LAUNCHER, DESCRIPTION);
    let mut commands = Map::new();
    let mut files = contents::documents()?;
    for program in PROGRAMS.iter().filter(|program| program.is_command) {
        let name = program.name;
        let path = format!("bin/{name}.js");
        let script = format!("#!/usr/bin/env node\nrequire('../launch.js').run('{name}');\n");
        files.add_program(path.clone(), script);
        commands.insert(name.to_owned(), path.into());
    }
    let platforms = TARGETS.iter().map(|target| (target.npm_name(), VERSION.into()));
    manifest.insert("bin".to_owned(), commands.into());
    manifest.insert("engines".to_owned(), json!({ "node": NODE }));
    manifest.insert("optionalDependencies".to_owned(), platforms.collect::<Map<_, _>>().into());
    files.add("launch.js", LAUNCH_SCRIPT);
    files.add("package.json", text(manifest));
    Ok(files.beneath(FOLDER))
}

/// Returns the package that contains the plugin folder and the programs. It has no `bin` folder, because an npm
/// package cannot contain links.
pub(super) fn platform_package(target: &Target, programs: &Programs) -> Result<Contents, String> {
    let name = target.npm_name();
    let description = format!("The programs of {LAUNCHER} for {} on {}", target.os, target.cpu);
    let mut manifest = manifest(&name, &description);
    manifest.insert("os".to_owned(), json!([target.os]));
    manifest.insert("cpu".to_owned(), json!([target.cpu]));
    if target.glibc.is_some() {
        manifest.insert("libc".to_owned(), json!(["glibc"]));
    }
    let mut files = contents::plugin(programs)?;
    files.extend(contents::documents()?);
    let readme =
        format!("# {name}\n\n{description}. Install [{LAUNCHER}]({REPOSITORY}) instead.\n");
    files.add("README.md", readme);
    files.add("package.json", text(manifest));
    Ok(files.beneath(FOLDER))
}

fn manifest(name: &str, description: &str) -> Map<String, Value> {
    let fields = [
        ("name", name.into()),
        ("version", VERSION.into()),
        ("description", description.into()),
        ("license", LICENSE.into()),
        ("homepage", REPOSITORY.into()),
        ("repository", json!({ "type": "git", "url": format!("git+{REPOSITORY}.git") })),
        ("preferUnplugged", true.into()),
    ];
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn text(manifest: Map<String, Value>) -> String {
    serde_json::to_string_pretty(&Value::Object(manifest)).unwrap_or_default() + "\n"
}
