//! Builds tables that map each byte to its character classes.

pub(crate) const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
pub(crate) const DIGITS: &[u8] = b"0123456789";

/// Returns the classes of each byte: the bits of all classes whose members include the byte.
pub(crate) const fn byte_classes(classes: &[(u8, &[u8])]) -> [u8; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < classes.len() {
        let (class, members) = classes[index];
        let mut member = 0;
        while member < members.len() {
            table[members[member] as usize] |= class;
            member += 1;
        }
        index += 1;
    }
    table
}
