//! Reads the facts of a tree in order to export them to other machines.
//!
//! Facts contain the words of a file. If a file contains a secret, its facts are computed again from the redacted
//! content.

use crate::build::BuildOptions;
use crate::fact_store::{BlockReader, FactStore};
use crate::facts::{Analyser, FactsReader, Reading, check_record, decode_text};
use crate::role::ContentMark;
use crate::store::Store;

use super::{FactKeyBytes, TreeContent, content_hash, read_content};

/// Returns the input without its secrets, or `None` if the input contains no secrets.
pub type RedactText = fn(&str) -> Option<String>;

/// The facts that are stored on this machine.
pub struct StoredFacts(FactStore);

/// An iterator over exported facts, each with its key. Created by [`Store::export`].
pub struct Exported<'e> {
    store: &'e Store,
    options: &'e BuildOptions,
    redact: RedactText,
    facts: &'e StoredFacts,
    reader: BlockReader<'e>,
    analyser: Analyser,
    contents: std::vec::IntoIter<TreeContent>,
    /// The number of files with secrets. Their facts were computed from the redacted content.
    pub n_redacted: usize,
    /// The number of files that have been left out so far. A file is left out if it has changed, was not analysed
    /// completely, or has no valid stored facts, or if redacting it would remove lines.
    pub n_left_out: usize,
}

impl Store {
    /// Opens the stored facts, for [`Self::export`].
    #[must_use]
    pub fn facts(&self) -> StoredFacts {
        StoredFacts(FactStore::open(self.folder()))
    }

    /// Returns the facts of `contents`, without the secrets that `redact` finds.
    pub fn export<'e>(
        &'e self,
        facts: &'e StoredFacts,
        options: &'e BuildOptions,
        contents: Vec<TreeContent>,
        redact: RedactText,
    ) -> Exported<'e> {
        Exported {
            store: self,
            options,
            redact,
            facts,
            reader: facts.0.reader(),
            analyser: Analyser::new(&options.access.parser),
            contents: contents.into_iter(),
            n_redacted: 0,
            n_left_out: 0,
        }
    }
}

impl Exported<'_> {
    fn record(&mut self, content: &TreeContent) -> Option<Vec<u8>> {
        let bytes = read_content(self.store.root(), &content.path, self.options)?;
        let reading = Reading::of_content(&content.path, &bytes);
        if content_hash(&bytes) != content.key.hash {
            return None;
        }
        let text = decode_text(&bytes);
        let redacted = text.as_ref().and_then(|text| (self.redact)(text));
        let record = match redacted {
            Some(redacted) => {
                // If the redaction of a multi-line secret removed lines, the line numbers after it would be wrong.
                let n_lines = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
                if text.is_some_and(|text| n_lines(&text) != n_lines(&redacted)) {
                    return None;
                }
                let record = self.analyser.analyse(redacted.as_bytes(), reading).ok()?;
                self.n_redacted += 1;
                record
            }
            None => {
                let place = self.facts.0.find(content.key)?;
                self.reader.record(place)?.to_vec()
            }
        };
        // Another machine may be able to analyse a file that this machine could not analyse.
        let is_unread = FactsReader::new(&record).head.mark == ContentMark::Unread;
        let is_complete = !is_unread || reading == Reading::PathOnly;
        (is_complete && check_record(&record, reading).is_ok()).then_some(record)
    }
}

impl Iterator for Exported<'_> {
    type Item = (FactKeyBytes, Vec<u8>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let content = self.contents.next()?;
            match self.record(&content) {
                Some(record) => return Some((content.key(), record)),
                None => self.n_left_out += 1,
            }
        }
    }
}
