//! Formats a definition as one line: its signature and the first sentence of its doc comment.

const MAX_SIGNATURE_CHARS: usize = 160;
const MAX_SENTENCE_CHARS: usize = 100;
/// Starts of comments that are meant for tools or developers and do not describe the definition.
const DIRECTIVES: &[&str] = &[
    "eslint", "tslint", "istanbul", "prettier", "pylint", "noqa", "type:", "nolint", "TODO",
    "FIXME",
];

/// Returns `signature — first sentence of the doc`. A missing part is left out. `signature` and `doc` are the strings
/// that the index stores for a symbol; they may be truncated.
#[must_use]
pub fn headline(signature: &str, doc: &str) -> String {
    let signature = one_line_signature(signature);
    match (signature.is_empty(), first_sentence(doc)) {
        (_, None) => signature,
        (true, Some(sentence)) => sentence,
        (false, Some(sentence)) => format!("{signature} — {sentence}"),
    }
}

/// Returns the signature without annotations and body, cut after a parameter if it is too long.
fn one_line_signature(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut signature = without_annotations(&joined).trim_end_matches(['{', '=', ':', ' ']);
    signature = signature.trim_end_matches("=>").trim_end();
    let signature = signature
        .replace("( ", "(")
        .replace(" )", ")")
        .replace(",)", ")")
        .replace("[ ", "[")
        .replace(" ]", "]");
    let is_whole = is_balanced(&signature) && signature.chars().count() <= MAX_SIGNATURE_CHARS;
    if is_whole { signature } else { cut_at_parameter(&signature) }
}

/// Removes annotations, decorators and attributes such as `@Override`, `@Path("/x")` and `#[inline]` from the start.
fn without_annotations(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let is_annotation = rest.starts_with('@') && !rest.starts_with("@interface");
        let name_end = if is_annotation {
            let is_name =
                |character: char| character.is_alphanumeric() || "@._".contains(character);
            rest.find(|character| !is_name(character)).unwrap_or(rest.len())
        } else if rest.starts_with("#[") {
            1
        } else {
            return rest;
        };
        let after = &rest[name_end..];
        let end = if after.starts_with(['(', '[']) { closing(after) } else { Some(0) };
        let Some(end) = end else { return rest };
        rest = after[end..].trim_start();
    }
}

/// Returns the index after the bracket that closes the bracket at the start of `text`, or `None` if it is not closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at + character.len_utf8());
        }
    }
    None
}

/// Returns whether `text` has as many closing as opening parentheses and square brackets.
pub(crate) fn is_balanced(text: &str) -> bool {
    let count = |wanted: char| text.chars().filter(|character| *character == wanted).count();
    count('(') == count(')') && count('[') == count(']')
}

/// Cuts off the return type if all parameters fit. Otherwise, cuts after the last parameter that fits and adds `…`.
fn cut_at_parameter(signature: &str) -> String {
    let head: String = signature.chars().take(MAX_SIGNATURE_CHARS).collect();
    // If the parameter list is complete, only the return type is cut.
    let parameters = head.find('(').and_then(|at| Some(at + closing(&head[at..])?));
    if let Some(end) = parameters.filter(|end| !head[*end..].contains('(')) {
        return head[..end].to_owned();
    }
    let end = head.rfind(", ").or_else(|| head.rfind('(').map(|at| at + 1));
    let end = end.or_else(|| head.rfind(' ')).unwrap_or(head.len());
    let head = head[..end].trim_end_matches([',', ' ']);
    if head.ends_with('(') {
        return format!("{head}…)");
    }
    if head.contains('(') { format!("{head}, …)") } else { format!("{head} …") }
}

/// Returns the first sentence of a doc comment, or `None` if the comment is meant for a tool or starts with a tag such
/// as `@param`.
fn first_sentence(doc: &str) -> Option<String> {
    let doc = doc.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_tag = doc.starts_with(['@', ':', '<', '-', '=', '>', '.']);
    let is_directive = DIRECTIVES.iter().any(|directive| doc.starts_with(directive));
    if is_tag || is_directive || !doc.chars().any(char::is_alphabetic) {
        return None;
    }
    let ends = [". ", "。", "！", "? ", ": "].iter().filter_map(|end| doc.find(end));
    let sentence = ends.min().map_or(doc.as_str(), |end| &doc[..end]);
    let sentence = sentence.split(" @").next().unwrap_or(sentence).trim_end_matches(['.', ' ']);
    if sentence.chars().count() <= MAX_SENTENCE_CHARS {
        return Some(sentence.to_owned()).filter(|sentence| !sentence.is_empty());
    }
    let head: String = sentence.chars().take(MAX_SENTENCE_CHARS).collect();
    let end = head.rfind(' ').unwrap_or(head.len());
    Some(format!("{}…", head[..end].trim_end_matches([',', ' '])))
}

#[cfg(test)]
mod tests {
    use super::headline;

    #[test]
    fn a_signature_is_one_line_without_annotations_and_body() {
        for (signature, expected) in [
            ("def add(\n    self,\n    item,\n)", "def add(self, item)"),
            ("@Override public T getValue()", "public T getValue()"),
            ("@Path(\"/x\") @GET public Answer get(String id) {", "public Answer get(String id)"),
            ("#[inline] pub fn close(&self) -> bool", "pub fn close(&self) -> bool"),
            ("public @interface Expose", "public @interface Expose"),
            ("const f = (a) =>", "const f = (a)"),
            ("class A extends B {", "class A extends B"),
        ] {
            assert_eq!(headline(signature, ""), expected);
        }
    }

    #[test]
    fn a_long_signature_is_cut_after_a_parameter() {
        assert_eq!(headline("def bulk_create(", ""), "def bulk_create(…)");
        assert_eq!(headline("def f(a, b=1, c", ""), "def f(a, b=1, …)");
        assert_eq!(headline("def f(a: int) -> Literal[0, 1,", ""), "def f(a: int)");
        let long = format!("def f({})", "parameter, ".repeat(30));
        let cut = headline(&long, "");
        assert!(cut.ends_with("parameter, …)") && cut.chars().count() <= 165, "{cut}");
    }

    #[test]
    fn the_first_sentence_of_the_doc_follows() {
        let doc = "Adds an item. Does more.";
        assert_eq!(headline("def add(item)", doc), "def add(item) — Adds an item");
        assert_eq!(headline("", doc), "Adds an item");
        for comment in ["@param x the x", "eslint no-eval:0", "TODO: remove"] {
            assert_eq!(headline("int f()", comment), "int f()");
        }
        assert_eq!(headline("func F()", "删除用户。然后返回"), "func F() — 删除用户");
        let long = headline("f()", &"word ".repeat(60));
        assert!(long.ends_with("word…") && long.chars().count() < 115, "{long}");
    }
}
