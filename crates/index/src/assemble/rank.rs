//! Computes the centrality of files with PageRank over all edges except [`EdgeKind::Tests`]. The mean centrality is 1.

use super::FileRow;
use super::edges::Graph;
use super::symbols::SymbolTable;
use crate::edge::EdgeKind;

const ITERATIONS: usize = 20;
const DAMPING: f32 = 0.85;

/// Returns the centrality of each file.
pub(super) fn file_ranks(
    graph: &Graph,
    files: &[FileRow<'_>],
    symbols: &SymbolTable<'_>,
) -> Vec<f32> {
    let n_files = files.len();
    let file_of = |node: u32| match (node as usize).checked_sub(n_files) {
        None => node,
        Some(symbol) => symbols.rows[symbol].file,
    };
    let mut links: Vec<(u32, u32, f32)> = graph
        .edges()
        .filter(|edge| edge.kind != EdgeKind::Tests)
        .map(|edge| (file_of(edge.from), file_of(edge.to), f32::from(edge.confidence) / 255.0))
        .filter(|(from, to, _)| from != to)
        .collect();
    links.sort_unstable_by_key(|(from, to, _)| (*from, *to));
    links.dedup_by(|later, kept| {
        let same = (later.0, later.1) == (kept.0, kept.1);
        if same {
            kept.2 += later.2;
        }
        same
    });
    // The square root limits the effect of repeated references: a hundred references weigh ten times as much as one.
    for link in &mut links {
        link.2 = link.2.sqrt();
    }
    let mut out_weight = vec![0.0_f32; n_files];
    for (from, _, weight) in &links {
        out_weight[*from as usize] += weight;
    }
    let mut ranks = vec![1.0_f32; n_files];
    for _ in 0..ITERATIONS {
        let mut next = vec![1.0 - DAMPING; n_files];
        let mut kept = 0.0;
        for (from, to, weight) in &links {
            let given = DAMPING * ranks[*from as usize] * weight / out_weight[*from as usize];
            next[*to as usize] += given;
            kept += given;
        }
        // The rank of files without outgoing links is distributed over all files.
        let lost = (n_files as f32 * DAMPING - kept).max(0.0) / n_files.max(1) as f32;
        for rank in &mut next {
            *rank += lost;
        }
        ranks = next;
    }
    ranks
}
