//! Tests the crate through its public interface.

mod by_tokens;
mod hostile;
mod languages;
mod render;
mod robust;
