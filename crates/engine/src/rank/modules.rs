//! Scores the module files that qualified names refer to: `shop.cart.add` refers to `shop/cart.py`, `Shop\Cart` to
//! `Shop/Cart.php`.

use rustc_hash::FxHashMap;

use super::context::RankContext;

const MAX_NAMES: usize = 60;
/// The score for each part of a qualified name that matches a part of the path.
const PER_PART: f32 = 0.25;

pub(super) fn measure(context: &RankContext<'_>) -> Vec<f32> {
    let mut scores = vec![0.0_f32; context.candidates.len()];
    if context.query.qualified.is_empty() {
        return scores;
    }
    let by_suffix = by_last_two_parts(context);
    for name in context.query.qualified.iter().take(MAX_NAMES) {
        let lower = name.text.to_lowercase();
        let parts: Vec<&str> = lower.split('.').collect();
        // Find the longest prefix of the name that is a suffix of a module path.
        for end in (2..=parts.len()).rev() {
            let prefix = &parts[..end];
            let key = prefix[end - 2..].join("/");
            let same_suffix = by_suffix.get(&key).into_iter().flatten().copied();
            let matching: Vec<usize> =
                same_suffix.filter(|at| ends_with(&module_path(context, *at), prefix)).collect();
            let score = (0.5 + PER_PART * end as f32) / (matching.len() as f32).sqrt();
            for at in &matching {
                scores[*at] = scores[*at].max(score);
            }
            if !matching.is_empty() {
                break;
            }
        }
    }
    scores
}

fn by_last_two_parts(context: &RankContext<'_>) -> FxHashMap<String, Vec<usize>> {
    let mut by_suffix: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for at in 0..context.candidates.len() {
        let path = module_path(context, at);
        let mut parts = path.rsplit('/');
        if let (Some(last), Some(before)) = (parts.next(), parts.next()) {
            by_suffix.entry(format!("{before}/{last}")).or_default().push(at);
        }
    }
    by_suffix
}

/// Returns a candidate's path in lower case and without the extension. For a package's main file, returns the path of
/// its folder.
fn module_path(context: &RankContext<'_>, at: usize) -> String {
    let path = context.view.path(context.candidates[at].file).to_lowercase();
    let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
    let stem = ["/__init__", "/index", "/mod"]
        .iter()
        .find_map(|own| stem.strip_suffix(own))
        .unwrap_or(stem);
    stem.to_owned()
}

fn ends_with(path: &str, parts: &[&str]) -> bool {
    let mut path = path.rsplit('/');
    parts.iter().rev().all(|part| path.next() == Some(part))
}
