//! Finds translations in projects: messages that have the same key in a Chinese and an English file.

use std::collections::{BTreeMap, HashMap};

/// Chinese language codes in the paths of translation files, each with the English counterpart.
const LANGUAGES: &[(&str, &str)] = &[
    ("zh-CN", "en-US"),
    ("zh_CN", "en_US"),
    ("zh-cn", "en-us"),
    ("zh_cn", "en_us"),
    ("zh-CN", "en"),
    ("zh_CN", "en"),
    ("zh-Hans", "en"),
    ("zh-cn", "en"),
    ("zh", "en"),
    ("cn", "en"),
];

/// The translation files of one corpus.
#[derive(Default)]
pub(super) struct Locales {
    files: BTreeMap<String, Vec<(String, String)>>,
}

/// Returns true if `path` is the path of a Chinese or English translation file.
pub(super) fn is_locale(path: &str) -> bool {
    let extension = path.rsplit('.').next().unwrap_or_default();
    matches!(extension, "json" | "js" | "ts" | "properties" | "yaml" | "yml" | "toml")
        && parts(path).any(|part| {
            LANGUAGES.iter().any(|(chinese, english)| part == *chinese || part == *english)
        })
}

/// Returns the folders of a path and the dot-separated parts of its file name. A part that ends with a language code,
/// such as `messages_zh_CN`, is replaced with the language code.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '.']).map(|part| {
        LANGUAGES
            .iter()
            .flat_map(|(chinese, english)| [*chinese, *english])
            .find(|language| {
                part.strip_suffix(language).is_some_and(|rest| rest.ends_with(['_', '-']))
            })
            .unwrap_or(part)
    })
}

impl Locales {
    pub(super) fn add(&mut self, path: &str, text: &str) {
        let entries = text.lines().filter_map(entry).collect();
        self.files.insert(path.to_owned(), entries);
    }

    /// Calls `emit` with each Chinese message and the English message with the same key.
    pub(super) fn for_each_pair(&self, mut emit: impl FnMut(&str, &str)) {
        for (path, entries) in &self.files {
            let twin = LANGUAGES.iter().find_map(|(chinese, english)| {
                let other = replace_part(path, chinese, english)?;
                self.files.get(&other)
            });
            let Some(twin) = twin else { continue };
            let mut values: HashMap<(&str, usize), &str> = HashMap::new();
            number_keys(twin, |key, value| {
                values.insert(key, value);
            });
            number_keys(entries, |key, value| {
                if let Some(english) = values.get(&key) {
                    emit(value, english);
                }
            });
        }
    }
}

/// Adds an occurrence index to each key, because keys of nested files repeat. The n-th occurrence of a key in one
/// file thus matches the n-th occurrence in the other.
fn number_keys<'a>(
    entries: &'a [(String, String)],
    mut emit: impl FnMut((&'a str, usize), &'a str),
) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (key, value) in entries {
        let count = counts.entry(key).or_default();
        emit((key, *count), value);
        *count += 1;
    }
}

fn replace_part(path: &str, chinese: &str, english: &str) -> Option<String> {
    let borders = ['/', '.', '_', '-'];
    let at = path.match_indices(chinese).map(|(at, _)| at).find(|at| {
        let before = path[..*at].chars().next_back();
        let after = path[at + chinese.len()..].chars().next();
        before.is_none_or(|character| borders.contains(&character))
            && after.is_none_or(|character| matches!(character, '/' | '.'))
    })?;
    Some(format!("{}{english}{}", &path[..at], &path[at + chinese.len()..]))
}

/// Parses a line of the form `key: 'value',`, `"key": "value"` or `key=value`. Returns `None` for other lines.
fn entry(line: &str) -> Option<(String, String)> {
    let line = line.trim().trim_end_matches([',', ';']);
    let (key, value) = line.split_once([':', '='])?;
    let marks = ['"', '\'', '`', ' '];
    let (key, value) = (key.trim_matches(marks), value.trim().trim_matches(marks));
    (!key.is_empty() && !value.is_empty() && !key.contains(' '))
        .then(|| (key.to_owned(), unescape(value)))
}

/// Decodes escapes such as `\u4e2d` in properties files.
fn unescape(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once("\\u") {
        out.push_str(before);
        let code = after.get(..4).and_then(|code| u32::from_str_radix(code, 16).ok());
        match code.and_then(char::from_u32) {
            Some(character) => {
                out.push(character);
                rest = &after[4..];
            }
            None => rest = after,
        }
    }
    out.push_str(rest);
    out
}
