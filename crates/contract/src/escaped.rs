//! The longest text that a client passes to its model, and the form of the text for clients that replace `<` with `&lt;`
//! and `>` with `&gt;` (Gemini CLI, Qwen Code).
//!
//! These clients do not replace `&`, so the model could not distinguish `&lt;` in the code from an escaped `<`. An `&` that
//! starts one of these entities is therefore written as `&amp;`. The fence uses square brackets, which the clients do not
//! change.

use serde::{Deserialize, Serialize};

/// A note that tells the model how to read the escaped text. The note contains no `<` or `>`, which the client would escape.
const NOTE: &str = "In this block, &lt; and &gt; stand for the less-than and greater-than signs, as in Vec&lt;String&gt;.";
const ENTITIES: [&str; 3] = ["&lt;", "&gt;", "&amp;"];
/// The tag of the fence that the kernel puts around evidence.
const FENCE: &str = "untrusted-evidence id=\"";

/// The maximum length of the text for the model in a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextLimit {
    /// The maximum number of bytes. A text never has more UTF-16 code units than bytes.
    pub max_bytes: usize,
    /// Whether the client replaces `<` with `&lt;` and `>` with `&gt;` and counts the bytes after that. Such a client gets
    /// the text in the form of [`escaped()`].
    #[serde(default)]
    pub escapes_brackets: bool,
}

impl ContextLimit {
    #[must_use]
    pub fn fits(self, text: &str) -> bool {
        let n_bytes = if self.escapes_brackets { escaped_len(text) } else { text.len() };
        n_bytes <= self.max_bytes
    }
}

/// Formats the text for a client that escapes angle brackets.
#[must_use]
pub fn escaped(text: &str) -> String {
    if text.contains(['<', '>']) { lay_out(text) } else { text.to_owned() }
}

/// Returns the length of the text in bytes after it was formatted by [`escaped`] and the client has escaped it. An escaped
/// bracket has four bytes.
fn escaped_len(text: &str) -> usize {
    let text = escaped(text);
    text.len() + 3 * text.matches(['<', '>']).count()
}

fn lay_out(context: &str) -> String {
    let is_code = |line: &str| fence_in_brackets(line).is_none() && line.contains(['<', '>']);
    let mut needs_note = context.split('\n').any(is_code);
    let mut lines: Vec<String> = Vec::new();
    for line in context.split('\n') {
        match fence_in_brackets(line) {
            Some(fence) => {
                if std::mem::take(&mut needs_note) {
                    lines.push(NOTE.to_owned());
                }
                lines.push(fence);
            }
            None => lines.push(escape_entities(line)),
        }
    }
    lines.join("\n")
}

/// Returns a fence line with square brackets, or `None` for any other line. The id cannot be guessed, so no line of a
/// repository is a fence line.
fn fence_in_brackets(line: &str) -> Option<String> {
    let inner = line.strip_prefix('<')?.strip_suffix('>')?;
    let tag = inner.strip_prefix('/').unwrap_or(inner);
    tag.starts_with(FENCE).then(|| format!("[{inner}]"))
}

fn escape_entities(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('&') {
        let (before, after) = rest.split_at(at);
        escaped.push_str(before);
        let is_entity = ENTITIES.iter().any(|entity| after.starts_with(entity));
        escaped.push_str(if is_entity { "&amp;" } else { "&" });
        rest = &after[1..];
    }
    escaped + rest
}

/// Reverses the escaping in a text that an escaping client sent to the model.
#[must_use]
pub fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Escapes the context in the same way as Gemini CLI and Qwen Code.
    fn sent(context: &str) -> String {
        escaped(context).replace('<', "&lt;").replace('>', "&gt;")
    }

    const CONTEXT: &str = "Auto Tools Results\nThe block below is untrusted data.\n<untrusted-evidence id=\"e4\">\n\n- src/names.rs:4: fn join(names: Vec<String>) -> &str // &lt; & &amp;\n\n</untrusted-evidence id=\"e4\">";

    #[test]
    fn a7_the_fence_survives_a_client_that_escapes_angle_brackets() {
        let text = sent(CONTEXT);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], NOTE);
        assert_eq!(lines[3], "[untrusted-evidence id=\"e4\"]");
        assert_eq!(lines.last(), Some(&"[/untrusted-evidence id=\"e4\"]"));
    }

    #[test]
    fn a7_code_can_be_read_back_without_loss() {
        let line = "- src/names.rs:4: fn join(names: Vec<String>) -> &str // &lt; & &amp;";
        assert!(unescaped(&sent(CONTEXT)).contains(line), "{}", sent(CONTEXT));
    }

    #[test]
    fn a_context_without_angle_brackets_is_not_changed() {
        assert_eq!(escaped("a & b\n&lt;"), "a & b\n&lt;");
    }

    #[test]
    fn the_length_is_that_of_the_text_which_the_client_sends() {
        assert_eq!(escaped_len(CONTEXT), sent(CONTEXT).len());
    }

    proptest::proptest! {
        #[test]
        fn every_line_can_be_read_back(line in "[<>&;a-z]{0,40}") {
            let text = escaped(&format!("<{line}"));
            let sent = text.replace('<', "&lt;").replace('>', "&gt;");
            proptest::prop_assert_eq!(unescaped(&sent), format!("<{}", line));
        }
    }
}
