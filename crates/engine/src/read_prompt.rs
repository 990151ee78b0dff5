//! A prompt that has been read. It is read once and then passed to everything that needs its words or its questions.

use crate::query::Query;
use crate::question::DirectQuestion;

/// A text with its query and its direct questions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadPrompt {
    pub text: String,
    pub query: Query,
    /// The direct questions, most explicit first.
    pub questions: Vec<DirectQuestion>,
}

impl ReadPrompt {
    #[must_use]
    pub fn new(text: String) -> Self {
        Self { query: Query::read(&text), questions: DirectQuestion::read(&text), text }
    }
}
