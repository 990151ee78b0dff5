//! Checks unified diffs strictly.
//!
//! `git apply` and existing parsers skip unknown lines. This check requires that every line belongs to the diff,
//! because a diff that passes is written to disk as a patch.

const MODES: [&str; 5] = ["100644", "100755", "120000", "160000", "040000"];
/// The line after the last line of a file that does not end with a newline.
const NO_NEWLINE: &str = "\\ No newline at end of file";

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is not part of a well-formed unified diff: {reason}")]
pub(crate) struct Malformed {
    /// The line number, starting at 1.
    pub(crate) line: usize,
    pub(crate) reason: &'static str,
}

/// Checks the diffs of one or more files: git's header lines, `---` and `+++`, and hunks with correct line counts.
/// Empty lines between files are allowed. Paths outside the repository and paths in `.git` are refused.
pub(crate) fn check(text: &str) -> Result<(), Malformed> {
    let mut lines = DiffLines { rest: text.lines().collect(), at: 0 };
    let mut n_files = 0;
    loop {
        while lines.peek() == Some("") {
            lines.at += 1;
        }
        if lines.peek().is_none() {
            break;
        }
        file(&mut lines)?;
        n_files += 1;
    }
    if n_files == 0 { Err(lines.wrong("there is no diff")) } else { Ok(()) }
}

struct DiffLines<'a> {
    rest: Vec<&'a str>,
    at: usize,
}

impl<'a> DiffLines<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.rest.get(self.at).copied()
    }

    /// If the next line starts with `start`, consumes it and returns the rest of the line.
    fn take(&mut self, start: &str) -> Option<&'a str> {
        let rest = self.peek()?.strip_prefix(start)?;
        self.at += 1;
        Some(rest)
    }

    fn wrong(&self, reason: &'static str) -> Malformed {
        Malformed { line: self.at + 1, reason }
    }

    /// Returns an error for the line that was consumed last.
    fn wrong_before(&self, reason: &'static str) -> Malformed {
        Malformed { line: self.at, reason }
    }
}

fn file(lines: &mut DiffLines<'_>) -> Result<(), Malformed> {
    if let Some(path) = lines.take("Index: ") {
        checked_path(lines, path)?;
        let rule = lines.take("===").ok_or_else(|| lines.wrong("`Index:` needs a line of `=`"))?;
        if !rule.trim_end_matches('=').is_empty() {
            return Err(lines.wrong_before("`Index:` needs a line of `=`"));
        }
    }
    let mut is_complete = false;
    let is_git = match lines.take("diff --git ") {
        Some(paths) => {
            checked_path(lines, paths)?;
            is_complete = extended_headers(lines)?;
            true
        }
        None => false,
    };
    let Some(old) = lines.take("--- ") else {
        let reason =
            if is_git { "`---` was expected" } else { "`diff --git` or `---` was expected" };
        return if is_complete { Ok(()) } else { Err(lines.wrong(reason)) };
    };
    checked_path(lines, old)?;
    let new = lines.take("+++ ").ok_or_else(|| lines.wrong("`+++` was expected"))?;
    checked_path(lines, new)?;
    let (is_new, is_deleted) = (is_null(old), is_null(new));
    if is_new && is_deleted {
        return Err(lines.wrong_before("both files are /dev/null"));
    }
    let mut n_hunks = 0;
    while let Some(header) = lines.take("@@ -") {
        let (old, new) = hunk_counts(header)
            .ok_or_else(|| lines.wrong_before("this hunk header cannot be read"))?;
        if is_new && old > 0 || is_deleted && new > 0 {
            return Err(lines.wrong_before("a hunk of /dev/null has lines"));
        }
        hunk(lines, old, new)?;
        n_hunks += 1;
    }
    if n_hunks == 0 { Err(lines.wrong("a hunk was expected")) } else { Ok(()) }
}

/// Reads git's extended headers. Returns true if they describe a change without hunks, such as a new mode, a new name
/// or an empty file.
fn extended_headers(lines: &mut DiffLines<'_>) -> Result<bool, Malformed> {
    let mut is_complete = false;
    loop {
        let modes = ["old mode ", "new mode ", "deleted file mode ", "new file mode "];
        let paths = ["copy from ", "copy to ", "rename from ", "rename to "];
        let shares = ["similarity index ", "dissimilarity index "];
        if let Some(mode) = modes.iter().find_map(|start| lines.take(start)) {
            if !MODES.contains(&mode) {
                return Err(lines.wrong_before("this is not a file mode"));
            }
            is_complete = true;
        } else if let Some(path) = paths.iter().find_map(|start| lines.take(start)) {
            checked_path(lines, path)?;
            is_complete = true;
        } else if let Some(share) = shares.iter().find_map(|start| lines.take(start)) {
            let number = share.strip_suffix('%').and_then(|share| share.parse::<u8>().ok());
            if number.is_none_or(|number| number > 100) {
                return Err(lines.wrong_before("this is not a percentage"));
            }
        } else if let Some(index) = lines.take("index ") {
            if !is_index(index) {
                return Err(lines.wrong_before("this is not a pair of object names"));
            }
        } else {
            return Ok(is_complete);
        }
    }
}

