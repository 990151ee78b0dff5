//! Encodes how often a term occurs in each field, as a set of flags followed by the counts. If all counts are 1, a flag
//! indicates this and the counts are omitted.
//!
//! Fact records and a snapshot's postings use the same encoding, so the bytes are copied when a snapshot is assembled.

use crate::codec::{Cursor, put_varint};
use crate::text::{FIELDS, Field};

/// The fields in the order of their flags. Frequent fields have the low bits, so that most sets of flags fit in one
/// byte.
const BITS: [Field; FIELDS] = [
    Field::Body,
    Field::Docs,
    Field::Strings,
    Field::Signature,
    Field::Name,
    Field::Qualified,
    Field::Path,
    Field::History,
];

pub(crate) fn put(out: &mut Vec<u8>, counts: &[u32; FIELDS]) {
    let mut flags = 0_u64;
    let mut all_one = true;
    for (bit, field) in BITS.iter().enumerate() {
        let count = counts[field.slot()];
        flags |= u64::from(count > 0) << (bit + 1);
        all_one &= count <= 1;
    }
    put_varint(out, flags | u64::from(all_one));
    if !all_one {
        for field in BITS {
            let count = counts[field.slot()];
            if count > 0 {
                put_varint(out, u64::from(count));
            }
        }
    }
}

#[inline]
pub(crate) fn read(cursor: &mut Cursor<'_>) -> [u32; FIELDS] {
    let flags = cursor.varint();
    let all_one = flags & 1 == 1;
    let mut counts = [0; FIELDS];
    for (bit, field) in BITS.iter().enumerate() {
        if flags >> (bit + 1) & 1 == 1 {
            counts[field.slot()] = if all_one { 1 } else { cursor.small() };
        }
    }
    counts
}
