//! The signed objects of a store. The catalogue contains the names of the lists. A list contains the names of packs and
//! the keys of their records.
//!
//! An object consists of a magic number, the kind, the public key, the signature and the body. The signature also covers
//! the kind and the format of the facts, so an object cannot be used in place of one of another kind or format.

use serde::{Deserialize, Serialize};

use crate::bounds::{MAX_KEYS, MAX_LISTS, MAX_PACK_BYTES, MAX_PACKS, MAX_UNPACKED_BYTES};
use crate::exchange::ObjectRefusal;
use crate::keys::{PublicKey, SIGNATURE_BYTES, SigningKey, TrustedKeys, hex, unhex};
use crate::pack::{FactKey, KEY_BYTES};

const MAGIC: [u8; 8] = *b"adjfact1";
const KEY_AT: usize = MAGIC.len() + 1;
const SIGNATURE_AT: usize = KEY_AT + 32;
const BODY_AT: usize = SIGNATURE_AT + SIGNATURE_BYTES;

/// The name of an object: the BLAKE3 hash of its bytes, as hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct ObjectName(String);

impl ObjectName {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes).to_hex().to_string())
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        unhex(text).filter(|bytes| bytes.len() == 32).map(|_| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ObjectName {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("not the name of an object")
    }
}

impl From<ObjectName> for String {
    fn from(name: ObjectName) -> Self {
        name.0
    }
}

/// The names of all lists. The catalogue is the only object that is overwritten.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Catalogue {
    pub(crate) lists: Vec<ObjectName>,
}

/// A list of packs, each with the keys of its records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PackList {
    pub(crate) packs: Vec<PackEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PackEntry {
    pub(crate) name: ObjectName,
    /// The size of the pack in bytes.
    pub(crate) bytes: u64,
    /// The size of the records in bytes after decompression.
    pub(crate) unpacked: u32,
    /// The time of the last push that needed the pack, in seconds since the Unix epoch.
    pub(crate) used: u64,
    #[serde(with = "keys_as_text")]
    pub(crate) keys: Vec<FactKey>,
}

impl Catalogue {
    pub(crate) fn encode(&self, key: &SigningKey, format: &str) -> Vec<u8> {
        sign(key, Kind::Catalogue, format, &to_json(self))
    }

    pub(crate) fn decode(
        bytes: &[u8],
        format: &str,
        trusted: &TrustedKeys,
    ) -> Result<Self, ObjectRefusal> {
        let catalogue: Self = of_json(verified(bytes, Kind::Catalogue, format, trusted)?)?;
        if catalogue.lists.len() > MAX_LISTS {
            return Err(ObjectRefusal::TooMany { what: "lists", max: MAX_LISTS });
        }
        Ok(catalogue)
    }
}

impl PackList {
    pub(crate) fn encode(&self, key: &SigningKey, format: &str) -> Vec<u8> {
        sign(key, Kind::List, format, &to_json(self))
    }

    pub(crate) fn decode(
        bytes: &[u8],
        format: &str,
        trusted: &TrustedKeys,
    ) -> Result<Self, ObjectRefusal> {
        let list: Self = of_json(verified(bytes, Kind::List, format, trusted)?)?;
        if list.packs.len() > MAX_PACKS {
            return Err(ObjectRefusal::TooMany { what: "packs", max: MAX_PACKS });
        }
        if list.packs.iter().map(|pack| pack.keys.len()).sum::<usize>() > MAX_KEYS {
            return Err(ObjectRefusal::TooMany { what: "keys", max: MAX_KEYS });
        }
        for pack in &list.packs {
            if pack.bytes > MAX_PACK_BYTES || pack.unpacked > MAX_UNPACKED_BYTES {
                let what = format!("the pack `{}` is too large", pack.name.as_str());
                return Err(ObjectRefusal::Malformed(what));
            }
        }
        Ok(list)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Catalogue = 1,
    List = 2,
}

pub(crate) fn sign(key: &SigningKey, kind: Kind, format: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(BODY_AT + body.len());
    bytes.extend_from_slice(&MAGIC);
    bytes.push(kind as u8);
    bytes.extend_from_slice(&key.public().0);
    bytes.extend_from_slice(&key.sign(&message(kind, format, body)));
    bytes.extend_from_slice(body);
    bytes
}

/// Verifies a signed object and returns its body.
pub(crate) fn verified<'b>(
    bytes: &'b [u8],
    kind: Kind,
    format: &str,
    trusted: &TrustedKeys,
) -> Result<&'b [u8], ObjectRefusal> {
    let (head, body) = bytes.split_at_checked(BODY_AT).ok_or(ObjectRefusal::NotSigned)?;
    if head.get(..MAGIC.len()) != Some(MAGIC.as_slice())
        || head.get(MAGIC.len()) != Some(&(kind as u8))
    {
        return Err(ObjectRefusal::NotSigned);
    }
    let key = head.get(KEY_AT..SIGNATURE_AT).and_then(|key| key.try_into().ok());
    let key = PublicKey(key.ok_or(ObjectRefusal::NotSigned)?);
    let signature = head.get(SIGNATURE_AT..).unwrap_or_default();
    if !trusted.contains(key) {
        return Err(ObjectRefusal::UntrustedKey { key: key.short() });
    }
    if !key.verifies(&message(kind, format, body), signature) {
        return Err(ObjectRefusal::BadSignature);
    }
    Ok(body)
}

fn message(kind: Kind, format: &str, body: &[u8]) -> Vec<u8> {
    let mut message = b"adjutant facts\n".to_vec();
    message.push(kind as u8);
    message.extend_from_slice(&(format.len() as u64).to_le_bytes());
    message.extend_from_slice(format.as_bytes());
    message.extend_from_slice(blake3::hash(body).as_bytes());
    message
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    // Serialisation cannot fail, because these types contain no maps and no custom serialisers.
    serde_json::to_vec(value).unwrap_or_default()
}

fn of_json<'b, T: Deserialize<'b>>(body: &'b [u8]) -> Result<T, ObjectRefusal> {
    serde_json::from_slice(body).map_err(|error| ObjectRefusal::Malformed(error.to_string()))
}

/// Serialises the keys of a pack as one string of hexadecimal digits.
mod keys_as_text {
    use super::{FactKey, KEY_BYTES, hex, unhex};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(keys: &[FactKey], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&hex(keys.as_flattened()))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<FactKey>, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(from)?;
        let bytes = unhex(&text).ok_or_else(|| D::Error::custom("keys are not hexadecimal"))?;
        let (keys, rest) = bytes.as_chunks::<KEY_BYTES>();
        if rest.is_empty() {
            Ok(keys.to_vec())
        } else {
            Err(D::Error::custom("a key is truncated"))
        }
    }
}
