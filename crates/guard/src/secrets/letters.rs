//! How surprising a sequence of letters and digits is for somebody who reads words: the random look of a key.
//!
//! A table of pairs, one row for each first character: how much likelier the second one is in random text than in the
//! identifiers of source code, in half nats around `m`. Counted over identifiers of Rust, Python and JavaScript libraries.

const NEUTRAL: i32 = b'm' as i32;

#[rustfmt::skip]
const PAIRS: [&[u8; 27]; 27] = [
    b"nmkkoolqlqojlkslpjkjmoonorr", // a
    b"jmlnkopqjnqjnpknolmlkpqrlqp", // b
    b"jpmojoojmsklnpinolnkmorsntq", // c
    b"koolhnmrjqrmoplopllnmoqrotp", // d
    b"lokknmnrpsrlmjpmoijkpmolour", // e
    b"knnmkjpqjtsjpokoplkmmsqroup", // f
    b"loophpnlktrlnlmoqkjmmppqpqr", // g
    b"ippmiprsjtqonpjqrkollrntost", // h
    b"lnllmlluqusllikmpmkjsnsnvmt", // i
    b"jkooinopksmpppkmoojnlqprorr", // j
    b"konngnnojtrmqmnnqokmnpovqrs", // k
    b"jpplioqsiwpkpqjopqnlmprxmss", // l
    b"imoniqpskuqnlokjqplnlrsrpss", // m
    b"kqkjjljqlsnnqnkosokjmnrtptu", // n
    b"onkkqmnqosnlkimlvjllknmqstt", // o
    b"iqnojopnlxpkorklsjmjmnqsnxs", // p
    b"jmlnlllompqnloopkmmnhqppopq", // q
    b"jqmmimnsjvoommjnrlkkmoprmvt", // r
    b"mqlqipnljunnopllqokilqprlss", // s
    b"jrmpiorkjxrmoqknsjlmmqqplss", // t
    b"mmmlkmnslvskljokvkjjqstptup", // u
    b"iomphmqpjrsnmonpronoprqnrsp", // v
    b"jqmmknoliqrnqkkppjlnqrpopqr", // w
    b"molnlmrpmrtnoqokspojrqsootl", // x
    b"mnkpmpornttmlkoiuoijqqmrqps", // y
    b"lonqgqoplstnoqmrornpqrmnnnr", // z
    b"mmmmmmrrrtsrrspsssrrpstjtsm", // any digit
];

/// The sum over neighbouring characters; above zero is likelier random than a word. Word boundaries count nothing.
pub(crate) fn surprise(value: &[u8]) -> i32 {
    value.windows(2).map(|pair| weight(pair[0], pair[1])).sum()
}

fn weight(first: u8, second: u8) -> i32 {
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

#[cfg(test)]
mod tests;
