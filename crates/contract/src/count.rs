//! Formats a number with its noun.

/// Returns a number with its noun in the singular or plural: `1 file`, `2 files`, `0 entries`.
#[must_use]
pub fn counted(n: usize, noun: &str) -> String {
    let is_vowel = |c: char| "aeiou".contains(c);
    match noun.strip_suffix('y') {
        _ if n == 1 => format!("{n} {noun}"),
        Some(stem) if !stem.ends_with(is_vowel) => format!("{n} {stem}ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => {
            format!("{n} {noun}es")
        }
        _ => format!("{n} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn a_noun_agrees_with_its_number() {
        let check = |n: usize, noun: &str, expected: &str| assert_eq!(counted(n, noun), expected);
        check(0, "file", "0 files");
        check(1, "file", "1 file");
        check(2, "weaker finding", "2 weaker findings");
        check(2, "repository", "2 repositories");
        check(2, "day", "2 days");
        check(3, "match", "3 matches");
    }
}
