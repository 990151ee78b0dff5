//! Parses the types that Rust and Go declarations state, such as `Result<Vec<Foo>,Error>` or `map[string]*pkg.Foo`.

use super::annotations::{Annotation, split};

/// The maximum nesting depth of types.
const MAX_DEPTH: usize = 6;

/// Rust types that are treated like their first argument, because most of their methods return it: `Option<Foo>` has
/// the members of `Foo`.
const WRAPPERS: &[&str] = &[
    "Option",
    "Result",
    "Box",
    "Rc",
    "Arc",
    "Cow",
    "RefCell",
    "Cell",
    "Mutex",
    "RwLock",
    "Pin",
    "Ref",
    "RefMut",
    "MutexGuard",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "OnceCell",
    "OnceLock",
    "LazyLock",
    "Lazy",
    "Weak",
    "ArcSwap",
    "Reverse",
    "Saturating",
    "ManuallyDrop",
    "Poll",
];
const COLLECTIONS: &[&str] = &[
    "Vec",
    "VecDeque",
    "HashSet",
    "BTreeSet",
    "FxHashSet",
    "IndexSet",
    "BinaryHeap",
    "LinkedList",
    "SmallVec",
    "Iterator",
    "IntoIterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Iter",
    "IntoIter",
    "Stream",
    "Receiver",
    "Sender",
    "UnboundedReceiver",
    "UnboundedSender",
];
const MAPS: &[&str] = &["HashMap", "BTreeMap", "FxHashMap", "IndexMap", "DashMap"];

/// Returns the type that a Rust declaration states, or `None` if it is unknown. References, lifetimes and keywords have
/// been removed from `text`, and the parts of paths are separated by dots.
pub(super) fn rust_type(text: &str) -> Option<Annotation<'_>> {
    read_rust(text, MAX_DEPTH)
}

fn read_rust(text: &str, depth: usize) -> Option<Annotation<'_>> {
    let depth = depth.checked_sub(1)?;
    // Only the first bound of `Foo+Send` names a type that has the members.
    let text = split(text, '+').next()?;
    if let Some(inner) = text.strip_prefix('[') {
        let element = split(inner.strip_suffix(']').unwrap_or(inner), ';').next()?;
        return elements(read_rust(element, depth)?);
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
    if name == "Future" || WRAPPERS.contains(&name) && !arguments.is_empty() {
        return read_rust(argument(0)?, depth);
    }
    if COLLECTIONS.contains(&name) {
        return elements(read_rust(argument(0)?, depth)?);
    }
    if MAPS.contains(&name) {
        return elements(read_rust(argument(1)?, depth)?);
    }
    if path.contains('(') || path.is_empty() {
        return Some(Annotation::Standard);
    }
    Some(Annotation::Of(path))
}

/// Returns the type that a Go declaration states, or `None` if it is unknown.
pub(super) fn go_type(text: &str) -> Option<Annotation<'_>> {
    read_go(text, MAX_DEPTH)
}

fn read_go(text: &str, depth: usize) -> Option<Annotation<'_>> {
    let depth = depth.checked_sub(1)?;
    let text = text.trim_start_matches('*');
    if let Some(element) = text.strip_prefix("...").or_else(|| text.strip_prefix("chan")) {
        return elements(read_go(element.trim_start_matches("<-"), depth)?);
    }
    if let Some(rest) = text.strip_prefix("map[").or_else(|| text.strip_prefix('[')) {
        let (_, element) = rest.split_once(']')?;
        return elements(read_go(element, depth)?);
    }
    let is_literal = ["func(", "struct{", "interface{", "<-"].iter().any(|it| text.starts_with(it));
    if is_literal || text.is_empty() {
        return Some(Annotation::Standard);
    }
    Some(Annotation::Of(text.split('[').next().unwrap_or(text)))
}

fn elements(of: Annotation<'_>) -> Option<Annotation<'_>> {
    Some(match of {
        Annotation::Of(path) => Annotation::Elements(path),
        Annotation::Elements(_) | Annotation::Type(_) | Annotation::Standard => {
            Annotation::Standard
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Annotation, go_type, rust_type};

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
}
