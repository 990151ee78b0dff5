//! Files that used to change together with the files whose text answers best.

use super::scene::Scene;

const LEADERS: usize = 10;

pub(super) fn measure(scene: &Scene<'_>) -> Vec<f32> {
    let places = scene.places_of_files();
    let mut scores = vec![0.0; scene.candidates.len()];
    for leader in scene.leaders(LEADERS) {
        let file = scene.candidates[leader].file;
        let commits = scene.view.file(file).history.commits as f32;
        // Squared: a file that hardly answers should not speak for its neighbours.
        let voice = scene.start[leader] * scene.start[leader] / (1.0 + commits);
        for (other, together) in scene.view.co_changes(file) {
            if let Some(at) = places.get(&other) {
                scores[*at] += voice * together as f32;
            }
        }
    }
    scores
}
