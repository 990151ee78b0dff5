//! Decides which files may be read and quoted: beneath the root, not sensitive, not binary, not too large.

mod quotable;
mod sensitive;

pub use disk::{PathRefusal, Root, WriteRefusal};
pub use quotable::{Opened, Quotable, inspect, quotable};
pub use sensitive::is_sensitive;

#[cfg(test)]
mod tests;
