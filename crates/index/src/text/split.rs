//! Where an identifier comes apart: underscores, a change of case, the edge of a number.

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Lower,
    Upper,
    Digit,
    Joint,
}

fn shape(character: char) -> Shape {
    if character == '_' {
        Shape::Joint
    } else if character.is_numeric() {
        Shape::Digit
    } else if character.is_uppercase() {
        Shape::Upper
    } else {
        Shape::Lower
    }
}

/// Calls `emit` for each part of `identifier`. `HTTPServer2_old` gives `HTTP`, `Server`, `2`, `old`.
pub fn for_each_part<'a>(identifier: &'a str, mut emit: impl FnMut(&'a str)) {
    let mut start = 0;
    let mut previous = Shape::Joint;
    let mut last_upper = 0;
    for (at, character) in identifier.char_indices() {
        let current = shape(character);
        let cut = match (previous, current) {
            (_, Shape::Joint) => Some(at),
            (Shape::Joint, _) => {
                start = at;
                None
            }
            // `HTTPServer`: the last capital belongs to the word that follows.
            (Shape::Upper, Shape::Lower) if last_upper > start => Some(last_upper),
            (Shape::Upper, Shape::Lower) => None,
            (before, after) if before != after => Some(at),
            _ => None,
        };
        if let Some(cut) = cut {
            if cut > start {
                emit(identifier.get(start..cut).unwrap_or_default());
            }
            start = cut;
        }
        if current == Shape::Joint {
            start = at + 1;
        }
        if current == Shape::Upper {
            last_upper = at;
        }
        previous = current;
    }
    if start < identifier.len() {
        emit(identifier.get(start..).unwrap_or_default());
    }
}
