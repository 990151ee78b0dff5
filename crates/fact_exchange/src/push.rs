//! Writes records that a store does not contain yet.
//!
//! A push writes packs, then a signed list of them, then the catalogue. Packs and lists never change and are named by the
//! hash of their bytes, so concurrent pushes do not damage each other's objects. The catalogue is built from a listing of the
//! lists, and written again if the listing has changed in the meantime.

use std::collections::{BTreeSet, HashSet};
use std::time::{Duration, SystemTime};

use crate::bounds::{
    MAX_LISTS, MAX_PACK_BYTES, MAX_SMALL_PACKS, MERGE_LISTS, RENEW_AFTER, SMALL_PACK_BYTES,
};
use crate::catalogue::{Catalogue, ObjectName, PackEntry, PackList};
use crate::exchange::{
    CATALOGUE, Exchange, ExchangeError, LISTS, ObjectRefusal, OnTransfer, PACKS, Transfer,
    list_object, pack_object, wait_before,
};
use crate::inventory::Inventory;
use crate::keys::SigningKey;
use crate::pack::{FactKey, FactRecord, PackBuilder};

/// The maximum number of times that a push writes the catalogue. It writes the catalogue again if another push has
/// written a list in the meantime.
const MAX_CATALOGUE_WRITES: u32 = 20;

/// The result of a push.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pushed {
    pub records: usize,
    pub packs: usize,
    pub bytes: u64,
    /// The number of records that are too large for a pack.
    pub too_large: usize,
}

impl Exchange {
    /// Returns the keys that a push has to write. `live` contains the keys of all current records. A key has to be
    /// written if it is not in the store, or if it is only in small packs and there are too many of them. Also removes
    /// from `inventory` the packs that the store no longer contains.
    pub fn lacking(
        &self,
        inventory: &mut Inventory,
        live: &[FactKey],
    ) -> Result<Vec<FactKey>, ExchangeError> {
        let stored = self.objects.run(self.objects.list(PACKS))?;
        let stored: HashSet<String> = stored.into_iter().map(|(name, _)| name).collect();
        // A pack may have been deleted although a list still names it.
        inventory.packs.retain(|name, _| stored.contains(name.as_str()));
        let is_small = |bytes: u64| bytes < SMALL_PACK_BYTES;
        let n_small = inventory.packs.values().filter(|pack| is_small(pack.bytes)).count();
        let sizes = inventory.sizes();
        let mut seen = HashSet::new();
        let is_lacking = |key: &FactKey| match sizes.get(key) {
            None => true,
            Some(bytes) => n_small > MAX_SMALL_PACKS && is_small(*bytes),
        };
        Ok(live.iter().copied().filter(|key| is_lacking(key) && seen.insert(*key)).collect())
    }

    /// Writes `records`, and updates the time of use of the packs that contain the `live` keys. `total` is the expected number
    /// of records.
    #[expect(clippy::too_many_arguments, reason = "one value each: what, where, who, when")]
    pub fn push(
        &self,
        inventory: &Inventory,
        live: &[FactKey],
        records: &mut dyn Iterator<Item = FactRecord>,
        total: usize,
        key: &SigningKey,
        now: SystemTime,
        on_transfer: OnTransfer<'_>,
    ) -> Result<Pushed, ExchangeError> {
        if self.objects.url().is_read_only() {
            return Err(ExchangeError::ReadOnly);
        }
        let used = seconds(now);
        let (mut pushed, mut list) = (Pushed::default(), PackList::default());
        loop {
            let mut builder = PackBuilder::default();
            while let Some((key, record)) = (!builder.is_full()).then(|| records.next()).flatten() {
                if !builder.push(key, &record) {
                    pushed.too_large += 1;
                }
            }
            if builder.is_empty() {
                break;
            }
            let entry = self.write_pack(builder, used, &mut pushed)?;
            list.packs.extend(entry);
            on_transfer(Transfer {
                done: pushed.records,
                objects: total,
                done_bytes: pushed.bytes,
            });
        }
        let renewed = renewed(inventory, live, used);
        list.packs.extend(renewed);
        self.objects.run(self.publish(inventory, list, key))?;
        Ok(pushed)
    }

