//! Tests of this module.

use crate::secrets::assignment::references::RESOURCES;

#[test]
fn resources_are_sorted() {
    assert!(RESOURCES.is_sorted());
}
