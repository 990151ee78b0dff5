//! Compares the table under "## Crates" in ARCHITECTURE.md with the `[dependencies]` of every crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::root;

type Arrows = BTreeMap<String, BTreeSet<String>>;

pub(super) fn check() -> Vec<String> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap_or_default();
    let built = built();
    let drawn = drawn(&text, &built.keys().cloned().collect());
    let mut complaints = Vec::new();
    for name in built.keys().chain(drawn.keys()).collect::<BTreeSet<_>>() {
        match (drawn.get(name), built.get(name)) {
            (None, _) => {
                complaints.push(format!("crate `{name}` is not in the table of ARCHITECTURE.md"));
            }
            (_, None) => {
                complaints.push(format!("ARCHITECTURE.md lists `{name}`, which is not a crate"));
            }
            (Some(drawn), Some(built)) if drawn != built => complaints.push(format!(
                "ARCHITECTURE.md and crates/{name}/Cargo.toml disagree: table {}, manifest {}",
                list(drawn),
                list(built)
            )),
            (Some(_), Some(_)) => {}
        }
    }
    complaints
}

fn list(names: &BTreeSet<String>) -> String {
    if names.is_empty() {
        "nothing".to_owned()
    } else {
        names.iter().cloned().collect::<Vec<_>>().join(", ")
    }
}

/// Parses the table. The first column contains the crate, and the last column lists its allowed dependencies.
fn drawn(text: &str, crates: &BTreeSet<String>) -> Arrows {
    let table = text
        .split("## Crates")
        .nth(1)
        .unwrap_or_default()
        .split("\n## ")
        .next()
        .unwrap_or_default();
    let mut arrows = Arrows::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let (Some(name), Some(may)) = (cells.first(), cells.last()) else { continue };
        let name = name.trim_matches('`').to_owned();
        let may = if *may == "all of them" {
            crates.iter().filter(|other| **other != name && *other != "testkit").cloned().collect()
        } else {
            may.split(',')
                .map(|other| other.trim().trim_matches('`').to_owned())
                .filter(|other| other != "–")
                .collect()
        };
        arrows.insert(name, may);
    }
    arrows
}

fn built() -> Arrows {
    let mut arrows = Arrows::new();
    let Ok(entries) = fs::read_dir(root().join("crates")) else { return arrows };
    let names: BTreeSet<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    for name in &names {
        let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml"))
            .unwrap_or_default();
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        let ours = dependencies.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
        arrows.insert(
            name.clone(),
            ours.filter(|other| names.contains(*other)).map(str::to_owned).collect(),
        );
    }
    arrows
}
