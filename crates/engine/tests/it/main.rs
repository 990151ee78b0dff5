//! The questions, asked of small repositories.

mod questions;
