//! Reads chains of names, member accesses, calls and subscripts, such as `app.test_client().get(url)`.

/// The maximum length of a chain's text in bytes.
const MAX_CHAIN: usize = 300;
/// The maximum number of bytes between a pair of brackets. A chain with a longer bracketed part is not read.
const MAX_BRACKETS: usize = 4096;

/// A chain's text and the position after the chain in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The chain without white space, without type arguments and without the content of brackets, such as
    /// `app.test_client().routes[].rule`. Names are separated by dots in every language.
    pub text: String,
    pub end: usize,
}

/// Reads the chain that starts at byte `start`. Returns `None` if no name starts there, or if the chain is too long.
/// `await` and `new` before the first name are skipped.
pub fn read_chain(source: &[u8], start: usize) -> Option<Chain> {
    let mut at = skip_space(source, start);
    let mut name = name_at(source, at)?;
    while matches!(name, b"await" | b"new") {
        at = skip_space(source, at + name.len());
        name = name_at(source, at)?;
    }
    let mut text = String::new();
    loop {
        text.push_str(std::str::from_utf8(name).ok()?);
        at += name.len();
        at = read_brackets(source, at, &mut text)?;
        if text.len() > MAX_CHAIN {
            return None;
        }
        let Some(next) = after_separator(source, at) else { break };
        let Some(member) = name_at(source, next) else { break };
        text.push('.');
        (at, name) = (next, member);
    }
    Some(Chain { text, end: at })
}

/// Skips the arguments and subscripts that start at `at`, and appends `()` or `[]` to `text` for each of them. Returns
/// the position after them, or `None` if a bracket is not closed.
fn read_brackets(source: &[u8], mut at: usize, text: &mut String) -> Option<usize> {
    loop {
        match source.get(at) {
            Some(b'(') => text.push_str("()"),
            Some(b'[') => text.push_str("[]"),
            Some(b'<') => match after_type_arguments(source, at) {
                Some(end) => {
                    at = end;
                    continue;
                }
                None => return Some(at),
            },
            _ => return Some(at),
        }
        at = after_brackets(source, at)?;
    }
}

/// Returns the position after the type arguments that start at `at`, such as `<T>` in `create<T>()`. Returns `None` if
/// there are no type arguments, or if no call follows them.
fn after_type_arguments(source: &[u8], at: usize) -> Option<usize> {
    const MAX_TYPE_ARGUMENTS: usize = 200;
    let mut depth = 0_usize;
    for (offset, byte) in source.get(at..)?.iter().take(MAX_TYPE_ARGUMENTS).enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            b';' | b'(' | b'\n' => return None,
            _ => {}
        }
        if depth == 0 {
            let end = at + offset + 1;
            return (source.get(end) == Some(&b'(')).then_some(end);
        }
    }
    None
}

/// Returns the position after the bracket that closes the bracket at `at`. Brackets in strings are ignored. Returns
/// `None` if the bracket is not closed within [`MAX_BRACKETS`] bytes.
fn after_brackets(source: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut bytes = source.get(at..)?.iter().take(MAX_BRACKETS).enumerate();
    while let Some((offset, byte)) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => {
                bytes.next();
            }
            (Some(open), byte) if *byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'' | b'`') => quote = Some(*byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + offset + 1);
                }
            }
            (None, _) => {}
        }
    }
    None
}

/// Skips the separator at `at`, which is `.`, `?.`, `!.` or `::`, and the white space before and after it, including
/// line breaks. Returns the next position, or `None` if there is no separator.
fn after_separator(source: &[u8], at: usize) -> Option<usize> {
    let at = skip_space(source, at);
    let rest = source.get(at..)?;
    let length = match rest {
        [b'?' | b'!', b'.', ..] | [b':', b':', ..] => 2,
        [b'.', next, ..] if *next != b'.' => 1,
        _ => return None,
    };
    Some(skip_space(source, at + length))
}

pub(crate) fn skip_space(source: &[u8], at: usize) -> usize {
    let rest = source.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn name_at(source: &[u8], at: usize) -> Option<&[u8]> {
    let is_part = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'$' | b'@' | b'#')
            || !byte.is_ascii()
    };
    let rest = source.get(at..)?;
    let length = rest.iter().take_while(|byte| is_part(byte)).count();
    let first = rest.first().filter(|byte| !byte.is_ascii_digit())?;
    (length > 0 && is_part(first)).then(|| &rest[..length])
}

#[cfg(test)]
mod tests {
    use super::read_chain;

    fn chain(source: &str) -> Option<String> {
        read_chain(source.as_bytes(), 0).map(|chain| chain.text)
    }

    #[test]
    fn a_chain_has_no_arguments() {
        assert_eq!(chain("a.b(1, ')')[0].c = 2").as_deref(), Some("a.b()[].c"));
        assert_eq!(chain("new Map<string, A>()").as_deref(), Some("Map()"));
        assert_eq!(chain("await a\n  ?.b!.c::d()").as_deref(), Some("a.b.c.d()"));
        assert_eq!(chain("a < b").as_deref(), Some("a"));
    }

    #[test]
    fn literals_are_not_chains() {
        assert_eq!(chain("'text'.join()"), None);
        assert_eq!(chain("12.5"), None);
        assert_eq!(chain("(a or b).c"), None);
        assert_eq!(chain("f(unclosed"), None);
    }
}
