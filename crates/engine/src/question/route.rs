//! Compares the path of a URL with the routes in code. Route parameters are written as `:id`, `{id}`, `<int:id>`,
//! `[id]` or `$id`, and code may omit the start of a path.

/// Top-level folders of a file system. A path below one of them is not a route.
const SYSTEM_FOLDERS: &[&str] = &[
    "bin", "dev", "etc", "home", "lib", "mnt", "opt", "proc", "private", "root", "sbin", "sys",
    "tmp", "usr", "Users", "var", "Volumes",
];
/// File names, without extension, that are not part of a route. Web frameworks derive the route from the folder of such
/// a file.
const ROUTE_FILES: &[&str] = &["route", "page", "index", "+page", "+server", "layout"];
const MIN_SEGMENT_CHARS: usize = 3;

/// How well a string in code matches a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RouteMatch {
    /// The string has a single segment. It equals the last segment of the route and is unlikely to belong to another
    /// route.
    LastSegment,
    /// One path ends with the other.
    Partial,
    Full,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Static(String),
    Parameter,
}

/// Returns whether `text` looks like the path of a URL.
pub(super) fn is_route(text: &str) -> bool {
    let Some(path) = text.strip_prefix('/') else { return false };
    let first = path.split('/').next().unwrap_or_default();
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let is_allowed = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(
                c,
                '/' | '-' | '_' | ':' | '{' | '}' | '<' | '>' | '[' | ']' | '$' | '*' | '.'
            )
    };
    path.chars().all(is_allowed)
        && first.starts_with(|c: char| c.is_ascii_alphabetic())
        && !path.contains("//")
        && !last.contains('.')
        && !SYSTEM_FOLDERS.contains(&first)
}

/// Returns the longest segment of a route that is not a parameter, or `None` if there is none.
pub(super) fn longest_segment(route: &str) -> Option<&str> {
    let is_static = |part: &&str| !part.is_empty() && segment(part) != Segment::Parameter;
    route.split('/').filter(is_static).max_by_key(|part| part.len())
}

/// Returns the best match of a route with any word in a line of code, or `None` if no word matches.
pub(super) fn match_line(route: &str, line: &str) -> Option<RouteMatch> {
    let route = segments(route);
    let words = line.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ','));
    words.filter(|word| word.contains('/')).filter_map(|word| compare(&route, word)).max()
}

/// Returns whether a framework that derives routes from file paths would derive `route` from `path`.
pub(super) fn match_file(route: &str, path: &str) -> bool {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
    let path = if ROUTE_FILES.contains(&name) { folder } else { stem };
    let (route, file) = (segments(route), segments(path));
    route.len() >= 2 && file.contains(&Segment::Parameter) && file.ends_with(&route)
}

fn compare(route: &[Segment], word: &str) -> Option<RouteMatch> {
    let word = word.trim_matches(['^', '$', '(', ')', ';']);
    // If the word is a URL, only its path is compared.
    let path = word
        .split_once("://")
        .map_or(word, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let code = segments(path);
    let statics = |segments: &[Segment]| {
        let is_long = |segment: &&Segment| matches!(segment, Segment::Static(text) if text.len() >= MIN_SEGMENT_CHARS);
        segments.iter().filter(is_long).count()
    };
    if code.is_empty() || statics(&code) == 0 {
        return None;
    }
    if code == route {
        return Some(RouteMatch::Full);
    }
    let is_part =
        (code.len() >= 2 && route.ends_with(&code)) || (route.len() >= 2 && code.ends_with(route));
    if is_part {
        return Some(RouteMatch::Partial);
    }
    let is_distinctive =
        |segment: &Segment| matches!(segment, Segment::Static(text) if text.contains(['_', '-']));
    let is_last = code.len() == 1 && route.ends_with(&code) && is_distinctive(&code[0]);
    is_last.then_some(RouteMatch::LastSegment)
}

fn segments(path: &str) -> Vec<Segment> {
    let path = path.split(['?']).next().unwrap_or_default();
    path.split('/').filter(|part| !part.is_empty()).map(segment).collect()
}

fn segment(part: &str) -> Segment {
    let is_parameter = part.contains([':', '{', '<', '[', '$', '*', '(', '\\'])
        || part.bytes().all(|byte| byte.is_ascii_digit());
    if is_parameter { Segment::Parameter } else { Segment::Static(part.to_lowercase()) }
}
