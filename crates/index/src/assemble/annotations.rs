//! Parses Python and TypeScript type annotations such as `t.Optional[Foo]`, `list[Foo]` or `Promise<Foo> | null`.

/// One alternative of a type annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Annotation<'a> {
    /// An object whose type has this path.
    Of(&'a str),
    /// The type itself, as in `type[Foo]`.
    Type(&'a str),
    /// A collection or iterator of objects of the type.
    Elements(&'a str),
    /// A type that is defined by the language, or a collection without a known element type.
    Standard,
}

/// The maximum nesting depth of types.
const MAX_DEPTH: usize = 4;

/// Returns the alternatives of a type annotation, such as the members of a union type.
pub(super) fn alternatives(text: &str) -> Vec<Annotation<'_>> {
    let mut found = Vec::new();
    read(text, MAX_DEPTH, &mut found);
    found
}

fn read<'a>(text: &'a str, depth: usize, found: &mut Vec<Annotation<'a>>) {
    for part in split(text, '|') {
        read_one(part, depth, found);
    }
}

fn read_one<'a>(text: &'a str, depth: usize, found: &mut Vec<Annotation<'a>>) {
    let text = text.strip_prefix("readonly").unwrap_or(text);
    if depth == 0 || text.is_empty() {
        return;
    }
    if let Some(element) = text.strip_suffix("[]") {
        return elements(element, depth, found);
    }
    let (path, arguments) = match text.find(['[', '<']) {
        Some(at) => (&text[..at], text[at + 1..].trim_end_matches([']', '>'])),
        None => (text, ""),
    };
    // `trim_end_matches` also removes the brackets of a nested last argument. They are not needed to read it.
    let arguments: Vec<&str> = split(arguments, ',').collect();
    let first = arguments.first().copied().unwrap_or_default();
    let name = path.rsplit('.').next().unwrap_or(path);
    match name {
        "None" | "undefined" | "null" | "void" => {}
        "Optional" | "Union" => arguments.iter().for_each(|it| read(it, depth - 1, found)),
        "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired" | "Awaitable"
        | "Promise" | "Readonly" | "NonNullable" | "Partial" => read(first, depth - 1, found),
        "Coroutine" => read(arguments.last().copied().unwrap_or_default(), depth - 1, found),
        "Type" | "type" => found.push(Annotation::Type(plain(first))),
        "List"
        | "list"
        | "Sequence"
        | "Iterable"
        | "Iterator"
        | "Generator"
        | "AsyncIterator"
        | "AsyncIterable"
        | "AsyncGenerator"
        | "Set"
        | "set"
        | "FrozenSet"
        | "frozenset"
        | "Tuple"
        | "tuple"
        | "Collection"
        | "Deque"
        | "deque"
        | "Array"
        | "ReadonlyArray"
        | "ContextManager"
        | "AbstractContextManager" => elements(first, depth, found),
        _ if is_path(path) => found.push(Annotation::Of(path)),
        _ => found.push(Annotation::Standard),
    }
}

fn elements<'a>(text: &'a str, depth: usize, found: &mut Vec<Annotation<'a>>) {
    let mut inner = Vec::new();
    read(text, depth - 1, &mut inner);
    match inner[..] {
        [Annotation::Of(path)] => found.push(Annotation::Elements(path)),
        _ => found.push(Annotation::Standard),
    }
}

/// Returns the path of a type without its arguments.
fn plain(text: &str) -> &str {
    text.split(['[', '<', '|']).next().unwrap_or(text)
}

fn is_path(text: &str) -> bool {
    text.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '.' | '$'))
}

/// Splits a type at a separator that is not inside brackets.
pub(super) fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    text.split(move |character: char| {
        match character {
            '[' | '<' | '(' | '{' => depth += 1,
            ']' | '>' | ')' | '}' => depth -= 1,
            _ => {}
        }
        character == separator && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::{Annotation, alternatives};

    #[test]
    fn types_are_read_with_their_alternatives() {
        use Annotation::{Elements, Of, Standard, Type};
        for (text, expected) in [
            ("Foo", vec![Of("Foo")]),
            ("t.Optional[app.Foo]", vec![Of("app.Foo")]),
            ("Union[Foo,Bar[int]]", vec![Of("Foo"), Of("Bar")]),
            ("Foo|None", vec![Of("Foo")]),
            ("list[Foo]", vec![Elements("Foo")]),
            ("t.Iterator[Foo]", vec![Elements("Foo")]),
            ("type[Foo]", vec![Type("Foo")]),
            ("Promise<Foo|undefined>", vec![Of("Foo")]),
            ("Foo[]", vec![Elements("Foo")]),
            ("Callable[[int],str]", vec![Of("Callable")]),
            ("(a:number)=>void", vec![Standard]),
        ] {
            assert_eq!(alternatives(text), expected, "{text}");
        }
    }
}
