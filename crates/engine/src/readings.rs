//! Records the texts from which queries and direct questions are read. Only a test that counts readings enables this module.

use std::sync::{Mutex, PoisonError};

static READINGS: Mutex<Vec<RecordedReading>> = Mutex::new(Vec::new());

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordedReading {
    Query(String),
    Questions(String),
}

impl RecordedReading {
    fn text(&self) -> &str {
        match self {
            Self::Query(text) | Self::Questions(text) => text,
        }
    }
}

pub(crate) fn record(reading: RecordedReading) {
    READINGS.lock().unwrap_or_else(PoisonError::into_inner).push(reading);
}

/// Returns the readings in this process whose text contains `part`, sorted.
#[must_use]
pub fn with_text(part: &str) -> Vec<RecordedReading> {
    let all = READINGS.lock().unwrap_or_else(PoisonError::into_inner);
    let mut found: Vec<RecordedReading> =
        all.iter().filter(|reading| reading.text().contains(part)).cloned().collect();
    found.sort();
    found
}
