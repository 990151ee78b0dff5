//! Long files are changed more often than short ones, beyond what the length norm of the text scores takes away.

use super::scene::Scene;

pub(super) fn measure(scene: &Scene<'_>) -> Vec<f32> {
    scene
        .candidates
        .iter()
        .map(|candidate| (1.0 + scene.view.file(candidate.file).lines as f32).ln())
        .collect()
}
