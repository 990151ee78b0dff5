//! Files that are worked on: what changed lately is what people write about.

use super::scene::Scene;

pub(super) fn recent(scene: &Scene<'_>) -> Vec<f32> {
    let count = |scene: &Scene<'_>, at: usize| {
        scene.view.file(scene.candidates[at].file).history.recent_commits
    };
    (0..scene.candidates.len()).map(|at| (1.0 + count(scene, at) as f32).ln()).collect()
}

pub(super) fn all(scene: &Scene<'_>) -> Vec<f32> {
    let count =
        |scene: &Scene<'_>, at: usize| scene.view.file(scene.candidates[at].file).history.commits;
    (0..scene.candidates.len()).map(|at| (1.0 + count(scene, at) as f32).ln()).collect()
}
