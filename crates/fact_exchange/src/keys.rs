//! The keys of a team. The private key signs the objects that are pushed. An object is accepted if one of the trusted
//! public keys verifies its signature.
//!
//! Private and public keys are stored in the user's configuration folder, never in a repository.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use disk::Links;
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use thiserror::Error;

const PUBLIC_PREFIX: &str = "adjutant-team-public-1:";
const PRIVATE_PREFIX: &str = "adjutant-team-private-1:";
const SIGNING_FILE: &str = "signing.key";
const TRUSTED_FILE: &str = "trusted";
const MAX_FILE_BYTES: u64 = 64 * 1024;
pub(crate) const SIGNATURE_BYTES: usize = 64;

#[derive(Debug, Error)]
pub enum KeyError {
    #[error("not a {kind} team key; such a key begins with `{prefix}`")]
    Malformed { kind: &'static str, prefix: &'static str },
    #[error("`{}` already exists", .0.display())]
    Exists(PathBuf),
    #[error("other users can read `{}`", .0.display())]
    NotPrivate(PathBuf),
    #[error("cannot {action} `{}`: {source}", path.display())]
    File {
        action: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("cannot read random bytes")]
    NoRandomBytes,
}

/// A public key, which verifies signatures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PublicKey(pub(crate) [u8; 32]);

impl PublicKey {
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let bytes = key_bytes(text, PUBLIC_PREFIX);
        bytes.map(Self).ok_or(KeyError::Malformed { kind: "public", prefix: PUBLIC_PREFIX })
    }

    /// Returns the first 16 hexadecimal digits of the key, for use in messages.
    #[must_use]
    pub fn short(self) -> String {
        hex(&self.0[..8])
    }

    pub(crate) fn verifies(self, message: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ED25519, self.0).verify(message, signature).is_ok()
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PUBLIC_PREFIX}{}", hex(&self.0))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({})", self.short())
    }
}

/// A private key. It appears neither in [`fmt::Debug`] output nor in errors.
pub struct SigningKey {
    seed: [u8; 32],
    pair: Ed25519KeyPair,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.public().short())
    }
}

impl SigningKey {
    pub fn generate() -> Result<Self, KeyError> {
        let mut seed = [0; 32];
        SystemRandom::new().fill(&mut seed).map_err(|_| KeyError::NoRandomBytes)?;
        Self::of_seed(seed)
    }

    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let seed = key_bytes(text, PRIVATE_PREFIX)
            .ok_or(KeyError::Malformed { kind: "private", prefix: PRIVATE_PREFIX })?;
        Self::of_seed(seed)
    }

    pub(crate) fn of_seed(seed: [u8; 32]) -> Result<Self, KeyError> {
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed)
            .map_err(|_| KeyError::Malformed { kind: "private", prefix: PRIVATE_PREFIX })?;
        Ok(Self { seed, pair })
    }

    /// Returns the path of the private key in `folder`.
    #[must_use]
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(SIGNING_FILE)
    }

    /// Reads the private key in `folder`. Returns `None` if the file does not exist. Refuses a file that other users can
    /// read.
    pub fn read(folder: &Path) -> Result<Option<Self>, KeyError> {
        use std::os::unix::fs::PermissionsExt;
        let path = Self::path(folder);
        let failed = |source| KeyError::File { action: "read", path: path.clone(), source };
        let file = match disk::open_file(&path, Links::Refuse) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(failed)?,
        };
        if file.metadata().map_err(failed)?.permissions().mode() & 0o077 != 0 {
            return Err(KeyError::NotPrivate(path));
        }
        let text = disk::read_text(&path, Links::Refuse, MAX_FILE_BYTES).map_err(failed)?;
        Self::parse(text.trim()).map(Some)
    }

    /// Writes the private key to `folder` with mode 0600. Fails if a key already exists.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, KeyError> {
        use std::io::Write;
        use std::os::unix::fs::OpenOptionsExt;
        let path = Self::path(folder);
        let failed = |source: io::Error| {
            if source.kind() == io::ErrorKind::AlreadyExists {
                return KeyError::Exists(path.clone());
            }
            KeyError::File { action: "write", path: path.clone(), source }
        };
        disk::create_private_folder(folder).map_err(failed)?;
        let mut options = std::fs::File::options();
        let mut file =
            options.write(true).create_new(true).mode(0o600).open(&path).map_err(failed)?;
        writeln!(file, "{PRIVATE_PREFIX}{}", hex(&self.seed)).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        Ok(path)
    }

    #[must_use]
    pub fn public(&self) -> PublicKey {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(self.pair.public_key().as_ref());
        PublicKey(bytes)
    }

    pub(crate) fn sign(&self, message: &[u8]) -> [u8; SIGNATURE_BYTES] {
        let mut bytes = [0; SIGNATURE_BYTES];
        bytes.copy_from_slice(self.pair.sign(message).as_ref());
        bytes
    }
}

/// The public keys whose objects are accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedKeys(Vec<PublicKey>);

impl TrustedKeys {
    #[must_use]
    pub fn new(keys: Vec<PublicKey>) -> Self {
        Self(keys)
    }

    /// Reads the trusted keys in `folder`: one key per line. Lines that are empty or begin with `#` are skipped.
    pub fn read(folder: &Path) -> Result<Self, KeyError> {
        let path = folder.join(TRUSTED_FILE);
        let text = match disk::read_text(&path, Links::Refuse, MAX_FILE_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            read => read.map_err(|source| KeyError::File { action: "read", path, source })?,
        };
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(PublicKey::parse).collect::<Result<_, _>>().map(Self)
    }

    pub fn write(&self, folder: &Path) -> Result<(), KeyError> {
        let path = folder.join(TRUSTED_FILE);
        let failed = |source| KeyError::File { action: "write", path: path.clone(), source };
        disk::create_private_folder(folder).map_err(failed)?;
        let text: String = self.0.iter().map(|key| format!("{key}\n")).collect();
        disk::replace_file(&path, text.as_bytes(), Some(0o600)).map_err(failed)
    }

    /// Adds a key. Returns false if the key is already trusted.
    pub fn add(&mut self, key: PublicKey) -> bool {
        let is_new = !self.contains(key);
        if is_new {
            self.0.push(key);
        }
        is_new
    }

    /// Removes the key whose full or short text is `text`. Returns whether there was such a key.
    pub fn remove(&mut self, text: &str) -> bool {
        let n_before = self.0.len();
        self.0.retain(|key| key.to_string() != text && key.short() != text);
        self.0.len() < n_before
    }

    #[must_use]
    pub fn contains(&self, key: PublicKey) -> bool {
        self.0.contains(&key)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = PublicKey> + '_ {
        self.0.iter().copied()
    }
}

fn key_bytes(text: &str, prefix: &str) -> Option<[u8; 32]> {
    unhex(text.trim().strip_prefix(prefix)?)?.try_into().ok()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half & 15)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

/// Decodes lower-case hexadecimal digits. Returns `None` for any other input.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?));
    rest.is_empty().then(|| bytes.collect()).flatten()
}
