//! Parses stack traces and the locations in compiler messages, for all languages.

use super::frames::line_number;
use super::paths::{for_each_span, has_source_extension};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFrame {
    /// The path as it appears in the trace. It may be a path on another machine.
    pub path: Option<String>,
    pub line: Option<u32>,
    /// The function name as it appears in the trace, such as `Class.method` or `crate::module::function`.
    pub function: Option<String>,
}

const MAX_FRAMES: usize = 60;
const PYTHON_HEADER: &str = "Traceback (most recent call last)";
/// Extensions that identify a path in a trace but not in prose.
const TRACE_EXTENSIONS: &[&str] = &["erl", "ex", "exs"];

pub(super) fn has_trace(prompt: &str) -> bool {
    // Frames of Python, Java, JavaScript, C# and Ruby.
    let is_frame = |line: &&str| {
        let line = line.trim();
        (line.starts_with("at ") && line.contains(':'))
            || (line.starts_with("File \"") && line.contains(", line "))
            || (line.starts_with("from ") && line.contains(":in "))
    };
    prompt.contains(PYTHON_HEADER)
        || prompt.contains("panicked at")
        || (prompt.contains("goroutine ") && prompt.contains(".go:"))
        || prompt.lines().filter(is_frame).nth(1).is_some()
}

/// Returns the frames in `text`, starting with the frame that raised the error.
#[must_use]
pub fn trace_frames(text: &str) -> Vec<TraceFrame> {
    let mut frames = Vec::new();
    let mut previous: Option<&str> = None;
    let mut is_innermost_last = false;
    for line in text.lines().map(str::trim) {
        is_innermost_last |= line.starts_with(PYTHON_HEADER);
        if let Some(frame) = frame(line, previous) {
            previous = None;
            frames.push(frame);
        } else {
            // Rust omits the location of some functions.
            if let Some(name) = previous.and_then(rust_function) {
                let function = Some(name.to_owned());
                frames.push(TraceFrame { path: None, line: None, function });
            }
            previous = Some(line);
        }
        if frames.len() >= MAX_FRAMES * 4 {
            break;
        }
    }
    if is_innermost_last {
        frames.reverse();
    }
    frames.truncate(MAX_FRAMES);
    frames
}

fn frame(line: &str, previous: Option<&str>) -> Option<TraceFrame> {
    let (start, path, number) = path_and_line(line)?;
    let (head, tail) = (&line[..start], &line[start + path.len()..]);
    let function = function_in(line, head, tail)
        .or_else(|| previous.filter(|_| is_bare(head)).and_then(function_in_previous_line));
    let is_jvm = [".java", ".kt", ".scala"].iter().any(|extension| path.ends_with(extension));
    let path = match &function {
        Some(name) if is_jvm && !path.contains(['/', '\\']) => in_package(name, path),
        _ => path.to_owned(),
    };
    Some(TraceFrame { path: Some(path), line: Some(number), function })
}

/// Finds the first path with a line number. Returns the position of the path in the line, the path and the line
/// number.
fn path_and_line(line: &str) -> Option<(usize, &str, u32)> {
    let mut found = None;
    for_each_span(line, |span| {
        if found.is_none() && has_trace_extension(span.text) {
            let number = line_number(&line[span.end..]).filter(|number| *number > 0);
            found = number.map(|number| {
                let start = path_start(line, span.end - span.text.len());
                (start, &line[start..span.end], number)
            });
        }
    });
    found
}

fn has_trace_extension(path: &str) -> bool {
    let in_table =
        |(stem, extension): (&str, &str)| !stem.is_empty() && TRACE_EXTENSIONS.contains(&extension);
    has_source_extension(path) || path.rsplit_once('.').is_some_and(in_table)
}

