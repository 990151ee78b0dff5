//! Recognises tokens with a provider's prefix that are not real: masks, instructions, examples and published values.

use super::published::is_published;

/// The maximum number of bytes of a token's body that are examined. A long text can contain a prefix many times, so
/// only the start of each body is read.
const MAX_EXAMINED_BYTES: usize = 160;
/// The words that can form a placeholder after a provider's prefix.
#[rustfmt::skip]
const INSTRUCTION_WORDS: &[&str] = &[
    "access", "actual", "add", "admin", "api", "app", "auth", "bot", "change", "client", "example", "function", "goes", "here", "insert", "key", "live",
    "me", "my", "new", "openai", "own", "paste", "personal", "placeholder", "prod", "project", "put", "real", "replace", "secret", "slack",
    "some", "test", "the", "this", "token", "user", "value", "with", "workspace", "xxx", "xxxx", "your", "github", "gitlab", "proj", "ant",
];
const MAX_INSTRUCTION: usize = 48;
/// The minimum length of a part of a body that repeats one character.
const MIN_UNIFORM_PART: usize = 4;
/// The minimum length of a run of `x` that masks the middle of a token.
const MIN_MASKED_RUN: usize = 12;

/// Returns whether the token is a mask, an instruction such as `your-token-here`, an example or a value published in a
/// manual. The first `prefix` bytes of the token are its fixed prefix.
pub(crate) fn is_sample_token(token: &str, prefix: usize) -> bool {
    let body = &token[prefix..];
    let start = &body[..body.floor_char_boundary(MAX_EXAMINED_BYTES)];
    crate::work::count(start.len());
    is_masked(start)
        || is_uniform_path(start)
        || is_instruction(body, &token[..prefix])
        || start.contains("EXAMPLE")
        || is_published(token)
        || is_published(body)
}

/// Recognises a path each part of which repeats one letter: `XXX/YYY/ZZZ`.
fn is_uniform_path(body: &str) -> bool {
    body.contains('/') && body.split('/').all(is_uniform)
}

fn is_uniform(part: &str) -> bool {
    let mut letters = part.chars();
    letters.next().is_some_and(|first| letters.all(|letter| letter == first))
}

/// Recognises a token body whose words tell the reader to insert a token: `your-token-here`, `replace_me`,
/// `XXXX_PUT_YOUR_TOKEN_HERE_XXXX`, `1-AppAccessTokenHere`.
fn is_instruction(body: &str, prefix: &str) -> bool {
    if body.len() > MAX_INSTRUCTION {
        return false;
    }
    let mut words = body.split(['-', '_', '.']).filter(|word| !word.is_empty());
    let is_word = |word: &str| {
        INSTRUCTION_WORDS.iter().any(|listed| word.eq_ignore_ascii_case(listed))
            || word.len() >= MIN_UNIFORM_PART && is_uniform(word) && word.starts_with(['x', 'X'])
            || prefix.trim_end_matches(['-', '_']) == word
    };
    let is_place = |word: &str| {
        word.len() > "Here".len()
            && word.bytes().all(|byte| byte.is_ascii_alphabetic())
            && (word.ends_with("Here") || word.ends_with("HERE"))
    };
    words.clone().next_back().is_some_and(is_place)
        || words.clone().count() > 1 && words.all(is_word)
}

/// Recognises masked values such as `xxxxxxxx`, `XXXX-XXXX`, `v1-00000000`, `XXXXXXXX_AAAA` and `k2Rxxxxxxxxxxxxxxx9q`.
fn is_masked(body: &str) -> bool {
    let letters = || body.bytes().filter(u8::is_ascii_alphanumeric);
    let is_mask = |byte: &u8| matches!(byte, b'x' | b'X' | b'0');
    let n_masks = letters().filter(is_mask).count();
    let n_letters = letters().count();
    letters().next_back().is_none_or(|last| is_mask(&last)) && n_masks * 4 >= n_letters * 3
        || has_uniform_parts(body)
        || longest_run_of_x(body) >= MIN_MASKED_RUN.max(n_letters * 3 / 5)
}

/// Returns whether every part of the body repeats one character and one of the parts is a mask: `XXXXXXXX_AAAA`.
fn has_uniform_parts(body: &str) -> bool {
    let parts = || body.split(['-', '_', '.']);
    parts().all(|part| part.len() >= MIN_UNIFORM_PART && is_uniform(part))
        && parts().any(|part| part.starts_with(['x', 'X', '0']))
}

fn longest_run_of_x(body: &str) -> usize {
    let runs = body.split(|letter| letter != 'x').chain(body.split(|letter| letter != 'X'));
    runs.map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
