//! Decides which content may be inserted into a prompt: checks paths, redacts secrets, removes injected instructions,
//! and adds delimiters around quoted text.
//!
//! Every function is pure or works on one open directory. Lookup tables are built on first use. The caller decides
//! how to report a finding.

mod base64;
mod bytes;
mod check;
mod injection;
mod neutralise;
mod paths;
mod prefix_search;
mod secrets;
mod table;
mod work;

pub use check::{FindingKind, GuardFinding, check};
#[cfg(feature = "training")]
pub use injection::training as injection_training;
pub use injection::{Filtered, Reason, RemovedSegment, filter_injection, unquotable_lines};
pub use neutralise::{Fence, neutralise};
pub use paths::{
    MAX_QUOTED_BYTES, Opened, PathRefusal, Quotable, Root, WriteRefusal, inspect, is_sensitive,
    quotable,
};
#[cfg(feature = "training")]
pub use secrets::training;
pub use secrets::{MARK, Redacted, StreamRedactor, redact, redact_file, redact_named};
