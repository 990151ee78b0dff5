//! Which files may be read and quoted: inside the root by handle, not sensitive, not binary, not too large.

mod quotable;
mod root;
mod sensitive;

pub use quotable::{Quotable, quotable};
pub use root::{Opened, PathRefusal, Root, WriteRefusal};
pub use sensitive::is_sensitive;

#[cfg(test)]
mod tests;
