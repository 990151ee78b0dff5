//! Reads arbitrary objects of a store, for the crate `fuzz-targets`.
//!
//! A hostile object can have a correct signature, if the key was lost to others. So the readers after the signature must
//! not panic and must not use memory without a bound either.

use crate::catalogue::{Catalogue, PackList};
use crate::keys::{SigningKey, TrustedKeys};
use crate::pack::{self, KEY_BYTES};
use crate::signed::{Kind, sign, verified};

const FORMAT: &str = "fuzz";

/// Reads `body` as each kind of object: signed correctly, and as it is. Returns the number of readers that accept it.
pub fn read_object(body: &[u8]) -> usize {
    let Ok(key) = SigningKey::of_seed([7; 32]) else { return 0 };
    let trusted = TrustedKeys::new(vec![key.public()]);
    let catalogue = sign(&key, Kind::Catalogue, FORMAT, body);
    let list = sign(&key, Kind::List, FORMAT, body);
    let (start, packed) = body.split_at(body.len().min(KEY_BYTES));
    let keys: Vec<_> = start.try_into().into_iter().collect();
    let accepted = [
        Catalogue::decode(&catalogue, FORMAT, &trusted).is_ok(),
        PackList::decode(&list, FORMAT, &trusted).is_ok(),
        verified(body, Kind::Catalogue, FORMAT, &trusted).is_ok(),
        pack::decode(packed, packed.len() as u32, &keys).is_ok(),
        pack::decode(body, u32::MAX, &[]).is_ok(),
    ];
    accepted.iter().filter(|is_accepted| **is_accepted).count()
}