/// Returns the start of the path that contains the position `start`. Extends the path to the left over spaces within
/// quotation marks, non-ASCII letters, and a drive letter.
fn path_start(line: &str, start: usize) -> usize {
    let head = &line[..start];
    if let Some(quote) = head.rfind('"')
        && quote + 1 < start
        && line[start..].contains('"')
    {
        return quote + 1;
    }
    let is_path = |c: char| c.is_alphanumeric() || "_-./\\@+~$:".contains(c);
    let outside = head.char_indices().rev().find(|(_, c)| !is_path(*c));
    let first = outside.map_or(0, |(at, c)| at + c.len_utf8());
    // In `webpack:///src/a.js`, the scheme is not part of the path. In `C:\a.cs`, the drive letter is.
    match line[first..].find("://") {
        Some(scheme) if first + scheme < start => first + scheme + 3,
        _ => first,
    }
}

fn is_bare(head: &str) -> bool {
    matches!(head.trim(), "" | "at" | "-->")
}

/// Returns the function name in a frame. `head` is the text before the path, `tail` the text after it.
fn function_in(line: &str, head: &str, tail: &str) -> Option<String> {
    let after = |text: &'_ str, mark: &str| text.split_once(mark).map(|(_, name)| name.to_owned());
    // PHP: `#0 /a.php(3): Class->name()`. C: `#1 0x00 in name (x=1) at a.c:3`.
    let after_number = || {
        let is_numbered = line.starts_with('#');
        is_numbered.then(|| after(tail, "): ").or_else(|| after(head, " in "))).flatten()
    };
    // C#: `at A.B.C(String x) in /src/C.cs:line 3`. Java, JavaScript: `at a.b.C.d(C.java:3)`, `at name (a.js:3:5)`.
    let after_at = || {
        let rest = head.trim_start().strip_prefix("at ")?;
        Some(rest.trim_start_matches("async ").trim_start_matches("new ").to_owned())
    };
    // Python: `File "x.py", line 3, in name`. Ruby: "x.rb:3:in `name'".
    let name = after(tail, ", in ")
        .or_else(|| after(tail, ":in "))
        .or_else(after_number)
        .or_else(after_at)?;
    let name = name.split(['(', ' ']).next()?.trim_matches([':', '`', '\'', '"']);
    let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
    let is_name =
        !name.is_empty() && name != "<module>" && name != "<anonymous>" && !name.contains("://");
    is_name.then(|| name.to_owned())
}

/// Returns the function name in the line before the line with the path, such as `main.(*Server).Run(0xc000)` in Go or
/// `3: crate::module::name` in Rust.
fn function_in_previous_line(line: &str) -> Option<String> {
    if let Some(name) = rust_function(line) {
        return Some(name.to_owned());
    }
    let open = line.rfind('(').filter(|_| line.ends_with(')'))?;
    let name = line[..open].trim();
    let name = name.rsplit('/').next().unwrap_or(name);
    let is_name = name.contains('.') && !name.contains(' ');
    is_name.then(|| name.replace("(*", "").replace([')', '('], ""))
}

fn rust_function(line: &str) -> Option<&str> {
    let (number, name) = line.split_once(": ")?;
    let is_numbered = !number.is_empty() && number.trim().bytes().all(|byte| byte.is_ascii_digit());
    let name = name.split_once(" - ").map_or(name, |(_, name)| name);
    (is_numbered && name.contains("::") && !name.contains(' ')).then_some(name)
}

/// Derives the path of a Java file from its function's package: `com/app/Store.java` for `com.app.Store.open`.
fn in_package(function: &str, file: &str) -> String {
    let mut parts: Vec<&str> = function.split(['.', '$', '/']).collect();
    // The last two parts are the class and the method.
    parts.truncate(parts.len().saturating_sub(2));
    let package: Vec<&str> =
        parts.into_iter().filter(|part| part.starts_with(char::is_lowercase)).collect();
    if package.is_empty() { file.to_owned() } else { format!("{}/{file}", package.join("/")) }
}

/// Returns the last component of a function name, without closure suffixes and type parameters.
pub(crate) fn plain_function(name: &str) -> &str {
    let name = name.split("::{{closure").next().unwrap_or(name);
    let name = name.split(['<', '`']).next().filter(|name| !name.is_empty()).unwrap_or(name);
    name.rsplit(['.', ':', '$', '#', '>']).find(|part| !part.is_empty()).unwrap_or(name)
}

#[cfg(test)]
mod tests;
