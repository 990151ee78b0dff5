//! Files a qualified name stands for: `shop.cart.add` is in `shop/cart.py`, `Shop\Cart` in `Shop/Cart.php`.

use rustc_hash::FxHashMap;

use super::context::RankContext;

const MAX_NAMES: usize = 60;
/// Each part of the path that is spelled makes it surer.
const PER_PART: f32 = 0.25;

pub(super) fn measure(context: &RankContext<'_>) -> Vec<f32> {
    let mut scores = vec![0.0_f32; context.candidates.len()];
    if context.query.qualified.is_empty() {
        return scores;
    }
    let by_ending = by_last_two_parts(context);
    for name in context.query.qualified.iter().take(MAX_NAMES) {
        let lower = name.text.to_lowercase();
        let parts: Vec<&str> = lower.split('.').collect();
        // The longest beginning of the name that is the ending of a path.
        for end in (2..=parts.len()).rev() {
            let beginning = &parts[..end];
            let key = beginning[end - 2..].join("/");
            let fits: Vec<usize> = by_ending
                .get(&key)
                .map(|places| {
                    places
                        .iter()
                        .copied()
                        .filter(|at| ends_with(&module_path(context, *at), beginning))
                        .collect()
                })
                .unwrap_or_default();
            for at in &fits {
                scores[*at] =
                    scores[*at].max((0.5 + PER_PART * end as f32) / (fits.len() as f32).sqrt());
            }
            if !fits.is_empty() {
                break;
            }
        }
    }
    scores
}

fn by_last_two_parts(context: &RankContext<'_>) -> FxHashMap<String, Vec<usize>> {
    let mut by_ending: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for at in 0..context.candidates.len() {
        let path = module_path(context, at);
        let mut parts = path.rsplit('/');
        if let (Some(last), Some(before)) = (parts.next(), parts.next()) {
            by_ending.entry(format!("{before}/{last}")).or_default().push(at);
        }
    }
    by_ending
}

/// The path as a module is named: lower case, no extension, a package's own file standing for its folder.
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
