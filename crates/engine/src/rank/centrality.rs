//! Files that many others use.

use super::scene::Scene;

pub(super) fn measure(scene: &Scene<'_>) -> Vec<f32> {
    scene
        .candidates
        .iter()
        .map(|candidate| (1.0 + scene.view.file(candidate.file).rank.max(0.0)).ln())
        .collect()
}
