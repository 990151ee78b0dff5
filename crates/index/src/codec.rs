//! Encodes numbers and strings as bytes, and decodes untrusted bytes.
//!
//! A [`Cursor`] never panics and never reads past its slice. A missing value is read as zero or as an empty string, and
//! [`Cursor::is_exhausted_early`] then returns true.

#[cfg(test)]
mod tests;

/// Appends `value` in LEB128 encoding.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value as u8) | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends the length of `text` as a varint, then `text`.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &[u8]) {
    put_varint(out, text.len() as u64);
    out.extend_from_slice(text);
}

/// Appends one item of a list: `step` is the difference from the previous item's key, and `number` is the item's value.
/// The value 1 is the most frequent one and takes no extra byte.
pub(crate) fn put_step(out: &mut Vec<u8>, step: u32, number: u32) {
    put_varint(out, u64::from(step) << 1 | u64::from(number == 1));
    if number != 1 {
        put_varint(out, u64::from(number));
    }
}

/// Maps signed numbers with a small absolute value to small unsigned numbers.
pub(crate) fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// Reverses [`zigzag`].
pub(crate) fn unzigzag(value: u64) -> i64 {
    ((value >> 1) as i64) ^ -((value & 1) as i64)
}

/// Reads encoded values from a slice, from start to end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
    overrun: bool,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, overrun: false }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns whether a read went past the end or found an invalid number.
    pub(crate) fn is_exhausted_early(&self) -> bool {
        self.overrun
    }

    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Discards the remaining bytes, because they cannot be interpreted after invalid data.
    #[cold]
    fn give_up(&mut self) {
        self.overrun = true;
        self.rest = &[];
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => {
                self.overrun = true;
                0
            }
        }
    }

    #[inline]
    pub(crate) fn varint(&mut self) -> u64 {
        let first = self.byte();
        if first < 0x80 {
            return u64::from(first);
        }
        let mut value = u64::from(first & 0x7f);
        let mut shift = 7;
        loop {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                return value;
            }
            shift += 7;
            if shift > 63 {
                self.give_up();
                return value;
            }
        }
    }

    /// Reads a varint that must fit in 32 bits. A larger value means that the data is damaged; the result is then
    /// `u32::MAX`.
    #[inline]
    pub(crate) fn small(&mut self) -> u32 {
        u32::try_from(self.varint()).unwrap_or_else(|_| {
            self.give_up();
            u32::MAX
        })
    }

    /// Reads a pair written by [`put_step`].
    #[inline]
    pub(crate) fn step(&mut self) -> (u32, u32) {
        let coded = self.varint();
        let step = u32::try_from(coded >> 1).unwrap_or(u32::MAX);
        (step, if coded & 1 == 1 { 1 } else { self.small() })
    }

    pub(crate) fn signed(&mut self) -> i64 {
        unzigzag(self.varint())
    }

    pub(crate) fn slice(&mut self, length: usize) -> &'a [u8] {
        match self.rest.split_at_checked(length) {
            Some((taken, rest)) => {
                self.rest = rest;
                taken
            }
            None => {
                self.give_up();
                &[]
            }
        }
    }

    /// Reads bytes written by [`put_text`].
    pub(crate) fn text(&mut self) -> &'a [u8] {
        let length = usize::try_from(self.varint()).unwrap_or(usize::MAX);
        self.slice(length)
    }

    /// Reads a string written by [`put_text`]. Returns an empty string if the bytes are not UTF-8.
    pub(crate) fn utf8(&mut self) -> &'a str {
        std::str::from_utf8(self.text()).unwrap_or_default()
    }
}

/// Returns the little-endian `u32` at byte `at`, or zero if it is out of range.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut array = [0; 4];
    if let Some(slice) = bytes.get(at..at.saturating_add(4)) {
        array.copy_from_slice(slice);
    }
    u32::from_le_bytes(array)
}

/// Returns the little-endian `u64` at byte `at`, or zero if it is out of range.
#[inline]
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut array = [0; 8];
    if let Some(slice) = bytes.get(at..at.saturating_add(8)) {
        array.copy_from_slice(slice);
    }
    u64::from_le_bytes(array)
}
