//! Tests the `ci_*` queries with small repositories.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests may panic and read the environment"
)]

mod callers;
mod damage;
mod direct_questions;
mod explore;
mod failures;
mod questions;
