//! Reads the catalogue and all lists of a store.

use std::collections::{BTreeMap, HashMap, HashSet};

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::bounds::{
    CONCURRENT_TRANSFERS, MAX_CATALOGUE_BYTES, MAX_KEYS, MAX_LIST_BYTES, MAX_PACKS,
};
use crate::catalogue::{Catalogue, ObjectName, PackEntry, PackList};
use crate::exchange::{
    CATALOGUE, Exchange, ExchangeError, ObjectRefusal, list_object, wait_before,
};
use crate::pack::FactKey;

/// The maximum number of times that the catalogue is read. It is read again if a list that it names has been merged and
/// deleted.
const MAX_READS: u32 = 8;

/// The packs of a store, and the lists that contain them.
#[derive(Debug, Default)]
pub struct Inventory {
    pub(crate) lists: Vec<ObjectName>,
    pub(crate) packs: BTreeMap<ObjectName, PackEntry>,
}

impl Inventory {
    /// Returns whether the store has no facts of this format.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.packs.is_empty()
    }

    /// Returns the number of `wanted` keys that are in the store.
    #[must_use]
    pub fn count(&self, wanted: &[FactKey]) -> usize {
        let wanted: HashSet<&FactKey> = wanted.iter().collect();
        let found: HashSet<&FactKey> = self
            .packs
            .values()
            .flat_map(|pack| &pack.keys)
            .filter(|key| wanted.contains(key))
            .collect();
        found.len()
    }

    /// Adds the packs of a list. If a pack is already known, the later time of use is kept.
    pub(crate) fn add(&mut self, list: PackList) {
        for pack in list.packs {
            let used = pack.used;
            let known = self.packs.entry(pack.name.clone()).or_insert(pack);
            known.used = known.used.max(used);
        }
    }

    /// Selects packs that together contain the wanted keys, starting with the packs that contain the most of them.
    pub(crate) fn packs_for(&self, wanted: &[FactKey]) -> Vec<&PackEntry> {
        let mut missing: HashSet<&FactKey> = wanted.iter().collect();
        let counted = self
            .packs
            .values()
            .map(|pack| (pack.keys.iter().filter(|key| missing.contains(key)).count(), pack));
        let mut packs: Vec<(usize, &PackEntry)> = counted.filter(|(count, _)| *count > 0).collect();
        packs.sort_by_key(|(count, pack)| (std::cmp::Reverse(*count), &pack.name));
        let mut chosen = Vec::new();
        for (_, pack) in packs {
            let n_before = missing.len();
            for key in &pack.keys {
                missing.remove(key);
            }
            if missing.len() < n_before {
                chosen.push(pack);
            }
        }
        chosen
    }

    /// Returns, for each key, the size of the largest pack that contains it.
    pub(crate) fn sizes(&self) -> HashMap<FactKey, u64> {
        let mut sizes = HashMap::new();
        for pack in self.packs.values() {
            for key in &pack.keys {
                let size = sizes.entry(*key).or_insert(0);
                *size = pack.bytes.max(*size);
            }
        }
        sizes
    }
}

impl Exchange {
    /// Reads the catalogue and all lists. A store without a catalogue is empty.
    pub fn inventory(&self) -> Result<Inventory, ExchangeError> {
        self.objects.run(async {
            for attempt in 0..MAX_READS {
                wait_before(attempt).await;
                let Some(catalogue) = self.read_catalogue().await? else {
                    return Ok(Inventory::default());
                };
                let lists = stream::iter(catalogue.lists.iter())
                    .map(|name| self.read_list(name))
                    .buffered(CONCURRENT_TRANSFERS)
                    .try_collect::<Vec<Option<PackList>>>()
                    .await?;
                if lists.iter().all(Option::is_some) {
                    return joined(catalogue.lists, lists);
                }
            }
            Err(ExchangeError::Unsettled)
        })
    }

    pub(crate) async fn read_catalogue(&self) -> Result<Option<Catalogue>, ExchangeError> {
        let Some(bytes) = self.objects.read(CATALOGUE, MAX_CATALOGUE_BYTES).await? else {
            return Ok(None);
        };
        Catalogue::decode(&bytes, &self.format, &self.trusted)
            .map(Some)
            .map_err(|refusal| ExchangeError::refused(CATALOGUE, refusal))
    }

    /// Reads a list. Returns `None` if there is no such list.
    pub(crate) async fn read_list(
        &self,
        name: &ObjectName,
    ) -> Result<Option<PackList>, ExchangeError> {
        let object = list_object(name.as_str());
        let Some(bytes) = self.objects.read(&object, MAX_LIST_BYTES).await? else {
            return Ok(None);
        };
        if ObjectName::of(&bytes) != *name {
            return Err(ExchangeError::refused(object, ObjectRefusal::WrongHash));
        }
        let list = PackList::decode(&bytes, &self.format, &self.trusted);
        list.map(Some).map_err(|refusal| ExchangeError::refused(object, refusal))
    }
}

fn joined(
    names: Vec<ObjectName>,
    lists: Vec<Option<PackList>>,
) -> Result<Inventory, ExchangeError> {
    let mut inventory = Inventory { lists: names, packs: BTreeMap::new() };
    for list in lists.into_iter().flatten() {
        inventory.add(list);
    }
    let too_many =
        |what, max| ExchangeError::refused(CATALOGUE, ObjectRefusal::TooMany { what, max });
    if inventory.packs.len() > MAX_PACKS {
        return Err(too_many("packs", MAX_PACKS));
    }
    if inventory.packs.values().map(|pack| pack.keys.len()).sum::<usize>() > MAX_KEYS {
        return Err(too_many("keys", MAX_KEYS));
    }
    Ok(inventory)
}
