//! A signed object: a magic number, the kind, the public key, the signature and the body.
//!
//! The signature also covers the kind and the format of the facts, so an object cannot be used in place of one of
//! another kind or format.

use crate::error::ObjectRefusal;
use crate::keys::{PublicKey, SIGNATURE_BYTES, SigningKey, TrustedKeys};

const MAGIC: [u8; 8] = *b"adjfact1";
const KEY_AT: usize = MAGIC.len() + 1;
const SIGNATURE_AT: usize = KEY_AT + 32;
const BODY_AT: usize = SIGNATURE_AT + SIGNATURE_BYTES;

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
