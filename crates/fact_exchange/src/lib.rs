//! Exchanges records of facts with an object store that a team shares: a folder, a bucket or a web server.
//!
//! Data from a store is untrusted. Every object is read up to a size limit. An object that is damaged, or that no
//! trusted team key has signed, is refused, and the error names it. Objects are named by the hash of their bytes, and
//! no name from the store is used as a path. The content of a record is opaque to this crate; the crate `index`
//! checks it.

mod bounds;
mod catalogue;
mod collect;
mod connect;
mod error;
mod exchange;
#[doc(hidden)]
pub mod fuzzing;
mod inventory;
mod keys;
mod objects;
mod pack;
mod pull;
mod push;
mod signed;
mod store_url;

pub use collect::Collected;
pub use error::{ExchangeError, Refusal};
pub use exchange::{Exchange, OnTransfer, Transfer};
pub use inventory::Inventory;
pub use keys::{KeyError, PublicKey, SigningKey, TrustedKeys};
pub use pack::{FactKey, Record};
pub use pull::Pulled;
pub use push::Pushed;
pub use store_url::{StoreUrl, UrlError};

#[cfg(test)]
mod tests;
