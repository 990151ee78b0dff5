//! Limits on the data that is read from a store.

use std::time::Duration;

/// The maximum size of the catalogue in bytes.
pub(crate) const MAX_CATALOGUE_BYTES: u64 = 1 << 20;
/// The maximum number of lists in the catalogue.
pub(crate) const MAX_LISTS: usize = 4_096;
/// The maximum size of a list in bytes.
pub(crate) const MAX_LIST_BYTES: u64 = 64 << 20;
/// The maximum number of packs in all lists.
pub(crate) const MAX_PACKS: usize = 200_000;
/// The maximum number of keys in all lists.
pub(crate) const MAX_KEYS: usize = 8_000_000;
/// The maximum size of a pack in bytes, as stored.
pub(crate) const MAX_PACK_BYTES: u64 = 32 << 20;
/// The maximum size of a pack in bytes after decompression.
pub(crate) const MAX_UNPACKED_BYTES: u32 = 64 << 20;
/// The maximum number of objects in a listing of the store.
pub(crate) const MAX_LISTED: usize = 400_000;

/// The size in bytes at which a push completes a pack and starts the next one.
pub(crate) const PACK_TARGET_BYTES: usize = 8 << 20;
/// The size in bytes below which a pack counts as small.
pub(crate) const SMALL_PACK_BYTES: u64 = 256 << 10;
/// The maximum number of small packs. If there are more, a push combines their records into larger packs.
pub(crate) const MAX_SMALL_PACKS: usize = 64;
/// The number of lists at which a push merges all lists into one.
pub(crate) const MERGE_LISTS: usize = 16;

/// The maximum number of concurrent transfers.
pub(crate) const CONCURRENT_TRANSFERS: usize = 8;
/// The timeout of a single request.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The time after which a failing request is no longer retried.
pub(crate) const RETRY_TIMEOUT: Duration = Duration::from_secs(20);
pub(crate) const MAX_RETRIES: usize = 3;
/// The minimum age of a pack's recorded time of use before a push updates it.
pub(crate) const RENEW_AFTER: Duration = Duration::from_secs(24 * 60 * 60);
