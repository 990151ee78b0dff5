//! The weights of the scorer, in sixteenths of a nat, one for each of [`FEATURES`].
//!
//! Learned by logistic regression; `docs/decisions/0006-secret-scorer.md` says on what, and how they were validated.

use super::features::FEATURES;

/// One weight for each feature.
pub(crate) type Row = [i16; FEATURES.len()];

/// Values that a word such as `password` announces.
#[rustfmt::skip]
pub(crate) const HUMAN: Row = [
    14, // bias
    12, // quoted
    -1, // equals
    -14, // colon
    -17, // sign
    34, // attribute
    -11, // flag
    -14, // beside
    8, // words
    7, // prose
    -3, // argument
    0, // joined
    0, // column
    0, // later
    0, // public name
    0, // provider name
    -8, // name in capitals
    -1, // name is part of an identifier
    -20, // identifier continues after the name
    9, // identifier has two words of this kind
    7, // name starts the line
    14, // value ends the line
    -21, // quoted value with a space
    -10, // login before the value
    3, // at most 5 characters
    2, // 6 or 7 characters
    7, // 8 to 11 characters
    -2, // 12 to 15 characters
    -9, // 16 to 23 characters
    -6, // 24 to 39 characters
    -7, // 40 or more characters
    37, // digits
    -21, // upper and lower case
    11, // only upper case
    13, // punctuation of passwords
    -22, // a quarter are digits
    -4, // only digits
    -8, // hexadecimal
    0, // uuid
    -31, // only letters
    -13, // random
    36, // very random
    31, // random for its length
    14, // like words
    -20, // placeholder
    6, // made up
    -9, // label
    -40, // half labels
    -10, // path or address
    -10, // words with separators
    9, // identifier in camel case
    -7, // constant
    -23, // code
    -24, // repeats its name
    -7, // capitalised word
    -28, // kinds alternate
    -12, // kinds alternate often
    -11, // base64
    -46, // outside ASCII
    -4, // hexadecimal in a checksum's length
    0, // key word and random
    5, // no digit and bare
];

/// Values that a word such as `token` or `api_key` announces.
#[rustfmt::skip]
pub(crate) const MACHINE: Row = [
    -10, // bias
    -8, // quoted
    -4, // equals
    -17, // colon
    -4, // sign
    2, // attribute
    -12, // flag
    4, // beside
    11, // words
    1, // prose
    4, // argument
    7, // joined
    0, // column
    -10, // later
    -18, // public name
    0, // provider name
    -7, // name in capitals
    10, // name is part of an identifier
    -28, // identifier continues after the name
    5, // identifier has two words of this kind
    4, // name starts the line
    12, // value ends the line
    0, // quoted value with a space
    -15, // login before the value
    0, // at most 5 characters
    0, // 6 or 7 characters
    -28, // 8 to 11 characters
    -17, // 12 to 15 characters
    -6, // 16 to 23 characters
    16, // 24 to 39 characters
    17, // 40 or more characters
    21, // digits
    -18, // upper and lower case
    -4, // only upper case
    -21, // punctuation of passwords
    1, // a quarter are digits
    9, // only digits
    -10, // hexadecimal
    -10, // uuid
    -8, // only letters
    -8, // random
    -13, // very random
    34, // random for its length
    -32, // like words
    13, // placeholder
    -3, // made up
    -6, // label
    -20, // half labels
    -22, // path or address
    -35, // words with separators
    -10, // identifier in camel case
    -22, // constant
    -8, // code
    -56, // repeats its name
    -1, // capitalised word
    14, // kinds alternate
    -11, // kinds alternate often
    -9, // base64
    0, // outside ASCII
    7, // hexadecimal in a checksum's length
    0, // key word and random
    -5, // no digit and bare
];

/// Values that a word such as `key`, or the name of a provider, announces.
#[rustfmt::skip]
pub(crate) const VAGUE: Row = [
    -19, // bias
    -17, // quoted
    1, // equals
    -10, // colon
    -15, // sign
    11, // attribute
    2, // flag
    1, // beside
    -1, // words
    0, // prose
    0, // argument
    -14, // joined
    0, // column
    0, // later
    0, // public name
    46, // provider name
    -13, // name in capitals
    -7, // name is part of an identifier
    -23, // identifier continues after the name
    25, // identifier has two words of this kind
    7, // name starts the line
    11, // value ends the line
    0, // quoted value with a space
    -20, // login before the value
    0, // at most 5 characters
    0, // 6 or 7 characters
    -13, // 8 to 11 characters
    -19, // 12 to 15 characters
    -11, // 16 to 23 characters
    5, // 24 to 39 characters
    11, // 40 or more characters
    20, // digits
    -4, // upper and lower case
    -4, // only upper case
    -6, // punctuation of passwords
    6, // a quarter are digits
    4, // only digits
    -1, // hexadecimal
    -8, // uuid
    -15, // only letters
    17, // random
    -4, // very random
    15, // random for its length
    -15, // like words
    6, // placeholder
    29, // made up
    -6, // label
    -16, // half labels
    -32, // path or address
    -24, // words with separators
    -23, // identifier in camel case
    -7, // constant
    -1, // code
    -26, // repeats its name
    -2, // capitalised word
    4, // kinds alternate
    0, // kinds alternate often
    -28, // base64
    0, // outside ASCII
    -5, // hexadecimal in a checksum's length
    -6, // key word and random
    -9, // no digit and bare
];
