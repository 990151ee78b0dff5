//! Light English stemming: plurals, -ing, -ed and a final e.
//!
//! Only so much that `parse`, `parses`, `parsed` and `parsing` meet; `parser` stays itself. Words that are not
//! English come out the same way on both sides, which is all an index needs.

/// What remains of a word must be able to stand for it.
const MIN_STEM: usize = 3;

/// Stems the lower-case `word` in place and returns it.
pub fn stem(word: &mut String) -> &str {
    if word.len() > MIN_STEM && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        strip_plural(word);
        if !strip_ending(word, "ing") && !word.ends_with("eed") {
            strip_ending(word, "ed");
        }
        if word.len() > MIN_STEM && word.ends_with('e') {
            word.pop();
        }
    }
    word
}

fn strip_plural(word: &mut String) {
    if word.ends_with("ies") && word.len() > 4 {
        word.truncate(word.len() - 3);
        word.push('y');
    } else if ["sses", "shes", "ches", "xes"].iter().any(|ending| word.ends_with(ending)) {
        word.truncate(word.len() - 2);
    } else if word.ends_with('s') && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending))
    {
        word.pop();
    }
}

/// Cuts `ending` if a syllable remains, and the doubled consonant English puts before it.
fn strip_ending(word: &mut String, ending: &str) -> bool {
    let Some(rest) = word.strip_suffix(ending) else { return false };
    if rest.len() < MIN_STEM || !rest.bytes().any(|byte| b"aeiouy".contains(&byte)) {
        return false;
    }
    let bytes = rest.as_bytes();
    let (last, before) = (bytes[bytes.len() - 1], bytes[bytes.len() - 2]);
    let doubled = last == before && !b"aeioulsz".contains(&last);
    let keep = rest.len() - usize::from(doubled);
    word.truncate(keep);
    true
}
