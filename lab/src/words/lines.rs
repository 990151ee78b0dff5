//! Finds Chinese text in source files and the code that it describes. Labels and trailing comments describe the line
//! that contains them. Other comments describe the next line of code.

/// The extensions of the files that are read.
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
/// Strings that occur in the paths of copied or generated files, which are skipped.
const LEFT_OUT: &[&str] =
    &["node_modules/", "/dist/", "vendor/", "/static/", "/assets/", ".min.", "third_party/"];
/// The maximum number of lines between a comment and the code that it describes.
const REACH: usize = 12;
/// The maximum length of a line, in bytes. Longer lines are assumed to be data.
const MAX_LINE_BYTES: usize = 300;

pub(super) fn is_read(path: &str) -> bool {
    let extension = path.rsplit('.').next().unwrap_or_default();
    EXTENSIONS.contains(&extension) && !LEFT_OUT.iter().any(|part| path.contains(part))
}

/// Calls `emit` with each line that contains Chinese text, and the code that it describes.
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

/// Returns the first line of code after a comment.
fn following<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let code = lines.iter().take(REACH).find(|line| {
        !line.is_empty() && !is_comment(line) && !line.starts_with('@') && !line.starts_with("#[")
    })?;
    (code.is_ascii() && code.len() <= MAX_LINE_BYTES).then_some(code)
}

/// Returns the start of a definition up to its name, without parameters and values.
fn head(code: &str) -> &str {
    let end = code.find(['(', '=', '{', ';']).unwrap_or(code.len());
    if end == 0 { code } else { &code[..end] }
}

fn is_comment(line: &str) -> bool {
    ["//", "*", "/*", "#", "<!--", "--", "\"\"\"", "'''"].iter().any(|mark| line.starts_with(mark))
}
