//! Lists words that appear where a secret is expected: labels, types, states and field names. All of these words are
//! called labels.

use super::anchors::NAMES;
use crate::table::{WordList, section};

/// A value that consists only of these words is a label and not a secret.
static LABELS: WordList = WordList::new(|| section(NAMES, "labels").collect());

/// Returns whether every word of the value is a label: `access_token`, `Confirm password`, `invalidToken`.
pub(crate) fn is_label(value: &str) -> bool {
    let letters = value.bytes().filter(u8::is_ascii_alphanumeric).count();
    letters > 0 && label_share(value) == letters
}

/// Returns the number of bytes of the value that belong to label words.
pub(crate) fn label_share(value: &str) -> usize {
    words(value).filter(|word| LABELS.contains(word)).map(str::len).sum()
}

/// Splits an identifier or a phrase into words: at every character that is not an ASCII letter, and between a
/// lower-case and an upper-case letter.
pub(crate) fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split(|character: char| !character.is_ascii_alphabetic()).flat_map(|run| {
        let bytes = run.as_bytes();
        let starts: Vec<usize> = (0..bytes.len())
            .filter(|&at| {
                at == 0 || bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase()
            })
            .collect();
        let ends = starts.iter().skip(1).copied().chain([bytes.len()]).collect::<Vec<_>>();
        starts.into_iter().zip(ends).map(|(start, end)| &run[start..end])
    })
}

#[cfg(test)]
mod tests {
    use super::{NAMES, is_label};
    use crate::table::section;

    #[test]
    fn word_lists_are_sorted() {
        for name in ["labels", "ambiguous"] {
            assert!(section(NAMES, name).is_sorted(), "{name}");
        }
    }

    #[test]
    fn labels_are_recognised_in_every_spelling() {
        for label in ["access_token", "Confirm password", "invalidToken", "NEW_PASSWORD"] {
            assert!(is_label(label), "{label}");
        }
        for value in ["hunter", "rootpasswd", "token7", ""] {
            assert!(!is_label(value), "{value}");
        }
    }
}
