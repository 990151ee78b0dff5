//! The scorer's weights, in sixteenths of a nat. Each table has one weight for each of [`FEATURES`].
//!
//! The weights were learned by logistic regression. `docs/decisions/0006-secret-scorer.md` describes the data and the
//! validation.

use super::features::FEATURES;

/// One weight per feature.
pub(crate) type Row = [i16; FEATURES.len()];

/// Weights for values after a word such as `password`.
#[rustfmt::skip]
pub(crate) const PASSWORD: Row = [
    16, // bias
    10, // quoted
    -1, // equals
    -14, // colon
    -20, // sign
    33, // attribute
    -12, // flag
    -8, // beside
    7, // words
    9, // prose
    -4, // argument
    0, // joined
    0, // column
    0, // later
    0, // public name
    0, // provider name
    -9, // name in capitals
    -2, // name is part of an identifier
    -21, // identifier continues after the name
    12, // identifier has two words of this kind
    6, // name starts the line
    10, // value ends the line
    -18, // quoted value with a space
    -12, // login before the value
    3, // at most 5 characters
    3, // 6 or 7 characters
    6, // 8 to 11 characters
    -3, // 12 to 15 characters
    -9, // 16 to 23 characters
    -4, // 24 to 39 characters
    -6, // 40 or more characters
    38, // digits
    -20, // upper and lower case
    12, // only upper case
    13, // punctuation of passwords
    -22, // a quarter are digits
    -4, // only digits
    -8, // hexadecimal
    0, // uuid
    -26, // only letters
    -12, // random
    35, // very random
    30, // random for its length
    14, // like words
    -19, // placeholder
    7, // made up
    -10, // label
    -39, // half labels
    -10, // path or address
    -9, // words with separators
    6, // identifier in camel case
    -7, // constant
    -25, // code
    -24, // repeats its name
    -9, // capitalised word
    -28, // kinds alternate
    -12, // kinds alternate often
    -15, // base64
    -43, // outside ASCII
    -4, // hexadecimal in a checksum's length
    0, // key word and random
    8, // no digit and bare
];

/// Weights for values after a word such as `token` or `api_key`.
#[rustfmt::skip]
pub(crate) const TOKEN: Row = [
    -11, // bias
    -7, // quoted
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
    -11, // later
    -18, // public name
    0, // provider name
    -8, // name in capitals
    10, // name is part of an identifier
    -28, // identifier continues after the name
    5, // identifier has two words of this kind
    3, // name starts the line
    13, // value ends the line
    0, // quoted value with a space
    -14, // login before the value
    0, // at most 5 characters
    0, // 6 or 7 characters
    -28, // 8 to 11 characters
    -17, // 12 to 15 characters
    -6, // 16 to 23 characters
    16, // 24 to 39 characters
    17, // 40 or more characters
    21, // digits
    -18, // upper and lower case
    -3, // only upper case
    -21, // punctuation of passwords
    0, // a quarter are digits
    9, // only digits
    -10, // hexadecimal
    -10, // uuid
    -9, // only letters
    -9, // random
    -12, // very random
    35, // random for its length
    -32, // like words
    14, // placeholder
    -3, // made up
    -5, // label
    -20, // half labels
    -22, // path or address
    -36, // words with separators
    -12, // identifier in camel case
    -23, // constant
    -7, // code
    -55, // repeats its name
    -2, // capitalised word
    14, // kinds alternate
    -10, // kinds alternate often
    -9, // base64
    0, // outside ASCII
    8, // hexadecimal in a checksum's length
    0, // key word and random
    -5, // no digit and bare
];

/// Weights for values after a word such as `key` or a provider's name.
#[rustfmt::skip]
pub(crate) const VAGUE: Row = [
    -18, // bias
    -17, // quoted
    1, // equals
    -10, // colon
    -15, // sign
    10, // attribute
    2, // flag
    1, // beside
    -1, // words
    0, // prose
    0, // argument
    -15, // joined
    0, // column
    0, // later
    0, // public name
    46, // provider name
    -13, // name in capitals
    -7, // name is part of an identifier
    -23, // identifier continues after the name
    25, // identifier has two words of this kind
    7, // name starts the line
    10, // value ends the line
    0, // quoted value with a space
    -19, // login before the value
    0, // at most 5 characters
    0, // 6 or 7 characters
    -12, // 8 to 11 characters
    -19, // 12 to 15 characters
    -11, // 16 to 23 characters
    6, // 24 to 39 characters
    11, // 40 or more characters
    20, // digits
    -5, // upper and lower case
    -4, // only upper case
    -6, // punctuation of passwords
    6, // a quarter are digits
    4, // only digits
    -1, // hexadecimal
    -8, // uuid
    -15, // only letters
    17, // random
    -3, // very random
    15, // random for its length
    -15, // like words
    6, // placeholder
    28, // made up
    -6, // label
    -16, // half labels
    -32, // path or address
    -23, // words with separators
    -22, // identifier in camel case
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
