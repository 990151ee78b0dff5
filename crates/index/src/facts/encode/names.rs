//! Assigns an index to each name in a record.

use std::borrow::Cow;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::codec::put_text;

/// The distinct names in a record, numbered in the order of first use.
#[derive(Default)]
pub(super) struct Names<'t> {
    numbers: FxHashMap<Cow<'t, str>, u64>,
    order: Vec<u8>,
}

impl<'t> Names<'t> {
    pub(super) fn number(&mut self, name: impl Into<Cow<'t, str>>) -> u64 {
        let next = self.numbers.len() as u64;
        match self.numbers.entry(name.into()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                put_text(&mut self.order, new.key().as_bytes());
                *new.insert(next)
            }
        }
    }

    pub(super) fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.order);
    }
}
