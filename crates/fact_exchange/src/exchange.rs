//! An open store with facts of one format, and the errors of pushing and pulling facts.

use std::time::Duration;

use thiserror::Error;

use crate::keys::{KeyError, TrustedKeys};
use crate::objects::Objects;
use crate::store_url::StoreUrl;

pub(crate) const CATALOGUE: &str = "catalogue";
pub(crate) const LISTS: &str = "lists";
pub(crate) const PACKS: &str = "packs";

/// The delay before the second attempt. Later attempts wait longer.
const ATTEMPT_DELAY: Duration = Duration::from_millis(40);

/// The progress of a transfer: the number of objects and of bytes transferred so far, and the total number of objects.
/// The objects are packs in a pull and records in a push.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transfer {
    pub done: usize,
    pub objects: usize,
    pub done_bytes: u64,
}

/// A callback that receives the progress of a transfer.
pub type OnTransfer<'a> = &'a dyn Fn(Transfer);

/// An open store. Requests run on the calling thread.
pub struct Exchange {
    pub(crate) objects: Objects,
    pub(crate) format: String,
    pub(crate) trusted: TrustedKeys,
}

impl Exchange {
    /// Opens the store at `url`. `format` identifies the format of the facts. `variable` returns the value of an environment
    /// variable. If `creates` is true, a missing folder is created.
    pub fn open(
        url: &StoreUrl,
        variable: &dyn Fn(&str) -> Option<String>,
        format: &str,
        trusted: TrustedKeys,
        creates: bool,
    ) -> Result<Self, ExchangeError> {
        let objects = Objects::open(url, variable, format!("adjutant/{format}"), creates)?;
        Ok(Self { objects, format: format.to_owned(), trusted })
    }
}

pub(crate) fn list_object(name: &str) -> String {
    format!("{LISTS}/{name}")
}

pub(crate) fn pack_object(name: &str) -> String {
    format!("{PACKS}/{name}")
}

/// Waits before repeating an attempt that failed because another push was changing the store. The first attempt (0)
/// does not wait. The delay grows with `attempt`.
pub(crate) async fn wait_before(attempt: u32) {
    if attempt > 0 {
        tokio::time::sleep(ATTEMPT_DELAY * attempt).await;
    }
}

/// The reason why facts are not pushed or pulled. If it concerns one object, the message names the object.
#[derive(Debug, Error)]
pub enum ExchangeError {
    /// The store could not be reached, or a request failed.
    #[error("cannot {action} `{object}` in the store: {reason}")]
    Request { action: &'static str, object: String, reason: String },
    /// The store cannot be opened with these settings.
    #[error("cannot open the store: {0}")]
    Unusable(String),
    #[error("the store has no credentials")]
    NoCredentials,
    #[error("stores at an `https` address are read-only")]
    ReadOnly,
    /// An object is damaged, is not signed by a trusted key, or has unexpected content.
    #[error("refused `{object}` from the store: {refusal}")]
    Refused { object: String, refusal: ObjectRefusal },
    #[error("the store changes faster than it can be read")]
    Unsettled,
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A function that the caller passed failed to process the transferred records.
    #[error("{0}")]
    Caller(String),
}

/// The reason why an object of a store is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ObjectRefusal {
    #[error("it is larger than {max} bytes")]
    TooLarge { max: u64 },
    #[error("its bytes do not match its name")]
    WrongHash,
    #[error("its signature is not valid")]
    BadSignature,
    #[error("it was signed with the key {key}, which you do not trust")]
    UntrustedKey { key: String },
    #[error("it is not a signed object of this format")]
    NotSigned,
    #[error("it is not well formed: {0}")]
    Malformed(String),
    #[error("it has more than {max} {what}")]
    TooMany { what: &'static str, max: usize },
    #[error("its records do not match its list")]
    OtherRecords,
}

impl ExchangeError {
    pub(crate) fn refused(object: impl Into<String>, refusal: ObjectRefusal) -> Self {
        Self::Refused { object: object.into(), refusal }
    }
}
