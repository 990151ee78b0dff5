//! Parses types in source code: Python and TypeScript annotations such as `t.Optional[Foo]`, `list[Foo]` or
//! `Promise<Foo> | null`, and the types in Rust and Go declarations, such as `Result<Vec<Foo>,Error>` or
//! `map[string]*pkg.Foo`.

use crate::text::look_up;

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

/// The maximum nesting depth of types in annotations.
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
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
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

/// The maximum nesting depth of types in declarations.
const MAX_DECLARED_DEPTH: usize = 6;

/// Generic types of Rust in the order of their bytes, each with its use. A wrapper is treated like its first argument,
/// because most of its methods return it: `Option<Foo>` has the members of `Foo`. The elements of a collection are its
/// first argument, and those of a map its second.
const RUST_TYPES: &str = include_str!("rust_types.txt");

/// Returns the type that a Rust declaration states, or `None` if it is unknown. References, lifetimes and keywords have
/// been removed from `text`, and the parts of paths are separated by dots.
pub(super) fn rust_type(text: &str) -> Option<Annotation<'_>> {
    read_rust(text, MAX_DECLARED_DEPTH)
}

fn read_rust(text: &str, depth: usize) -> Option<Annotation<'_>> {
    let depth = depth.checked_sub(1)?;
    // Only the first bound of `Foo+Send` names a type that has the members.
    let text = split(text, '+').next()?;
    if let Some(inner) = text.strip_prefix('[') {
        let element = split(inner.strip_suffix(']').unwrap_or(inner), ';').next()?;
        return elements_of(read_rust(element, depth)?);
    }
    if text.starts_with('(') || text.starts_with("fn(") {
        return Some(Annotation::Standard);
    }
    let (path, arguments) = match text.split_once('<') {
        Some((path, rest)) => (path, rest.strip_suffix('>').unwrap_or(rest)),
        None => (text, ""),
    };
    let name = path.rsplit('.').next().unwrap_or(path);
    // In `Iterator<Item=Foo>`, the argument has a name.
    let argument = |at: usize| {
        let argument = split(arguments, ',').nth(at)?;
        Some(argument.split_once('=').map_or(argument, |(_, of)| of))
    };
    match look_up(RUST_TYPES, name) {
        Some("wrapper") if !arguments.is_empty() => read_rust(argument(0)?, depth),
        None if name == "Future" => read_rust(argument(0)?, depth),
        Some("collection") => elements_of(read_rust(argument(0)?, depth)?),
        Some("map") => elements_of(read_rust(argument(1)?, depth)?),
        _ if path.contains('(') || path.is_empty() => Some(Annotation::Standard),
        _ => Some(Annotation::Of(path)),
    }
}

/// Returns the type that a Go declaration states, or `None` if it is unknown.
pub(super) fn go_type(text: &str) -> Option<Annotation<'_>> {
    read_go(text, MAX_DECLARED_DEPTH)
}

fn read_go(text: &str, depth: usize) -> Option<Annotation<'_>> {
    let depth = depth.checked_sub(1)?;
    let text = text.trim_start_matches('*');
    if let Some(element) = text.strip_prefix("...").or_else(|| text.strip_prefix("chan")) {
        return elements_of(read_go(element.trim_start_matches("<-"), depth)?);
    }
    if let Some(rest) = text.strip_prefix("map[").or_else(|| text.strip_prefix('[')) {
        let (_, element) = rest.split_once(']')?;
        return elements_of(read_go(element, depth)?);
    }
    let is_literal = ["func(", "struct{", "interface{", "<-"].iter().any(|it| text.starts_with(it));
    if is_literal || text.is_empty() {
        return Some(Annotation::Standard);
    }
    Some(Annotation::Of(text.split('[').next().unwrap_or(text)))
}

fn elements_of(of: Annotation<'_>) -> Option<Annotation<'_>> {
    Some(match of {
        Annotation::Of(path) => Annotation::Elements(path),
        Annotation::Elements(_) | Annotation::Type(_) | Annotation::Standard => {
            Annotation::Standard
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Annotation, RUST_TYPES, alternatives, go_type, look_up, rust_type};

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

    #[test]
    fn types_in_rust_are_read_through_their_wrappers() {
        use Annotation::{Elements, Of, Standard};
        for (text, expected) in [
            ("Foo", Of("Foo")),
            ("crate.app.Foo<T>", Of("crate.app.Foo")),
            ("Option<Arc<Mutex<Foo>>>", Of("Foo")),
            ("Result<Foo,Error>", Of("Foo")),
            ("anyhow.Result<Vec<Foo>>", Elements("Foo")),
            ("[Foo;4]", Elements("Foo")),
            ("Iterator<Item=Foo>+Send", Elements("Foo")),
            ("HashMap<String,Foo>", Elements("Foo")),
            ("(Foo,Bar)", Standard),
            ("Fn(Foo)", Standard),
        ] {
            assert_eq!(rust_type(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn types_in_go_are_read_without_pointers() {
        use Annotation::{Elements, Of, Standard};
        for (text, expected) in [
            ("*pkg.Foo", Of("pkg.Foo")),
            ("[]*Foo", Elements("Foo")),
            ("...Foo", Elements("Foo")),
            ("map[string]Foo", Elements("Foo")),
            ("Set[int]", Of("Set")),
            ("func(int)Foo", Standard),
        ] {
            assert_eq!(go_type(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn the_types_of_rust_are_sorted() {
        let names: Vec<&str> =
            RUST_TYPES.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(names.is_sorted() && names.iter().all(|name| look_up(RUST_TYPES, name).is_some()));
    }
}
