//! Splits identifiers at underscores, at changes of case, and between letters and digits.

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharKind {
    Lower,
    Upper,
    Digit,
    Underscore,
}

fn kind_of(character: char) -> CharKind {
    if character == '_' {
        CharKind::Underscore
    } else if character.is_numeric() {
        CharKind::Digit
    } else if character.is_uppercase() {
        CharKind::Upper
    } else {
        CharKind::Lower
    }
}

/// Calls `emit` with each part of `identifier`: `HTTPServer2_old` yields `HTTP`, `Server`, `2` and `old`.
pub fn for_each_part<'a>(identifier: &'a str, mut emit: impl FnMut(&'a str)) {
    let mut start = 0;
    let mut previous = CharKind::Underscore;
    let mut last_upper = 0;
    for (at, character) in identifier.char_indices() {
        let current = kind_of(character);
        let cut = match (previous, current) {
            (_, CharKind::Underscore) => Some(at),
            (CharKind::Underscore, _) => {
                start = at;
                None
            }
            // In `HTTPServer`, the last capital of `HTTPS` starts the next part.
            (CharKind::Upper, CharKind::Lower) if last_upper > start => Some(last_upper),
            (CharKind::Upper, CharKind::Lower) => None,
            (before, after) if before != after => Some(at),
            _ => None,
        };
        if let Some(cut) = cut {
            if cut > start {
                emit(identifier.get(start..cut).unwrap_or_default());
            }
            start = cut;
        }
        if current == CharKind::Underscore {
            start = at + 1;
        }
        if current == CharKind::Upper {
            last_upper = at;
        }
        previous = current;
    }
    if start < identifier.len() {
        emit(identifier.get(start..).unwrap_or_default());
    }
}
