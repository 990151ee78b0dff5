//! Reads the frames of stack traces and the places compilers name, whatever language wrote them.

/// One line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFrame {
    /// As written, from whatever machine.
    pub path: Option<String>,
    pub line: Option<u32>,
    /// As written: `Class.method`, `crate::module::function`.
    pub function: Option<String>,
}

const MAX_FRAMES: usize = 60;

/// File endings of code; longer ones stand before their own beginnings.
const ENDINGS: &[&str] = &[
    "scala", "swift", "svelte", "java", "tsx", "jsx", "mjs", "cjs", "cpp", "cxx", "hpp", "php",
    "pyx", "erl", "exs", "vue", "lua", "zig", "kts", "py", "rs", "ts", "js", "go", "cs", "rb",
    "kt", "cc", "hh", "ex", "c", "h",
];

/// The frames in `text`, from where the error was raised outwards.
#[must_use]
pub fn trace_frames(text: &str) -> Vec<TraceFrame> {
    let lines: Vec<&str> = text.lines().collect();
    let mut frames = Vec::new();
    let mut pending: Option<&str> = None;
    let mut raised_last = false;
    for line in &lines {
        let line = line.trim();
        raised_last |= line.starts_with("Traceback (most recent call last)");
        match frame(line, pending) {
            Some(frame) => {
                pending = None;
                frames.push(frame);
            }
            // Go and Rust write the function on the line before its place.
            None => {
                if let Some(name) = pending.and_then(rust_function) {
                    frames.push(TraceFrame {
                        path: None,
                        line: None,
                        function: Some(name.to_owned()),
                    });
                }
                pending = Some(line);
            }
        }
        if frames.len() >= MAX_FRAMES * 4 {
            break;
        }
    }
    if raised_last {
        frames.reverse();
    }
    frames.truncate(MAX_FRAMES);
    frames
}

fn frame(line: &str, before: Option<&str>) -> Option<TraceFrame> {
    let (start, path, number) = place(line)?;
    let head = line.get(..start).unwrap_or_default();
    let tail = line.get(start + path.len()..).unwrap_or_default();
    let function = function_in(line, head, tail)
        .or_else(|| before.filter(|_| is_bare(head)).and_then(function_above));
    let path = match (&function, path.contains(['/', '\\'])) {
        // Java says the package with the class and the file without its folder.
        (Some(name), false)
            if path.ends_with(".java") || path.ends_with(".kt") || path.ends_with(".scala") =>
        {
            in_package(name, path)
        }
        _ => path.to_owned(),
    };
    Some(TraceFrame { path: Some(path), line: Some(number), function })
}

/// The first path with a line number: where it starts, the path, the line.
fn place(line: &str) -> Option<(usize, &str, u32)> {
    let bytes = line.as_bytes();
    for (dot, _) in line.match_indices('.') {
        let rest = line.get(dot + 1..)?;
        let Some(ending) = ENDINGS.iter().find(|ending| rest.starts_with(**ending)) else {
            continue;
        };
        let end = dot + 1 + ending.len();
        if bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            continue;
        }
        let Some(number) = line_number(line.get(end..).unwrap_or_default()) else { continue };
        let start = path_start(line, dot);
        let path = line.get(start..end)?;
        if path.len() > ending.len() + 1 {
            return Some((start, path, number));
        }
    }
    None
}

/// `:12`, `:12:5`, `(12)`, `(12,5)`, `", line 12`, `:line 12`, ` on line 12`.
fn line_number(after: &str) -> Option<u32> {
    const MARKS: &[&str] = &["\", line ", ":line ", " on line ", "', line ", ":", "(", "#L"];
    let digits = MARKS.iter().find_map(|mark| after.strip_prefix(mark))?;
    let end = digits.bytes().take_while(u8::is_ascii_digit).count();
    digits.get(..end)?.parse().ok().filter(|number| *number > 0)
}

