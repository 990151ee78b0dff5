//! Stems English words: removes plural endings, `-ing`, `-ed` and a final `e`.
//!
//! `parse`, `parses`, `parsed` and `parsing` have the same stem; `parser` does not change. Words of other languages may
//! get a wrong stem. This is harmless, because indexed text and queries are stemmed in the same way.

/// The minimum number of bytes that must remain when `-ing` or `-ed` is removed. Words of at most this length are not
/// changed.
const MIN_STEM: usize = 3;

/// Stems the lower-case `word` in place and returns it. Words with characters other than `a` to `z` are not changed.
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

/// Removes `ending` if the rest is long enough and contains a vowel. A doubled consonant other than `l`, `s` or `z` is
/// then reduced: `stopped` becomes `stop`. Returns whether the ending was removed.
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
