//! Errors of pushing and pulling facts. If an error concerns one object, its message names the object.

use thiserror::Error;

use crate::keys::KeyError;

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
    #[error("it is not in the store")]
    Missing,
}

impl ExchangeError {
    pub(crate) fn refused(object: impl Into<String>, refusal: ObjectRefusal) -> Self {
        Self::Refused { object: object.into(), refusal }
    }
}
