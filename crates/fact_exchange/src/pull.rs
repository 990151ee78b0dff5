//! Reads the records with given keys from a store.

use std::collections::HashSet;

use futures_util::{StreamExt, stream};

use crate::bounds::{CONCURRENT_TRANSFERS, MAX_PACK_BYTES};
use crate::catalogue::{ObjectName, PackEntry};
use crate::exchange::{Exchange, ExchangeError, ObjectRefusal, OnTransfer, Transfer, pack_object};
use crate::inventory::Inventory;
use crate::pack::{self, FactKey, FactRecord};

/// The result of a pull.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pulled {
    /// The number of records that were read.
    pub records: usize,
    /// The number of packs that were read.
    pub packs: usize,
    pub bytes: u64,
    /// The number of packs that a list names but that the store no longer contains.
    pub missing_packs: usize,
}

impl Exchange {
    /// Reads the records with the `wanted` keys and calls `take` with the records of each pack. A deleted pack is
    /// counted and skipped. Fails if a pack does not match its entry in the list.
    pub fn pull(
        &self,
        inventory: &Inventory,
        wanted: &[FactKey],
        on_transfer: OnTransfer<'_>,
        take: &mut dyn FnMut(Vec<FactRecord>) -> Result<(), String>,
    ) -> Result<Pulled, ExchangeError> {
        let packs = inventory.packs_for(wanted);
        let mut missing: HashSet<FactKey> = wanted.iter().copied().collect();
        let mut pulled = Pulled::default();
        let n_packs = packs.len();
        self.objects.run(async {
            let reads = packs.into_iter().map(|pack| self.read_pack(pack));
            let mut reads = stream::iter(reads).buffer_unordered(CONCURRENT_TRANSFERS);
            while let Some(read) = reads.next().await {
                match read? {
                    None => pulled.missing_packs += 1,
                    Some((bytes, records)) => {
                        let records: Vec<FactRecord> =
                            records.into_iter().filter(|(key, _)| missing.remove(key)).collect();
                        pulled.records += records.len();
                        pulled.packs += 1;
                        pulled.bytes += bytes;
                        take(records).map_err(ExchangeError::Caller)?;
                    }
                }
                let done = pulled.packs + pulled.missing_packs;
                on_transfer(Transfer { done, objects: n_packs, done_bytes: pulled.bytes });
            }
            Ok(())
        })?;
        Ok(pulled)
    }

    /// Reads and verifies a pack. Returns its size and its records, or `None` if it was deleted.
    async fn read_pack(
        &self,
        entry: &PackEntry,
    ) -> Result<Option<(u64, Vec<FactRecord>)>, ExchangeError> {
        let object = pack_object(entry.name.as_str());
        let max = entry.bytes.min(MAX_PACK_BYTES);
        let Some(bytes) = self.objects.read(&object, max).await? else { return Ok(None) };
        let refused = |refusal| ExchangeError::refused(object.clone(), refusal);
        if ObjectName::of(&bytes) != entry.name {
            return Err(refused(ObjectRefusal::WrongHash));
        }
        let records = pack::decode(&bytes, entry.unpacked, &entry.keys).map_err(refused)?;
        Ok(Some((bytes.len() as u64, records)))
    }
}
