//! What may enter a prompt: paths, secrets, injected instructions and fences.
//!
//! Every function here is pure or works on one open directory; the tables behind them are built on first use.
//! What is done with a finding (a limit, a log line) is the caller's business.

mod base64;
mod check;
mod fence;
mod injection;
mod lookout;
mod neutralise;
mod paths;
mod secrets;
mod work;

pub use check::{Finding, FindingKind, Report, check};
pub use fence::Fence;
#[cfg(feature = "training")]
pub use injection::training as injection_training;
pub use injection::{Filtered, Reason, RemovedSegment, filter_injection, unquotable_lines};
pub use neutralise::neutralise;
pub use paths::{Opened, PathRefusal, Quotable, Root, WriteRefusal, is_sensitive, quotable};
#[cfg(feature = "training")]
pub use secrets::training;
pub use secrets::{Redacted, StreamRedactor, redact, redact_named};
