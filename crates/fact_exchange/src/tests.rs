//! Pushes to folder stores and pulls from them, with valid and invalid objects.

mod damage;
mod hostile;
mod sharing;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::{
    Exchange, ExchangeError, FactKey, FactRecord, Inventory, Pulled, Pushed, SigningKey, StoreUrl,
    TrustedKeys,
};

const FORMAT: &str = "3.3";

/// A folder store and the team's key.
struct Team {
    folder: tempfile::TempDir,
    key: SigningKey,
}

impl Team {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), key: SigningKey::generate().unwrap() }
    }

    fn exchange(&self) -> Exchange {
        self.exchange_of(FORMAT, &self.key)
    }

    fn exchange_of(&self, format: &str, key: &SigningKey) -> Exchange {
        open(self.folder.path(), format, key).unwrap()
    }

    fn push(&self, records: &[FactRecord]) -> Pushed {
        self.push_at(records, now())
    }

    fn push_at(&self, records: &[FactRecord], at: SystemTime) -> Pushed {
        push(&self.exchange(), &self.key, records, at).unwrap()
    }

    fn pull(&self, keys: &[FactKey]) -> Result<(Vec<FactRecord>, Pulled), ExchangeError> {
        pull(&self.exchange(), keys)
    }

    /// Returns the paths of all objects of a kind: `catalogue`, `lists` or `packs`.
    fn objects(&self, kind: &str) -> Vec<PathBuf> {
        let path = self.folder.path().join("adjutant").join(FORMAT).join(kind);
        if path.is_file() {
            return vec![path];
        }
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    }
}

fn open(folder: &Path, format: &str, key: &SigningKey) -> Result<Exchange, ExchangeError> {
    let url = StoreUrl::parse(&format!("file://{}", folder.display())).unwrap();
    let trusted = TrustedKeys::new(vec![key.public()]);
    Exchange::open(&url, &|_| None, format, trusted, true)
}

fn push(
    exchange: &Exchange,
    key: &SigningKey,
    records: &[FactRecord],
    at: SystemTime,
) -> Result<Pushed, ExchangeError> {
    let live: Vec<FactKey> = records.iter().map(|(key, _)| *key).collect();
    let mut inventory = exchange.inventory()?;
    let lacking = exchange.lacking(&mut inventory, &live)?;
    let mut missing = records.iter().filter(|(key, _)| lacking.contains(key)).cloned();
    exchange.push(&inventory, &live, &mut missing, lacking.len(), key, at, &|_| {})
}

fn pull(exchange: &Exchange, keys: &[FactKey]) -> Result<(Vec<FactRecord>, Pulled), ExchangeError> {
    let inventory: Inventory = exchange.inventory()?;
    let mut records = Vec::new();
    let pulled = exchange.pull(&inventory, keys, &|_| {}, &mut |some| {
        records.extend(some);
        Ok(())
    })?;
    records.sort();
    Ok((records, pulled))
}

/// The time of the machine, which is also the time of the files in a folder store.
#[expect(clippy::disallowed_methods, reason = "compared with the times of files")]
fn machine_time() -> SystemTime {
    SystemTime::now()
}

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000)
}

fn record(number: u32) -> FactRecord {
    let mut key = [7; 17];
    key[..4].copy_from_slice(&number.to_be_bytes());
    (key, format!("record {number} {}", "word ".repeat(number as usize % 50)).into_bytes())
}

fn records(numbers: std::ops::Range<u32>) -> Vec<FactRecord> {
    numbers.map(record).collect()
}

fn keys(records: &[FactRecord]) -> Vec<FactKey> {
    records.iter().map(|(key, _)| *key).collect()
}

/// Returns the name of an object in the form used in messages: `packs/0123…`.
fn object_name(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    match parts.last().map(AsRef::as_ref) {
        Some("catalogue") => "catalogue".to_owned(),
        _ => parts[parts.len() - 2..].join("/"),
    }
}
