//! `adjutant status`: prints a summary of the index.

use std::process::ExitCode;
use std::time::SystemTime;

use clap::Args;
use serde_json::json;

use super::repository::At;
use crate::failure::Failure;
use crate::{edge, output};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    at: At,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let now = edge::clock().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let (report, root) = arguments.at.ask(|view| {
        // The report reads only a part of the index, so `verify` checks the rest for damage.
        view.verify();
        let report = engine::index_report(view, i64::try_from(now).unwrap_or(i64::MAX));
        Ok((report, view.meta().root.clone()))
    })?;
    let history = format!("{:?}", report.history).to_lowercase();
    if arguments.at.json {
        let json = json!({
            "root": root, "files": report.files, "symbols": report.symbols, "edges": report.edges,
            "terms": report.terms, "commits": report.commits, "history": history, "head": report.head,
            "age_seconds": report.age, "bytes": report.bytes, "changed": report.changed, "added": report.added,
            "deleted": report.deleted, "left_out": report.stale, "complete": report.checked, "damaged": report.damaged,
            "problems": report.problems,
        });
        output::data(&json.to_string());
        return Ok(ExitCode::SUCCESS);
    }
    let mut lines = vec![
        root,
        format!(
            "{} files, {} symbols, {} edges, {} terms, {:.1} MB",
            report.files,
            report.symbols,
            report.edges,
            report.terms,
            report.bytes as f64 / 1e6
        ),
        format!(
            "git history {history}, {} commits, HEAD {}",
            report.commits,
            report.head.as_deref().unwrap_or("–")
        ),
        format!(
            "built {} s ago; since then {} changed, {} new, {} deleted, {} not read yet",
            report.age,
            report.changed.len(),
            report.added.len(),
            report.deleted.len(),
            report.stale
        ),
    ];
    lines.extend(report.problems.iter().take(10).map(|problem| format!("problem: {problem}")));
    output::data(&lines.join("\n"));
    Ok(ExitCode::SUCCESS)
}
