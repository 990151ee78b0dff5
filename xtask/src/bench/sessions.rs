//! `cargo xtask bench sessions --data FILE --clones DIR --work DIR --dump OUT`

pub(in crate::bench) mod turns;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use engine::{Query, known_terms, measure, signal_names};

use super::localise::trees::{self, Revision, StoredIndexes, WorkFolders};
use crate::output::print_message;
use turns::{Sessions, Turn};

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    let [data, gate, clones, work, out] = arguments else { return ExitCode::from(2) };
    match dump(Path::new(data), gate, Path::new(clones), Path::new(work), Path::new(out)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_message(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn dump(data: &Path, ids: &str, clones: &Path, work: &Path, out: &Path) -> Result<(), String> {
    let all = turns::load(data)?;
    let sessions = Sessions::new(&all);
    let ids: std::collections::HashSet<String> = std::fs::read_to_string(ids)
        .map_err(|e| e.to_string())?
        .lines()
        .map(str::to_owned)
        .collect();
    let mut by_tree: BTreeMap<(String, String), Vec<&Turn>> = BTreeMap::new();
    for turn in all.iter().filter(|turn| !turn.gold_edited.is_empty() || ids.contains(&turn.id)) {
        by_tree.entry((turn.repo.clone(), turn.base_commit.clone())).or_default().push(turn);
    }
    let folders = WorkFolders { clones, work, with_history: true, kept: StoredIndexes::Used };
    let mut file = std::fs::File::create(out).map_err(|error| error.to_string())?;
    let names: Vec<&str> = signal_names().collect();
    writeln!(file, "{}", serde_json::json!({"names": names})).map_err(|e| e.to_string())?;
    for ((repo, commit), turns) in by_tree {
        let id = format!("{}-{}", repo.replace('/', "+"), &commit[..12]);
        let revision = Revision { id: &id, repo: &repo, commit: &commit };
        let tree = match trees::prepare(&revision, &folders) {
            Ok(tree) => tree,
            Err(error) => {
                print_message(&format!("{id}: {error}"));
                continue;
            }
        };
        for turn in turns {
            let started = Instant::now();
            let query = Query::read(&turn.prompt);
            let context = sessions.context(turn);
            let measured =
                measure(&tree.view, &query, &context, Instant::now() + Duration::from_secs(20));
            let known = known_terms(&tree.view, &turn.prompt, &query);
            let files: Vec<_> = measured
                .files
                .iter()
                .map(|(file, row)| {
                    serde_json::json!([
                        tree.view.path(*file),
                        row.iter().map(|v| (v * 1000.0).round() / 1000.0).collect::<Vec<f32>>()
                    ])
                })
                .collect();
            let line = serde_json::json!({
                "id": turn.id, "repo": repo, "lang": turn.prompt_lang, "turn": turn.turn, "prompt": turn.prompt, "prev": turn.previous_prompts,
                "edited": turn.gold_edited, "read": turn.gold_read, "label": turn.label,
                "touched": context.files.iter().map(|f| serde_json::json!([f.path, f.is_edit, f.prompts_ago])).collect::<Vec<_>>(),
                "n_files": tree.view.totals().files,
                "known": known.known, "asked": known.asked,
                "missing": turn.gold_edited.iter().filter(|p| tree.view.file_by_path(p).is_none()).collect::<Vec<_>>(),
                "names": names.len(), "files": files, "ms": started.elapsed().as_millis() as u64,
            });
            writeln!(file, "{line}").map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}
