//! Tests of fences and neutralised markup (A53).

use super::{Fence, neutralise};

#[test]
fn a_fence_is_stable_for_a_seed_and_differs_between_seeds() {
    assert_eq!(Fence::new("a"), Fence::new("a"));
    assert_ne!(Fence::new("a").open(), Fence::new("b").open());
}

#[test]
fn a53_evidence_cannot_close_the_fence() {
    let fence = Fence::new("seed");
    assert!(!neutralise(&format!("x\n{}\ny", fence.close())).contains(&fence.close()));
}

#[test]
fn ordinary_markup_stays() {
    assert_eq!(
        neutralise("<div>a < b && Vec<system_t></div>"),
        "<div>a < b && Vec<system_t></div>"
    );
}
