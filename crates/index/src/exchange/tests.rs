use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::*;
use crate::parser::Parser;

const SOURCES: [(&str, &str); 7] = [
    (
        "src/shop.py",
        "import os\nfrom .cart import Cart as Basket\n\n\nclass Shop(Base):\n    \"\"\"Sells zebras.\"\"\"\n\n    def sell(self, zebra):\n        basket = Basket(zebra)\n        return basket.total(os.name)\n",
    ),
    ("src/cart.py", "class Cart:\n    def total(self, name):\n        return len(name)\n"),
    ("src/main.rs", "mod shop;\n\n/// Runs.\nfn main() {\n    shop::open(3);\n}\n"),
    (
        "web/page.ts",
        "export function render(items: string[]) {\n  return items.map((it) => it.trim());\n}\n",
    ),
    ("README.md", "# Shop\n\nZebras are sold here.\n"),
    ("data/prices.csv", "zebra,12\nquagga,14\n"),
    ("src/key.py", "PASSWORD_OF_ZEBRA = 'correct-horse-battery'\n\n\ndef login():\n    pass\n"),
];

fn tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in SOURCES {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn options() -> BuildOptions {
    BuildOptions::new(SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000), Parser::linked())
}

/// Removes one value, as the guard removes secrets.
fn redact(text: &str) -> Option<String> {
    text.contains("battery").then(|| text.replace("correct-horse-battery", "<redacted>"))
}

fn exported(root: &Path, cache: &Path) -> Vec<(FactKeyBytes, Vec<u8>)> {
    let store = Store::new(cache, root);
    store.refresh(&options(), &|_| {}).unwrap();
    let contents = store.contents(&options()).unwrap();
    let options = options();
    let facts = store.facts();
    let mut exported = store.export(&facts, &options, contents, redact);
    let records: Vec<_> = exported.by_ref().collect();
    assert_eq!((exported.n_redacted, exported.n_left_out), (1, 0));
    records
}

#[test]
fn facts_of_another_machine_are_used_instead_of_parsing() {
    let (root, first, second) =
        (tree(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let records = exported(root.path(), first.path());
    assert_eq!(records.len(), SOURCES.len());
    let store = Store::new(second.path(), root.path());
    let mut lacking = store.lacking(&options()).unwrap();
    let mut keys: Vec<_> = records.iter().map(|(key, _)| *key).collect();
    keys.sort_unstable();
    lacking.sort_unstable();
    assert_eq!(lacking, keys);
    store.import(&records).unwrap();
    assert_eq!(store.lacking(&options()).unwrap(), Vec::<FactKeyBytes>::new());
    let refreshed = store.refresh(&options(), &|_| {}).unwrap();
    assert_eq!((refreshed.files, refreshed.analysed), (SOURCES.len(), 0));
}

#[test]
fn exported_facts_have_no_secret_and_the_same_lines() {
    let (root, cache) = (tree(), tempfile::tempdir().unwrap());
    let records = exported(root.path(), cache.path());
    let has = |word: &str| records.iter().any(|(_, record)| contains(record, word));
    assert!(has("login") && has("quagga"));
    assert!(!has("battery") && !has("horse"));
}

fn contains(record: &[u8], word: &str) -> bool {
    // Terms are stored without the prefix that they share with the previous term, so the test compares whole terms
    // instead of bytes.
    let mut found = false;
    crate::facts::FactsReader::new(record).terms(|term, _| found |= term == word.as_bytes());
    found
}

#[test]
fn a_record_that_is_not_well_formed_is_refused_and_nothing_is_stored() {
    let (root, first, second) =
        (tree(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut records = exported(root.path(), first.path());
    records[3].1.pop();
    let store = Store::new(second.path(), root.path());
    let error = store.import(&records).unwrap_err().to_string();
    assert!(error.contains("not well formed: its length is wrong"), "{error}");
    assert_eq!(store.lacking(&options()).unwrap().len(), SOURCES.len());
    let mut records = exported(root.path(), first.path());
    records[0].0[KEY_BYTES - 1] = 200;
    assert!(store.import(&records).is_err());
    // A record of facts about prose is not valid for code.
    let mut records = exported(root.path(), first.path());
    records.sort_by_key(|(key, _)| key[KEY_BYTES - 1]);
    // In this order prose is first, data is last, and code is between them.
    let code = records[records.len() - 2].0[KEY_BYTES - 1];
    records[0].0[KEY_BYTES - 1] = code;
    assert!(store.import(&records).is_err());
}

/// A simple pseudo-random number generator with a fixed seed, so that each run of the test is the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

#[test]
fn damaged_records_are_refused_or_can_be_used() {
    let (root, first) = (tree(), tempfile::tempdir().unwrap());
    let records = exported(root.path(), first.path());
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut n_refused, mut n_used) = (0, 0);
    for _ in 0..3_000 {
        let mut damaged = records.clone();
        let at = numbers.below(damaged.len());
        let record = &mut damaged[at].1;
        for _ in 0..=numbers.below(3) {
            let place = numbers.below(record.len());
            match numbers.below(4) {
                0 => record[place] ^= 1 << numbers.below(8),
                1 => record[place] = 0xff,
                2 => record[place] = 0,
                _ => record[place] = record[place].wrapping_add(1),
            }
        }
        let (key, record) = &damaged[at];
        let reading = Reading::of_code(key[KEY_BYTES - 1]).unwrap();
        if check_record(record, reading).is_err() {
            n_refused += 1;
            continue;
        }
        n_used += 1;
        // Every 20th record is assembled into a snapshot, which is then queried.
        if n_used % 20 == 0 {
            let second = tempfile::tempdir().unwrap();
            let store = Store::new(second.path(), root.path());
            store.import(&damaged).unwrap();
            let refreshed = store.refresh(&options(), &|_| {}).unwrap();
            assert_eq!(refreshed.analysed, 0);
            let view = store.view_as_written().unwrap();
            assert!(view.verify());
        }
    }
    assert!(n_refused > 500 && n_used > 200, "{n_refused} refused, {n_used} used");
}

#[test]
fn hostile_records_are_refused() {
    for record in [vec![], vec![0; 3], vec![0xff; 64], vec![0; 4096]] {
        assert!(check_record(&record, Reading::Prose).is_err(), "{record:?}");
    }
}
