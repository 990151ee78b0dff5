//! Exchanges records of facts with an object store that a team shares: a folder, a bucket or a web server.
//!
//! Data from a store is untrusted. Every object is read up to a size limit. The catalogue and the lists must be signed
//! with a trusted team key, and a pack must have the hash that a signed list contains. Other objects are refused, and
//! the error names them. The names in the catalogue and in lists must be hashes, so they cannot lead out of the store.
//! The content of a record is opaque to this crate; the crate `index` checks it.

mod bounds;
mod catalogue;
mod collect;
mod connect;
mod exchange;
#[doc(hidden)]
pub mod fuzzing;
mod inventory;
mod keys;
mod objects;
mod pack;
mod pull;
mod push;
mod store_url;

pub use collect::Collected;
pub use exchange::{Exchange, ExchangeError, ObjectRefusal, OnTransfer, Transfer};
pub use inventory::Inventory;
pub use keys::{KeyError, PublicKey, SigningKey, TrustedKeys};
pub use pack::{FactKey, FactRecord};
pub use pull::Pulled;
pub use push::Pushed;
pub use store_url::{StoreUrl, UrlError};

#[cfg(test)]
mod tests;
