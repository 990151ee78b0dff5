//! Parses arbitrary store objects, for the crate `fuzz-targets`.
//!
//! If a private key has been stolen, a hostile object can have a valid signature. Therefore the parsers that run
//! after the signature check must not panic or use unbounded memory either.

use crate::catalogue::{Catalogue, Kind, PackList, sign, verified};
use crate::keys::{SigningKey, TrustedKeys};
use crate::pack::{self, KEY_BYTES};

const FORMAT: &str = "fuzz";

/// Passes `body` to each parser of store objects, both with a valid signature and without one. Returns the number of
/// parsers that accept it.
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
