//! Finds out which lines are code and which are comments, by the first characters of each line.

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Code,
    /// A line comment.
    Comment,
    /// A line of a block comment or of a Python docstring.
    Doc,
    Empty,
}

/// Extensions of languages in which `#` starts a comment.
const HASH_COMMENTS: &[&str] =
    &["py", "pyi", "rb", "sh", "bash", "pl", "ex", "exs", "r", "jl", "yaml", "yml", "toml", "nix"];
/// Extensions of languages in which `--` starts a comment.
const DASH_COMMENTS: &[&str] = &["sql", "lua", "hs", "elm"];

pub(super) fn line_kinds(path: &str, lines: &[&str]) -> Vec<LineKind> {
    let extension = path.rsplit('.').next().unwrap_or_default();
    let is_python = matches!(extension, "py" | "pyi");
    let mut end_of_block: Option<&str> = None;
    let mut kinds = Vec::with_capacity(lines.len());
    for line in lines {
        let text = line.trim();
        if let Some(end) = end_of_block {
            if text.contains(end) {
                end_of_block = None;
            }
            kinds.push(if text.is_empty() { LineKind::Empty } else { LineKind::Doc });
            continue;
        }
        let opened = if is_python { docstring(text) } else { block_comment(text) };
        kinds.push(match opened {
            _ if text.is_empty() => LineKind::Empty,
            Some((end, is_closed)) => {
                end_of_block = (!is_closed).then_some(end);
                LineKind::Doc
            }
            None if is_line_comment(text, extension) => LineKind::Comment,
            None => LineKind::Code,
        });
    }
    kinds
}

/// If a docstring starts at `text`, returns its end mark and whether it ends in the same line.
fn docstring(text: &str) -> Option<(&'static str, bool)> {
    let text = text.trim_start_matches(['r', 'R', 'u', 'U', 'b']);
    ["\"\"\"", "'''"]
        .into_iter()
        .find_map(|mark| Some((mark, text.strip_prefix(mark)?.contains(mark))))
}

/// If a block comment starts at `text`, returns its end mark and whether it ends in the same line.
fn block_comment(text: &str) -> Option<(&'static str, bool)> {
    [("/*", "*/"), ("<!--", "-->")]
        .into_iter()
        .find_map(|(start, end)| Some((end, text.strip_prefix(start)?.contains(end))))
}

fn is_line_comment(text: &str, extension: &str) -> bool {
    text.starts_with("//")
        || (text.starts_with('#') && HASH_COMMENTS.contains(&extension))
        || (text.starts_with("--") && DASH_COMMENTS.contains(&extension))
        || text.starts_with("* ")
        || text == "*"
        || text == "*/"
}
