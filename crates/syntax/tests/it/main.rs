//! What the crate promises to its users, as text in and text out.

mod by_tokens;
mod hostile;
mod languages;
mod render;
mod robust;
