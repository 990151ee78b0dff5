//! `cargo xtask release`: checks that this commit can be released, and creates the tag.
//!
//! The command never pushes. Pushing the tag starts `.github/workflows/release.yml`, which builds and publishes the
//! release.

mod changelog;

use std::fs;
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::output::{print_message, print_result};
use crate::{generated, root};
use changelog::{Section, section};

/// The version of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");
const BRANCH: &str = "main";
const USAGE: &str = "\
usage: cargo xtask release [--dry-run | --notes TAG]
  (no flag)    check the commit, then make the annotated tag; pushes nothing
  --dry-run    check the commit, and print the steps and the release notes
  --notes TAG  check that the files agree with TAG, and print only the release notes";

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    let result = match arguments {
        [] => release(),
        ["--dry-run"] => dry_run(),
        ["--notes", tag] => print_notes(tag),
        _ => {
            print_message(USAGE);
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problems) => {
            for problem in problems {
                print_message(&format!("error: {problem}"));
            }
            print_message("\nhint: docs/releasing.md lists what has to be done before a release");
            ExitCode::FAILURE
        }
    }
}

fn tag() -> String {
    format!("v{VERSION}")
}

fn dry_run() -> Result<(), Vec<String>> {
    let checked = check();
    let tag = tag();
    print_result(&format!(
        "Steps of the release {VERSION}:\n\
         1. ./test on this commit\n\
         2. cargo xtask package --check\n\
         3. cargo xtask campaign --runs 10000\n\
         4. cargo xtask release, which makes the tag {tag}\n\
         5. git push origin {BRANCH} {tag}, which starts .github/workflows/release.yml\n\
         6. approve the environment `release` of the workflow: it publishes on GitHub and npm"
    ));
    let section = checked?;
    print_result(&format!("\nNotes of {tag}, dated {}:\n\n{}", section.date, section.text));
    Ok(())
}

fn release() -> Result<(), Vec<String>> {
    let section = check()?;
    let tag = tag();
    let message = format!("Adjutant {VERSION}\n\n{}", section.text);
    // With the default cleanup mode, git would treat the headings in the notes as comments and remove them.
    git(&["tag", "--annotate", "--cleanup=whitespace", "--message", &message, &tag])
        .map_err(|error| vec![error])?;
    print_result(&format!("created the tag {tag}\n\nnext: git push origin {BRANCH} {tag}"));
    Ok(())
}

fn print_notes(wanted: &str) -> Result<(), Vec<String>> {
    let mut problems = check_versions();
    if wanted != tag() {
        problems.push(format!("the tag is `{wanted}`, and the version in Cargo.toml is {VERSION}"));
    }
    let section = read_section().map_err(|problem| problems.push(problem)).ok();
    match section {
        Some(section) if problems.is_empty() => {
            print_result(&section.text);
            Ok(())
        }
        _ => Err(problems),
    }
}

/// Returns the changelog section of the release, or all problems that prevent the release.
fn check() -> Result<Section, Vec<String>> {
    let mut problems = check_versions();
    problems.extend(check_repository());
    if !generated::is_current() {
        problems.push("generated files are not current; run `cargo xtask generate`".to_owned());
    }
    match read_section() {
        Ok(section) if problems.is_empty() => Ok(section),
        Ok(_) => Err(problems),
        Err(problem) => {
            problems.push(problem);
            Err(problems)
        }
    }
}

fn read_section() -> Result<Section, String> {
    let text = fs::read_to_string(root().join("CHANGELOG.md"))
        .map_err(|error| format!("cannot read `CHANGELOG.md`: {error}"))?;
    section(&text, VERSION)
}

fn check_repository() -> Vec<String> {
    let answer = |arguments: &[&str]| git(arguments).map(|output| output.trim().to_owned());
    let tag = tag();
    let checks = [
        answer(&["status", "--porcelain"]).map(|changes| {
            (!changes.is_empty()).then(|| format!("there are uncommitted changes:\n{changes}"))
        }),
        answer(&["branch", "--show-current"]).map(|branch| {
            (branch != BRANCH).then(|| format!("the branch is `{branch}`, not `{BRANCH}`"))
        }),
        answer(&["tag", "--list", &tag])
            .map(|found| (!found.is_empty()).then(|| format!("the tag {tag} exists already"))),
    ];
    checks.into_iter().filter_map(|check| check.unwrap_or_else(Some)).collect()
}

/// Compares the versions in the plugin's files and in the lock file with the workspace version.
fn check_versions() -> Vec<String> {
    let listed = match git(&["ls-files", "*plugin.json", "*marketplace.json"]) {
        Ok(listed) => listed,
        Err(error) => return vec![error],
    };
    let mut problems: Vec<String> = listed.lines().filter_map(check_json).collect();
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap_or_default();
    if !lock.contains(&format!("name = \"adjutant\"\nversion = \"{VERSION}\"\n")) {
        problems.push(format!("`Cargo.lock` does not contain adjutant {VERSION}"));
    }
    problems
}

fn check_json(path: &str) -> Option<String> {
    let read = fs::read(root().join(path)).map_err(|error| error.to_string());
    let parsed = read.and_then(|bytes| {
        serde_json::from_slice::<Value>(&bytes).map_err(|error| error.to_string())
    });
    match parsed {
        Ok(value) => versions(&value)
            .into_iter()
            .find(|version| version != VERSION)
            .map(|version| format!("`{path}` has version {version}, and Cargo.toml {VERSION}")),
        Err(error) => Some(format!("cannot read `{path}`: {error}")),
    }
}

/// Returns the values of all `version` keys, at any depth.
fn versions(value: &Value) -> Vec<String> {
    if let Some(values) = value.as_array() {
        return values.iter().flat_map(versions).collect();
    }
    let fields = value.as_object().into_iter().flatten();
    fields
        .flat_map(|(key, value)| match value.as_str() {
            Some(version) if key == "version" => vec![version.to_owned()],
            _ => versions(value),
        })
        .collect()
}

#[expect(clippy::disallowed_methods, reason = "a chore runs git; it is not part of the product")]
fn git(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git").args(arguments).current_dir(root()).output();
    let output = output.map_err(|error| format!("cannot start git: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let message = String::from_utf8_lossy(&output.stderr);
        Err(format!("`git {}` failed: {}", arguments.join(" "), message.trim()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn versions_are_found_at_any_depth() {
        let file = json!({"version": "1", "plugins": [{"version": "2", "name": "x"}], "n": 3});
        let mut found = versions(&file);
        found.sort();
        assert_eq!(found, ["1", "2"]);
    }

    #[test]
    fn the_files_of_this_commit_have_one_version() {
        assert_eq!(check_versions(), Vec::<String>::new());
    }
}
