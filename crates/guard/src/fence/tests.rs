//! Tests of fences (A53).

use super::Fence;

#[test]
fn a_fence_is_stable_for_a_seed_and_differs_between_seeds() {
    assert_eq!(Fence::new("a"), Fence::new("a"));
    assert_ne!(Fence::new("a").open(), Fence::new("b").open());
}

#[test]
fn a_fence_has_its_id_on_both_lines() {
    let fence = Fence::new("seed");
    assert_eq!(fence.open(), format!("<untrusted-evidence id=\"{}\">", fence.id()));
    assert_eq!(fence.close(), format!("</untrusted-evidence id=\"{}\">", fence.id()));
}
