//! Determines whether characters are letters or digits. The standard library searches its tables for each character,
//! which would take a large part of a build's time if the files contain text that is not ASCII. This module caches
//! the results as bits.

use std::sync::OnceLock;

/// The number of characters in a block.
const BLOCK: u32 = 128;
/// The number of blocks. The blocks cover all scripts and symbols that are in common use.
const N_BLOCKS: usize = 0x2_0000 / BLOCK as usize;

/// For each block, one bit per character. A block is filled when one of its characters is first looked up.
static BLOCKS: [OnceLock<u128>; N_BLOCKS] = [const { OnceLock::new() }; N_BLOCKS];

/// Returns the same as [`char::is_alphanumeric`].
pub(super) fn is_alphanumeric(character: char) -> bool {
    let code = u32::from(character);
    let Some(block) = BLOCKS.get((code / BLOCK) as usize) else {
        return character.is_alphanumeric();
    };
    let bits = block.get_or_init(|| bits_from(code / BLOCK * BLOCK));
    bits >> (code % BLOCK) & 1 == 1
}

/// Returns the bits of the block that starts with the character code `first`.
fn bits_from(first: u32) -> u128 {
    let is_set = |bit: &u32| char::from_u32(first + bit).is_some_and(char::is_alphanumeric);
    (0..BLOCK).filter(is_set).fold(0, |bits, bit| bits | 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::is_alphanumeric;

    #[test]
    fn all_characters_are_classified_as_in_the_standard_library() {
        for character in '\0'..=char::MAX {
            assert_eq!(is_alphanumeric(character), character.is_alphanumeric(), "{character:?}");
        }
    }
}