fn path_start(line: &str, dot: usize) -> usize {
    let head = line.get(..dot).unwrap_or_default();
    // Inside quotes a path may have spaces.
    if let Some(quote) = head.rfind('"')
        && line.get(dot..).is_some_and(|rest| rest.contains('"'))
        && head.get(quote + 1..).is_some_and(|inside| !inside.is_empty())
    {
        return quote + 1;
    }
    let is_path = |it: char| it.is_alphanumeric() || "_-./\\@+~$:".contains(it);
    let start = head
        .char_indices()
        .rev()
        .take_while(|(_, it)| is_path(*it))
        .last()
        .map_or(dot, |(at, _)| at);
    // `webpack:///src/a.js` and `file:///src/a.js` are paths after their scheme, `C:\a.cs` as a whole.
    match line.get(start..dot).and_then(|path| path.rfind("://")) {
        Some(scheme) => start + scheme + 3,
        None => start,
    }
}

fn is_bare(head: &str) -> bool {
    let head = head.trim();
    head.is_empty() || head == "at" || head == "-->"
}

/// The function a line names beside its place.
fn function_in(line: &str, head: &str, tail: &str) -> Option<String> {
    // Python: `File "x.py", line 3, in name`. Ruby: "x.rb:3:in `name'".
    let after_in = tail
        .split_once(", in ")
        .map(|(_, name)| name)
        .or_else(|| tail.split_once(":in ").map(|(_, name)| name));
    // C#: `at A.B.C(String x) in /src/C.cs:line 3`. Java, JavaScript: `at a.b.C.d(C.java:3)`, `at name (a.js:3:5)`.
    let after_at = head
        .trim_start()
        .strip_prefix("at ")
        .map(|rest| rest.trim_start_matches("async ").trim_start_matches("new "));
    // PHP: `#0 /a.php(3): Class->name()`. C: `#1 0x00 in name (x=1) at a.c:3`.
    let after_hash =
        line.starts_with('#').then(|| tail.split_once("): ").map(|(_, name)| name)).flatten();
    let after_address =
        head.split_once(" in ").map(|(_, name)| name).filter(|_| line.starts_with('#'));
    let name = after_in.or(after_hash).or(after_address).or(after_at)?;
    let name = name.split(['(', ' ']).next()?.trim_matches([':', '`', '\'', '"']);
    let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
    let is_name =
        !name.is_empty() && name != "<module>" && name != "<anonymous>" && !name.contains("://");
    is_name.then(|| name.to_owned())
}

/// Go: `main.(*Server).Run(0xc000)` stands above its place. Rust: `3: crate::module::name`.
fn function_above(line: &str) -> Option<String> {
    if let Some(name) = rust_function(line) {
        return Some(name.to_owned());
    }
    let open = line.rfind('(').filter(|_| line.ends_with(')') || line.ends_with("...)"))?;
    let name = line.get(..open)?.trim();
    let name = name.rsplit('/').next().unwrap_or(name);
    let is_name = !name.is_empty() && name.contains('.') && !name.contains(' ');
    is_name.then(|| name.replace("(*", "").replace([')', '('], ""))
}

fn rust_function(line: &str) -> Option<&str> {
    let (number, name) = line.split_once(": ")?;
    let is_numbered = !number.is_empty() && number.trim().bytes().all(|byte| byte.is_ascii_digit());
    let name = name.split_once(" - ").map_or(name, |(_, name)| name);
    (is_numbered && name.contains("::") && !name.contains(' ')).then_some(name)
}

/// `com/app/Store.java` for the file of `com.app.Store.open`.
fn in_package(function: &str, file: &str) -> String {
    let mut parts: Vec<&str> = function.split(['.', '$', '/']).collect();
    // The class and its method; what is before is the package.
    parts.truncate(parts.len().saturating_sub(2));
    let package: Vec<&str> =
        parts.into_iter().filter(|part| part.starts_with(char::is_lowercase)).collect();
    if package.is_empty() { file.to_owned() } else { format!("{}/{file}", package.join("/")) }
}

/// The bare name of a function as a trace writes it.
pub(super) fn plain_function(name: &str) -> &str {
    let name = name.split("::{{closure").next().unwrap_or(name);
    let name = name.split(['<', '`']).next().filter(|name| !name.is_empty()).unwrap_or(name);
    name.rsplit(['.', ':', '$', '#', '>']).find(|part| !part.is_empty()).unwrap_or(name)
}
