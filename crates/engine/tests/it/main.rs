//! Tests the `ci_*` queries with small repositories.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests stop at the first surprise, and stand at the edge"
)]

mod damage;
mod direct_questions;
mod questions;
