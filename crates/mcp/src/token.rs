//! The bearer token that HTTP clients must send.

/// The minimum length of a token. A token is ASCII, so a character is a byte.
const MIN_CHARS: usize = 16;

#[derive(Clone)]
pub struct Token(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadToken {
    #[error("the token has {0} characters; at least {MIN_CHARS} are required")]
    TooShort(usize),
    #[error("the token may have visible ASCII characters only")]
    NotVisible,
}

impl Token {
    pub fn new(text: &str) -> Result<Self, BadToken> {
        let text = text.trim();
        if text.len() < MIN_CHARS {
            return Err(BadToken::TooShort(text.len()));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(BadToken::NotVisible);
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns true if the `Authorization` header contains this token. The comparison takes constant time.
    pub(crate) fn is_shown_by(&self, header: Option<&[u8]>) -> bool {
        let Some((scheme, shown)) = header.and_then(|header| header.split_at_checked(7)) else {
            return false;
        };
        let is_same = loopback::is_same_secret(self.0.as_bytes(), shown);
        scheme.eq_ignore_ascii_case(b"bearer ") && is_same
    }
}

#[cfg(test)]
mod tests;