/// Returns true if the string has the form `1234abc..5678def`, with an optional mode.
fn is_index(index: &str) -> bool {
    let (names, mode) = index.split_once(' ').map_or((index, None), |(a, b)| (a, Some(b)));
    let is_name =
        |name: &str| (1..=64).contains(&name.len()) && name.chars().all(|c| c.is_ascii_hexdigit());
    names.split_once("..").is_some_and(|(old, new)| is_name(old) && is_name(new))
        && mode.is_none_or(|mode| MODES.contains(&mode))
}

fn is_null(path: &str) -> bool {
    path.split('\t').next() == Some("/dev/null")
}

/// Refuses paths outside the repository and paths in `.git`, even if git has quoted them.
fn checked_path(lines: &DiffLines<'_>, path: &str) -> Result<(), Malformed> {
    if path.trim().is_empty() {
        return Err(lines.wrong_before("a path is missing"));
    }
    if is_null(path) {
        return Ok(());
    }
    let parts = path.split(['/', ' ', '\t', '"', '\\']);
    let leads_out = path.trim_start_matches('"').starts_with('/')
        || parts.clone().any(|part| part == "..")
        || hides_ascii(path);
    if leads_out {
        return Err(lines.wrong_before("a path leads out of the repository"));
    }
    let is_git = |part: &str| part.trim_end_matches('.').eq_ignore_ascii_case(".git");
    if parts.clone().any(is_git) {
        return Err(lines.wrong_before("a path leads into `.git`"));
    }
    Ok(())
}

/// Returns true if a path contains octal escapes for printable ASCII, such as `\056` for a dot. Git does not write such
/// escapes, and they could hide a name.
fn hides_ascii(path: &str) -> bool {
    path.split('\\').skip(1).any(|rest| {
        let octal = rest.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok());
        octal.is_some_and(|byte| (0x20..0x7f).contains(&byte))
    })
}

/// Parses the rest of a hunk header after `@@ -`, such as `1,2 +3,4 @@ …`. Returns the number of old lines and the
/// number of new lines.
fn hunk_counts(header: &str) -> Option<(usize, usize)> {
    let (old, rest) = header.split_once(" +")?;
    let (new, after) = rest.split_once(" @@")?;
    let is_ended = after.is_empty() || after.starts_with(' ');
    is_ended.then_some((range_count(old)?, range_count(new)?))
}

/// Returns the number of lines in a range such as `1,2`. A range that starts at line 0 must be empty.
fn range_count(range: &str) -> Option<usize> {
    let number = |text: &str| {
        let is_number = (1..=9).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        if is_number { text.parse::<usize>().ok() } else { None }
    };
    let (start, count) = match range.split_once(',') {
        Some((start, count)) => (number(start)?, number(count)?),
        None => (number(range)?, 1),
    };
    (start > 0 || count == 0).then_some(count)
}

fn hunk(lines: &mut DiffLines<'_>, mut old: usize, mut new: usize) -> Result<(), Malformed> {
    if old == 0 && new == 0 {
        return Err(lines.wrong_before("a hunk has no lines"));
    }
    while old > 0 || new > 0 {
        let line =
            lines.peek().ok_or_else(|| lines.wrong("the hunk is shorter than its header says"))?;
        let (from_old, from_new) = match line.chars().next() {
            // Some editors remove the space that starts an empty context line. Git accepts such a line.
            Some(' ') | None => (1, 1),
            Some('-') => (1, 0),
            Some('+') => (0, 1),
            Some(_) => return Err(lines.wrong("a line of a hunk begins with a space, `+` or `-`")),
        };
        if from_old > old || from_new > new {
            return Err(lines.wrong("the lines of the hunk do not match its header"));
        }
        old -= from_old;
        new -= from_new;
        lines.at += 1;
        // The marker applies to the line before it, which must be the last one of the file or files that contain it.
        let is_last = (from_old == 0 || old == 0) && (from_new == 0 || new == 0);
        if is_last && lines.peek() == Some(NO_NEWLINE) {
            lines.at += 1;
        }
    }
    Ok(())
}
