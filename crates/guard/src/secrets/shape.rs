//! The shape of a token's body, read directly from its one-line notation: no compilation, no backtracking.
//!
//! `{a36-255}` is a run of 36 to 255 characters of class `a`; `{x32}` exactly 32; `{b20-}` 20 or more; anything else
//! stands for itself. Classes are listed at [`is_member`].

/// A run stops here even if its class would go on: longer strings are data, and work stays bounded.
const LONGEST_RUN: usize = 64 * 1024;

/// How many bytes at the start of `text` have this shape, if they do.
pub(crate) fn matched_length(shape: &str, text: &[u8]) -> Option<usize> {
    let mut shape = shape.as_bytes();
    let mut at = 0;
    let mut last_run = None;
    while let Some((&first, rest)) = shape.split_first() {
        if first == b'{' {
            let close = memchr::memchr(b'}', rest)?;
            let run = Run::parse(&rest[..close])?;
            at += run.matched_length(&text[at..])?;
            last_run = Some(run.class);
            shape = &rest[close + 1..];
        } else {
            if text.get(at) != Some(&first) {
                return None;
            }
            at += 1;
            last_run = None;
            shape = rest;
        }
    }
    // A token of fixed length that goes on is another, longer string.
    let goes_on = last_run.zip(text.get(at)).is_some_and(|(class, &next)| is_member(class, next));
    (!goes_on).then_some(at)
}

struct Run {
    class: u8,
    least: usize,
    most: usize,
}

impl Run {
    fn parse(notation: &[u8]) -> Option<Self> {
        let (&class, lengths) = notation.split_first()?;
        let lengths = std::str::from_utf8(lengths).ok()?;
        let (least, most) = match lengths.split_once('-') {
            None => (lengths, lengths),
            Some(pair) => pair,
        };
        let least = least.parse().ok()?;
        let most = if most.is_empty() { LONGEST_RUN } else { most.parse().ok()? };
        Some(Self { class, least, most })
    }

    fn matched_length(&self, text: &[u8]) -> Option<usize> {
        let length =
            text.iter().take(self.most).take_while(|&&byte| is_member(self.class, byte)).count();
        (length >= self.least).then_some(length)
    }
}

/// Whether `byte` belongs to the class named by one letter.
pub(crate) fn is_member(class: u8, byte: u8) -> bool {
    match class {
        b'd' => byte.is_ascii_digit(),
        b'x' => byte.is_ascii_hexdigit(),
        b'l' => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
        b'u' => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        b'a' => byte.is_ascii_alphanumeric(),
        b'w' => byte.is_ascii_alphanumeric() || byte == b'_',
        b'b' => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
        b'e' => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'='),
        b's' => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
        b't' => {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'_' | b'-' | b'.' | b'=' | b'~' | b'+' | b'/')
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
