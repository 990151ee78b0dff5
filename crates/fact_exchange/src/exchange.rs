//! An open store with facts of one format.

use std::time::Duration;

use crate::error::ExchangeError;
use crate::keys::TrustedKeys;
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
