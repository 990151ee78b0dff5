//! Chinese in source files beside the names it stands at: labels and trailing comments on their line, comments above what follows.

/// What is read for its lines.
const EXTENSIONS: &[&str] = &[
    "c",
    "cc",
    "cpp",
    "cs",
    "dart",
    "ets",
    "go",
    "h",
    "hpp",
    "html",
    "java",
    "js",
    "json",
    "jsx",
    "kt",
    "php",
    "properties",
    "py",
    "rb",
    "rs",
    "scala",
    "sql",
    "swift",
    "ts",
    "tsx",
    "vue",
    "wxml",
    "xml",
    "yaml",
    "yml",
];
/// Copies of what others wrote, and what a machine wrote.
const LEFT_OUT: &[&str] =
    &["node_modules/", "/dist/", "vendor/", "/static/", "/assets/", ".min.", "third_party/"];
/// How far below a comment its definition may stand.
const REACH: usize = 12;
/// A longer line is data.
const MAX_LINE_BYTES: usize = 300;

pub(super) fn is_read(path: &str) -> bool {
    let extension = path.rsplit('.').next().unwrap_or_default();
    EXTENSIONS.contains(&extension) && !LEFT_OUT.iter().any(|part| path.contains(part))
}

/// Calls `emit` with each line that has Chinese, and the code it is about.
pub(super) fn read(text: &str, mut emit: impl FnMut(&str, &[&str])) {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    for (at, line) in lines.iter().enumerate() {
        if line.is_ascii() || line.len() > MAX_LINE_BYTES {
            continue;
        }
        let tagged = line.contains("@param") || line.contains(":param");
        if line.starts_with('@') || (is_comment(line) && !tagged) {
            if let Some(code) = following(&lines[at + 1..]) {
                emit(line, &[head(code)]);
            }
        } else {
            emit(line, &[line]);
        }
    }
}

/// The next line of code below a comment.
fn following<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let code = lines.iter().take(REACH).find(|line| {
        !line.is_empty() && !is_comment(line) && !line.starts_with('@') && !line.starts_with("#[")
    })?;
    (code.is_ascii() && code.len() <= MAX_LINE_BYTES).then_some(code)
}

/// A definition as far as its name: what follows are parameters or the value.
fn head(code: &str) -> &str {
    let end = code.find(['(', '=', '{', ';']).unwrap_or(code.len());
    if end == 0 { code } else { &code[..end] }
}

fn is_comment(line: &str) -> bool {
    ["//", "*", "/*", "#", "<!--", "--", "\"\"\"", "'''"].iter().any(|mark| line.starts_with(mark))
}
