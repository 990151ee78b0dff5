//! A pack: many records of facts, compressed together.
//!
//! The pack itself is not signed. Its name is the hash of its bytes, and a signed list contains the name.

use std::collections::HashSet;

use crate::bounds::{MAX_UNPACKED_BYTES, PACK_TARGET_BYTES};
use crate::exchange::ObjectRefusal;

const MAGIC: [u8; 8] = *b"adjpack1";
const LENGTH_BYTES: usize = 4;
pub(crate) const KEY_BYTES: usize = 17;

/// The key of a record of facts. The crate `index` defines how keys are computed.
pub type FactKey = [u8; KEY_BYTES];

/// A record of facts with its key.
pub type FactRecord = (FactKey, Vec<u8>);

/// Collects the records of one pack.
#[derive(Default)]
pub(crate) struct PackBuilder {
    records: Vec<u8>,
    keys: Vec<FactKey>,
}

/// A pack that is ready to be stored.
pub(crate) struct EncodedPack {
    pub(crate) bytes: Vec<u8>,
    pub(crate) unpacked: u32,
    pub(crate) keys: Vec<FactKey>,
}

impl PackBuilder {
    /// Adds a record. Returns false if the record is too large for a pack.
    pub(crate) fn push(&mut self, key: FactKey, record: &[u8]) -> bool {
        let Ok(length) = u32::try_from(record.len()) else { return false };
        if record.len() > MAX_UNPACKED_BYTES as usize / 2 {
            return false;
        }
        self.records.extend_from_slice(&key);
        self.records.extend_from_slice(&length.to_le_bytes());
        self.records.extend_from_slice(record);
        self.keys.push(key);
        true
    }

    pub(crate) fn is_full(&self) -> bool {
        self.records.len() >= PACK_TARGET_BYTES
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(crate) fn finish(self) -> EncodedPack {
        let unpacked = self.records.len() as u32;
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&lz4_flex::block::compress(&self.records));
        EncodedPack { bytes, unpacked, keys: self.keys }
    }
}

/// Decodes a pack and returns its records. `unpacked` and `keys` are the values in the signed list. Fails if the pack
/// does not match them.
pub(crate) fn decode(
    bytes: &[u8],
    unpacked: u32,
    keys: &[FactKey],
) -> Result<Vec<FactRecord>, ObjectRefusal> {
    let malformed = |what: &str| ObjectRefusal::Malformed(what.to_owned());
    let packed = bytes.strip_prefix(&MAGIC).ok_or_else(|| malformed("no magic number"))?;
    if unpacked > MAX_UNPACKED_BYTES {
        return Err(ObjectRefusal::TooLarge { max: u64::from(MAX_UNPACKED_BYTES) });
    }
    // The output buffer has the length given in the list, so decompression cannot write more.
    let mut all = vec![0; unpacked as usize];
    let length = lz4_flex::block::decompress_into(packed, &mut all);
    if length.ok() != Some(all.len()) {
        return Err(malformed("its compressed data does not have the length in its list"));
    }
    let mut expected: HashSet<&FactKey> = keys.iter().collect();
    let mut records = Vec::with_capacity(keys.len());
    let mut rest = all.as_slice();
    while !rest.is_empty() {
        let (key, after) =
            rest.split_first_chunk::<KEY_BYTES>().ok_or_else(|| malformed("a key is truncated"))?;
        let (length, after) = after
            .split_first_chunk::<LENGTH_BYTES>()
            .ok_or_else(|| malformed("a length is truncated"))?;
        let (record, after) = after
            .split_at_checked(u32::from_le_bytes(*length) as usize)
            .ok_or_else(|| malformed("a record is truncated"))?;
        if !expected.remove(key) {
            return Err(ObjectRefusal::OtherRecords);
        }
        records.push((*key, record.to_vec()));
        rest = after;
    }
    if expected.is_empty() { Ok(records) } else { Err(ObjectRefusal::OtherRecords) }
}
