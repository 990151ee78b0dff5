//! Decides which files may be read and quoted: beneath the root, not sensitive, not binary, not too large.

mod quotable;
mod root;
mod sensitive;

pub use quotable::{Quotable, quotable};
pub use root::{Opened, PathRefusal, Root, WriteRefusal};
pub use sensitive::is_sensitive;

#[cfg(test)]
mod tests;
