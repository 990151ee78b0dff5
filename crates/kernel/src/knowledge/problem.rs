//! Describes why an index on disk is not used.

use contract::Limit;
use index::OpenError;

/// The reason why an index on disk is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexProblem {
    Damaged,
    /// The folder of the index belongs to another user, or other users can write to it. The message names the folder and
    /// the reason.
    Refused(String),
}

impl IndexProblem {
    /// Returns the problem that an error describes, or `None` if there is no index yet.
    pub(super) fn of(error: &OpenError) -> Option<Self> {
        match error {
            OpenError::Refused(reason) => Some(Self::Refused(reason.clone())),
            error if error.is_absent() => None,
            OpenError::Unreadable(_)
            | OpenError::OtherFormat { .. }
            | OpenError::Damaged { .. } => Some(Self::Damaged),
        }
    }

    /// Returns the `[Limits]` message.
    pub(crate) fn limit(&self) -> Limit {
        match self {
            Self::Damaged => Limit::IndexDamaged,
            Self::Refused(reason) => Limit::Said(format!("the folder of the index {reason}")),
        }
    }
}
