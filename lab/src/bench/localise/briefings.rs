//! Measures the briefing for each prompt: its length and the share of relevant files.
//!
//! Runs `adjutant orchestrate` in the checked-out tree. A cited file is relevant if it is one of the correct files of
//! the case (`Case::gold`), or if an edge connects it to one of them.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use index::{FileId, Node, SymbolId, View};
use serde_json::Value;

use super::cases::Case;
use super::score::Group;
use crate::root;

/// The measurements of the briefing for one prompt.
pub(super) struct Injected {
    group: Group,
    characters: usize,
    n_cited: usize,
    n_right: usize,
    n_linked: usize,
    has_right: bool,
}

pub(super) fn ask(case: &Case, view: &View, tree: &Path, cache: &Path) -> Result<Injected, String> {
    let program = root().join("target/release/adjutant");
    let briefing = orchestrate(&program, &case.prompt, tree, cache)?;
    let model = &briefing["fused_context"]["for_model"];
    let items = model["structured"]["items"].as_array();
    let cited: BTreeSet<&str> =
        items.into_iter().flatten().filter_map(|item| item["path"].as_str()).collect();
    let right: BTreeSet<FileId> =
        case.gold.iter().filter_map(|path| view.file_by_path(path)).collect();
    let is_right = |path: &&&str| case.gold.iter().any(|gold| gold == **path);
    let is_linked = |path: &&&str| {
        view.file_by_path(path)
            .is_some_and(|file| neighbours(view, file).intersection(&right).next().is_some())
    };
    let n_right = cited.iter().filter(is_right).count();
    Ok(Injected {
        group: Group::of(case),
        characters: model["additional_context"].as_str().unwrap_or_default().chars().count(),
        n_cited: cited.len(),
        n_right,
        n_linked: cited.iter().filter(|path| !is_right(path) && is_linked(path)).count(),
        has_right: n_right > 0,
    })
}

/// Runs `program orchestrate` in the tree and returns its output.
#[expect(clippy::disallowed_methods, reason = "a bench starts the program it measures")]
pub(in crate::bench) fn orchestrate(
    program: &Path,
    prompt: &str,
    tree: &Path,
    cache: &Path,
) -> Result<Value, String> {
    let mut child = Command::new(program)
        .arg("orchestrate")
        .current_dir(tree)
        .env("ADJUTANT_CACHE_DIR", cache)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot start `{}`: {error}", program.display()))?;
    if let Some(mut stdin) = child.stdin.take() {
        let request = serde_json::json!({ "prompt": prompt }).to_string();
        stdin.write_all(request.as_bytes()).map_err(|error| error.to_string())?;
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|error| format!("no briefing: {error}"))
}

/// Returns the files that use `file` or that `file` uses.
fn neighbours(view: &View, file: FileId) -> BTreeSet<FileId> {
    let symbols = view.file(file).symbols.map(|number| Node::Symbol(SymbolId(number)));
    let nodes: Vec<Node> = symbols.chain([Node::File(file)]).collect();
    let file_of = |node: Node| match node {
        Node::File(file) => file,
        Node::Symbol(symbol) => view.file_of(symbol),
    };
    let out = nodes.iter().flat_map(|node| view.edges_from(*node).map(|edge| file_of(edge.to)));
    let into = nodes.iter().flat_map(|node| view.edges_into(*node).map(|edge| file_of(edge.from)));
    out.chain(into).filter(|other| *other != file).collect()
}

pub(super) fn table(all: &[Injected]) -> String {
    let mut out = String::from(
        "group                n  nothing  characters: median  90 %   files cited  right  right or linked  has a right one\n",
    );
    for (group, name) in [
        (Group::Python, "Python"),
        (Group::Other, "other languages"),
        (Group::Chinese, "Chinese prompts"),
    ] {
        let some: Vec<&Injected> = all.iter().filter(|one| one.group == group).collect();
        if some.is_empty() {
            continue;
        }
        let mut characters: Vec<usize> = some.iter().map(|one| one.characters).collect();
        characters.sort_unstable();
        let cited: usize = some.iter().map(|one| one.n_cited).sum();
        let right: usize = some.iter().map(|one| one.n_right).sum();
        let linked: usize = some.iter().map(|one| one.n_linked).sum();
        let share = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
        out += &format!(
            "{name:18} {:4} {:8} {:19} {:5} {:13.1} {:5.1}% {:15.1}% {:15.1}%\n",
            some.len(),
            some.iter().filter(|one| one.characters == 0).count(),
            characters[characters.len() / 2],
            characters[characters.len() * 9 / 10],
            cited as f64 / some.len() as f64,
            share(right, cited),
            share(right + linked, cited),
            share(some.iter().filter(|one| one.has_right).count(), some.len()),
        );
    }
    out
}
