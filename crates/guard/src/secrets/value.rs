//! Whether a string looks like a secret value rather than a word, a placeholder, a path or code.

/// How much trust the surroundings lend to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    Quoted,
    Bare,
}

const PLACEHOLDERS: &[&str] =
    &["example", "redacted", "your", "xxxx", "placeholder", "changeme", "dummy", "sample", "test"];

pub(crate) fn looks_secret(value: &str, quoting: Quoting) -> bool {
    let least = match quoting {
        Quoting::Quoted => 8,
        Quoting::Bare => 10,
    };
    value.len() >= least
        && value.bytes().all(is_value_byte)
        && !is_placeholder(value)
        && is_mixed(value)
}

fn is_value_byte(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b'<' | b'>' | b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'"' | b'\'' | b'`'
        )
}

fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|word| lower.contains(word))
        || value.starts_with('$')
        || value.starts_with('%')
}

fn is_mixed(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}
