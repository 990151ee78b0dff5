//! Computes the centrality of files with PageRank over all edges except [`EdgeKind::Tests`]. The mean centrality is 1.

use super::edges::RawEdge;
use crate::snapshot::EdgeKind;

const ITERATIONS: usize = 20;
const DAMPING: f32 = 0.85;

/// The links between files.
#[derive(Default)]
pub(super) struct Links {
    /// The links from files, then the links from symbols. In each part, the start files are in ascending order, because
    /// edges are added in the order of their start nodes.
    parts: [Part; 2],
}

/// Links in the order of their start files. Each link needs eight bytes of memory.
#[derive(Default)]
struct Part {
    /// For each file, the index of its first link. Files after the last file with links have no entry.
    starts: Vec<u32>,
    targets: Vec<u32>,
    /// For each link, the sum of the confidences of its edges.
    sums: Vec<u32>,
    /// The links of the last file, each as its target and confidence. They are sorted and merged by [`Self::close`].
    open: Vec<(u32, u32)>,
}

impl Part {
    fn add(&mut self, from: u32, to: u32, confidence: u8) {
        if self.starts.len() <= from as usize {
            self.close();
            self.starts.resize(from as usize + 1, self.targets.len() as u32);
        }
        self.open.push((to, u32::from(confidence)));
    }

    /// Sorts, merges and stores the links of the last file.
    fn close(&mut self) {
        self.open.sort_unstable();
        for same in self.open.chunk_by(|a, b| a.0 == b.0) {
            self.targets.push(same[0].0);
            self.sums.push(same.iter().map(|(_, confidence)| confidence).sum());
        }
        self.open.clear();
    }

    fn of_file(&self, file: usize) -> std::ops::Range<usize> {
        let start =
            |file: usize| self.starts.get(file).map_or(self.targets.len(), |start| *start as usize);
        start(file)..start(file + 1)
    }
}

impl Links {
    /// Adds `edge`, which connects the files `from` and `to`, or symbols in these files. Edges must be added in the
    /// order of their start nodes.
    pub(super) fn add(&mut self, from: u32, to: u32, edge: &RawEdge) {
        if from != to && edge.kind != EdgeKind::Tests {
            let is_symbol = edge.from != from;
            self.parts[usize::from(is_symbol)].add(from, to, edge.confidence);
        }
    }

    /// Merges the links from files with the links from symbols.
    fn joined(mut self, n_files: usize) -> Part {
        self.parts.iter_mut().for_each(Part::close);
        let mut all = Part::default();
        for file in 0..n_files {
            all.starts.push(all.targets.len() as u32);
            for part in &self.parts {
                let links = part.of_file(file);
                let (targets, sums) = (&part.targets[links.clone()], &part.sums[links]);
                all.open.extend(targets.iter().copied().zip(sums.iter().copied()));
            }
            all.close();
        }
        all
    }

    /// Returns the centrality of each file.
    pub(super) fn ranks(self, n_files: usize) -> Vec<f32> {
        let links = self.joined(n_files);
        // The square root limits the effect of repeated references: a hundred references count only ten times as much
        // as one.
        let weight = |link: usize| (links.sums[link] as f32 / 255.0).sqrt();
        let out_weights: Vec<f32> =
            (0..n_files).map(|file| links.of_file(file).map(weight).sum()).collect();
        let mut ranks = vec![1.0_f32; n_files];
        for _ in 0..ITERATIONS {
            let mut next = vec![1.0 - DAMPING; n_files];
            let mut kept = 0.0;
            for from in 0..n_files {
                for link in links.of_file(from) {
                    let given = DAMPING * ranks[from] * weight(link) / out_weights[from];
                    next[links.targets[link] as usize] += given;
                    kept += given;
                }
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
}
