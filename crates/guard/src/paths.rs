//! Decides which files may be read and quoted. A file may be quoted only if it is beneath the root, not sensitive, not
//! binary and not too large.

mod quotable;
mod sensitive;

pub use disk::{PathRefusal, Root, WriteRefusal};
pub use quotable::{MAX_QUOTED_BYTES, Opened, Quotable, inspect, quotable};
pub use sensitive::is_sensitive;

#[cfg(test)]
mod tests;