    /// Writes a pack and returns its entry for the list. If the pack is larger than readers accept, writes nothing and
    /// returns `None`.
    fn write_pack(
        &self,
        builder: PackBuilder,
        used: u64,
        pushed: &mut Pushed,
    ) -> Result<Option<PackEntry>, ExchangeError> {
        let pack = builder.finish();
        let (n_records, bytes) = (pack.keys.len(), pack.bytes.len() as u64);
        if bytes > MAX_PACK_BYTES {
            pushed.too_large += n_records;
            return Ok(None);
        }
        let name = ObjectName::of(&pack.bytes);
        self.objects.run(self.objects.write(&pack_object(name.as_str()), pack.bytes))?;
        pushed.records += n_records;
        pushed.packs += 1;
        pushed.bytes += bytes;
        Ok(Some(PackEntry { name, bytes, unpacked: pack.unpacked, used, keys: pack.keys }))
    }

    /// Writes a list and the catalogue. If there are many lists, merges the known lists into the new one.
    async fn publish(
        &self,
        inventory: &Inventory,
        list: PackList,
        key: &SigningKey,
    ) -> Result<(), ExchangeError> {
        let merges = inventory.lists.len() >= MERGE_LISTS;
        let is_catalogued = !inventory.lists.is_empty();
        if list.packs.is_empty() && !merges && is_catalogued {
            return Ok(());
        }
        let mut all = Inventory::default();
        if merges {
            all.add(PackList { packs: inventory.packs.values().cloned().collect() });
        }
        all.add(list);
        let replaced = if merges { inventory.lists.as_slice() } else { &[] };
        self.replace_lists(all, replaced, key).await
    }

    /// Writes one list of all packs in `inventory`, deletes the `replaced` lists, and writes the catalogue.
    pub(crate) async fn replace_lists(
        &self,
        inventory: Inventory,
        replaced: &[ObjectName],
        key: &SigningKey,
    ) -> Result<(), ExchangeError> {
        let list = PackList { packs: inventory.packs.into_values().collect() };
        let bytes = list.encode(key, &self.format);
        let name = ObjectName::of(&bytes);
        self.objects.write(&list_object(name.as_str()), bytes).await?;
        let replaced: BTreeSet<&ObjectName> = replaced.iter().filter(|it| **it != name).collect();
        self.write_catalogue(&replaced, key).await?;
        if replaced.is_empty() {
            return Ok(());
        }
        for list in &replaced {
            self.objects.delete(&list_object(list.as_str())).await?;
        }
        // Another push may have written a catalogue that names the deleted lists.
        self.write_catalogue(&BTreeSet::new(), key).await
    }

    /// Builds the catalogue from the lists in the store, without the `replaced` ones, and writes it. Repeats this
    /// until no other push has written a list in the meantime, so that the final catalogue contains all lists.
    async fn write_catalogue(
        &self,
        replaced: &BTreeSet<&ObjectName>,
        key: &SigningKey,
    ) -> Result<(), ExchangeError> {
        let mut written = None;
        for attempt in 0..MAX_CATALOGUE_WRITES {
            wait_before(attempt / 2).await;
            let lists = self.listed().await?;
            let lists: Vec<ObjectName> =
                lists.into_iter().filter(|list| !replaced.contains(list)).collect();
            if lists.len() > MAX_LISTS {
                let refusal = ObjectRefusal::TooMany { what: "objects", max: MAX_LISTS };
                return Err(ExchangeError::refused(LISTS, refusal));
            }
            let catalogue = Catalogue { lists };
            if written.as_ref() == Some(&catalogue) {
                return Ok(());
            }
            self.objects.write(CATALOGUE, catalogue.encode(key, &self.format)).await?;
            written = Some(catalogue);
        }
        Err(ExchangeError::Unsettled)
    }

    /// Returns the sorted names of the lists in the store. Other objects in the folder are ignored.
    pub(crate) async fn listed(&self) -> Result<BTreeSet<ObjectName>, ExchangeError> {
        let listed = self.objects.list(LISTS).await?;
        Ok(listed.iter().filter_map(|(name, _)| ObjectName::parse(name)).collect())
    }
}

/// Returns the packs that contain `live` keys and whose recorded time of use is old. In the returned entries, the
/// time of use is set to `used`.
fn renewed(inventory: &Inventory, live: &[FactKey], used: u64) -> Vec<PackEntry> {
    let packs = inventory.packs_for(live).into_iter();
    packs
        .filter(|pack| used.saturating_sub(pack.used) > RENEW_AFTER.as_secs())
        .map(|pack| PackEntry { used, ..pack.clone() })
        .collect()
}

pub(crate) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs()
}
