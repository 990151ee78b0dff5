//! Recognises random keys by measuring how unlikely their letters and digits are in words.
//!
//! Two tables contain log-likelihood ratios in half nats. A ratio states how much more likely a character is in a
//! random string than in source code identifiers. In the first table, the ratio depends on the previous character. In
//! the second table, it depends on the kinds of the two previous characters. The ratios were computed from Rust,
//! Python, JavaScript, Go and Java code.

const NEUTRAL: i32 = b'm' as i32;

/// Scores of character pairs, indexed by the first and the second character. A score is stored as a letter: `m` is 0,
/// `n` is 1, `l` is -1.
#[rustfmt::skip]
const PAIRS: [&[u8; 27]; 27] = [
    b"rmkkrolsmtpjlktlujkimopnoss", // a
    b"jomokpqrjmnjnqkotlllkqtslsq", // b
    b"jrmpjppjmuklnqinslnjmossovs", // c
    b"kookhnnsirsmoplosllnlprqnuq", // d
    b"lplknmnsptqlljpmoijkqmolous", // e
    b"kpomkkptiwtjopjorkkmmuqsowq", // f
    b"lppqhqnljuslnkmotkknmrrspss", // g
    b"irqniqsskwqpnpjqtkolmsnvost", // h
    b"mnllmllvqusllijmsmkjtntnymu", // i
    b"kpoqhqqrkrmsprjmsripktrsrrr", // j
    b"loomgnoojtsnqmnnsokmnoowqst", // k
    b"jppliortiwpkqqjovqmllpsymtt", // l
    b"imoniqqtkwrolpkjsqlnlstsqxt", // m
    b"krkjjljqlsnnqnkotpkimnstptu", // n
    b"onkkqnntornlkimkxjllknmpsuu", // o
    b"iqnojopnlypkprkltjmkmorsoys", // p
    b"nopolpmqouqnpnoopnnpftrurss", // q
    b"jqmninntjyoommjotlkkmnqrmwt", // r
    b"mqlqiqoljunoopllrpkilqpslst", // s
    b"jrmpiorkjwsnoqknujlmmrqplrs", // t
    b"mmmmkmnvlwtkljpkwkkjrtvpwtp", // u
    b"iqnphnrpjwunnpnpspnpqssovtp", // v
    b"iqmnjprliqsnqkkprjloquqptvu", // w
    b"molmkmsplwtnopojspojrqsnnul", // x
    b"nnnpmoqrnuvmljniwohjrrnupqs", // y
    b"lrnpgqqpkuroprkqssnqqtotnnt", // z
    b"nnnnnntrrursqtprusqqpsukttm", // any digit
];

/// Scores of three consecutive characters, indexed by the kind of each character: lower case, upper case, digit.
#[rustfmt::skip]
const KINDS: [[[i32; 3]; 3]; 3] = [
    [[-1, 2, 7], [-2, 5, 7], [4, 1, -3]], // lower
    [[-2, 5, 9], [1, -1, 4], [2, 1, -2]], // upper
    [[1, 1, -2], [-1, 1, 2], [3, 1, -3]], // digit
];

/// Returns the sum of the scores of a value, in half nats. A positive sum means that the value is more likely to be
/// random than to be a word. Character pairs at a word boundary, as in `apiKey`, have the score 0 in the pair table.
/// The table of character kinds is used only if the value contains both upper-case and lower-case letters.
pub(crate) fn surprise(value: &[u8]) -> i32 {
    let pairs: i32 = value.windows(2).map(|pair| pair_weight(pair[0], pair[1])).sum();
    let is_mixed =
        value.iter().any(u8::is_ascii_lowercase) && value.iter().any(u8::is_ascii_uppercase);
    let kinds: i32 = if is_mixed { value.windows(3).map(kind_weight).sum() } else { 0 };
    pairs + kinds
}

fn pair_weight(first: u8, second: u8) -> i32 {
    let starts_word = first.is_ascii_lowercase() && second.is_ascii_uppercase();
    match (row(first), row(second)) {
        (Some(first), Some(second)) if !starts_word => i32::from(PAIRS[first][second]) - NEUTRAL,
        _ => 0,
    }
}

fn row(byte: u8) -> Option<usize> {
    match byte {
        b'a'..=b'z' => Some(usize::from(byte - b'a')),
        b'A'..=b'Z' => Some(usize::from(byte - b'A')),
        b'0'..=b'9' => Some(26),
        _ => None,
    }
}

fn kind_weight(three: &[u8]) -> i32 {
    match (kind(three[0]), kind(three[1]), kind(three[2])) {
        (Some(first), Some(second), Some(third)) => KINDS[first][second][third],
        _ => 0,
    }
}

fn kind(byte: u8) -> Option<usize> {
    match byte {
        b'a'..=b'z' => Some(0),
        b'A'..=b'Z' => Some(1),
        b'0'..=b'9' => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
