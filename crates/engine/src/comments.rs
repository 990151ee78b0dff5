//! Recognises comments by the first characters of a line. The file's extension determines the language. Without a path,
//! a line counts as a comment if it is one in any language.

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Code,
    /// A line comment.
    Comment,
    /// A line of a block comment or of a Python docstring.
    Doc,
    Empty,
}

/// Strings that start a comment in at least one language.
const COMMENT_STARTS: &[&str] = &["//", "#", "*", "/*", "--", "<!--", ";;", "\"\"\"", "'''"];
/// Starts of lines that begin with `#` but are not comments in languages such as Rust and C.
const DIRECTIVES: &[&str] = &["#[", "#!", "#include", "#define", "#if"];
/// File extensions of languages in which `#` starts a comment.
const HASH_COMMENTS: &[&str] =
    &["py", "pyi", "rb", "sh", "bash", "pl", "ex", "exs", "r", "jl", "yaml", "yml", "toml", "nix"];
/// File extensions of languages in which `--` starts a comment.
const DASH_COMMENTS: &[&str] = &["sql", "lua", "hs", "elm"];

/// Returns the kind of each line of a file. `lines` may start in the middle of a comment.
pub(crate) fn line_kinds(path: &str, lines: &[&str]) -> Vec<LineKind> {
    let extension = path.rsplit('.').next().unwrap_or_default();
    let scan = scan(extension, lines, None);
    match scan.unclosed {
        // The last docstring seems to be unclosed, and its delimiter is alone on a line. Therefore, this delimiter
        // closes a docstring that started before the first line.
        Some((at, mark)) if lines[at].trim() == mark => {
            self::scan(extension, lines, Some(mark)).kinds
        }
        Some(_) | None => scan.kinds,
    }
}

/// Returns whether a line contains only a comment in at least one language.
pub(crate) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    let is_directive = DIRECTIVES.iter().any(|start| line.starts_with(start));
    !is_directive && COMMENT_STARTS.iter().any(|start| line.starts_with(start))
}

struct Scan {
    kinds: Vec<LineKind>,
    /// If a comment is not closed, the index of its first line and its closing delimiter.
    unclosed: Option<(usize, &'static str)>,
}

/// Determines the kind of each line. `inside` is the closing delimiter of a comment that started before the first
/// line.
fn scan(extension: &str, lines: &[&str], inside: Option<&'static str>) -> Scan {
    let is_python = matches!(extension, "py" | "pyi");
    let mut unclosed = inside.map(|mark| (0, mark));
    let mut kinds = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim();
        let opened = if is_python { docstring(text) } else { block_comment(text) };
        kinds.push(match (unclosed, opened) {
            _ if text.is_empty() => LineKind::Empty,
            (Some((_, end)), _) => {
                if text.contains(end) {
                    unclosed = None;
                }
                LineKind::Doc
            }
            (None, Some((end, is_closed))) => {
                unclosed = (!is_closed).then_some((at, end));
                LineKind::Doc
            }
            (None, None) if is_line_comment(text, extension) => LineKind::Comment,
            (None, None) => LineKind::Code,
        });
    }
    Scan { kinds, unclosed }
}

/// If `text` starts with a docstring, returns its closing delimiter and whether it ends on the same line.
fn docstring(text: &str) -> Option<(&'static str, bool)> {
    let text = text.trim_start_matches(['r', 'R', 'u', 'U', 'b']);
    ["\"\"\"", "'''"]
        .into_iter()
        .find_map(|mark| Some((mark, text.strip_prefix(mark)?.contains(mark))))
}

/// If `text` starts with a block comment, returns its closing delimiter and whether it ends on the same line.
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
