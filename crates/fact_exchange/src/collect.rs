//! Deletes objects that no push has needed for a given time.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use crate::catalogue::ObjectName;
use crate::exchange::{Exchange, ExchangeError, LISTS, PACKS, pack_object};
use crate::inventory::Inventory;
use crate::keys::SigningKey;
use crate::push::seconds;

/// The result of a garbage collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// The number of packs that were deleted or, in a dry run, that would be deleted.
    pub packs: usize,
    pub bytes: u64,
    /// The number of packs that remain in the store.
    pub kept: usize,
}

impl Exchange {
    /// Deletes the packs that no push has needed for `max_age`. Also deletes lists that are older than `max_age` and are
    /// refused, for example because no trusted key has signed them. Newer objects are kept, because another push may be
    /// about to list them. If `is_dry_run` is set, deletes nothing.
    pub fn collect(
        &self,
        max_age: Duration,
        now: SystemTime,
        key: &SigningKey,
        is_dry_run: bool,
    ) -> Result<Collected, ExchangeError> {
        if self.objects.url().is_read_only() {
            return Err(ExchangeError::ReadOnly);
        }
        let oldest = seconds(now).saturating_sub(max_age.as_secs());
        self.objects.run(async {
            let (mut inventory, refused) = self.lists_by_age(oldest).await?;
            inventory.packs.retain(|_, pack| pack.used >= oldest);
            let stored = self.objects.list(PACKS).await?;
            let is_old = |written: i64| u64::try_from(written).unwrap_or(0) < oldest;
            let garbage: Vec<_> = stored
                .iter()
                .filter(|(name, meta)| {
                    let is_kept = ObjectName::parse(name)
                        .is_some_and(|name| inventory.packs.contains_key(&name));
                    !is_kept && is_old(meta.last_modified.timestamp())
                })
                .collect();
            let collected = Collected {
                packs: garbage.len(),
                bytes: garbage.iter().map(|(_, meta)| meta.size).sum(),
                kept: stored.len() - garbage.len(),
            };
            if is_dry_run {
                return Ok(collected);
            }
            let replaced: Vec<ObjectName> =
                inventory.lists.iter().cloned().chain(refused.iter().cloned()).collect();
            if !replaced.is_empty() {
                self.replace_lists(inventory, &replaced, key).await?;
            }
            for (name, _) in garbage {
                self.objects.delete(&pack_object(name)).await?;
            }
            Ok(collected)
        })
    }

    /// Reads all lists in the store. Returns the packs of the accepted lists, and the names of the refused lists that
    /// were written before `oldest`. Fails if a list that was written later is refused.
    async fn lists_by_age(
        &self,
        oldest: u64,
    ) -> Result<(Inventory, BTreeSet<ObjectName>), ExchangeError> {
        let (mut inventory, mut refused) = (Inventory::default(), BTreeSet::new());
        for (name, meta) in self.objects.list(LISTS).await? {
            let Some(name) = ObjectName::parse(&name) else { continue };
            let is_old = u64::try_from(meta.last_modified.timestamp()).unwrap_or(0) < oldest;
            match self.read_list(&name).await {
                Ok(Some(list)) => {
                    inventory.add(list);
                    inventory.lists.push(name);
                }
                Ok(None) => {}
                Err(ExchangeError::Refused { .. }) if is_old => {
                    refused.insert(name);
                }
                Err(error) => return Err(error),
            }
        }
        Ok((inventory, refused))
    }
}
