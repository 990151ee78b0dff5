//! Chinese text in source files with the names it belongs to: labels and trailing comments with their line, comments
//! with the next line.

/// Extensions of the files to read.
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
/// Folders with copied or generated files.
const LEFT_OUT: &[&str] =
    &["node_modules/", "/dist/", "vendor/", "/static/", "/assets/", ".min.", "third_party/"];
/// The largest number of lines between a comment and its definition.
const REACH: usize = 12;
/// Longer lines are data.
const MAX_LINE_BYTES: usize = 300;

pub(super) fn is_read(path: &str) -> bool {
    let extension = path.rsplit('.').next().unwrap_or_default();
    EXTENSIONS.contains(&extension) && !LEFT_OUT.iter().any(|part| path.contains(part))
}

/// Calls `emit` with each line that contains Chinese, and the code it belongs to.
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

/// The next line of code after a comment.
fn following<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let code = lines.iter().take(REACH).find(|line| {
        !line.is_empty() && !is_comment(line) && !line.starts_with('@') && !line.starts_with("#[")
    })?;
    (code.is_ascii() && code.len() <= MAX_LINE_BYTES).then_some(code)
}

/// The part of a definition up to its name, without parameters and values.
fn head(code: &str) -> &str {
    let end = code.find(['(', '=', '{', ';']).unwrap_or(code.len());
    if end == 0 { code } else { &code[..end] }
}

fn is_comment(line: &str) -> bool {
    ["//", "*", "/*", "#", "<!--", "--", "\"\"\"", "'''"].iter().any(|mark| line.starts_with(mark))
}
