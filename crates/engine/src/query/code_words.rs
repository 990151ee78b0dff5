//! Finds the words in a prompt that look like code: paths, identifiers and error names. The prompt may be written in
//! any natural language.

use index::text::is_cjk;

use super::names::is_camel_case;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeWordKind {
    /// A path after `@`.
    Reference,
    Path,
    /// The name of an error or exception type, or an error code such as `E0308`.
    Error,
    Identifier,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeWord {
    pub kind: CodeWordKind,
    pub text: String,
}

const MAX_CODE_WORDS: usize = 24;

/// File extensions that identify a path in prose. Rare extensions are left out, because a word such as `self.y` is
/// usually an attribute, not a file.
#[rustfmt::skip]
const FILE_EXTENSIONS: &[&str] = &[
    "bash", "c", "cc", "cfg", "conf", "cpp", "cs", "css", "dart", "ex", "go", "gradle", "h", "hpp", "hs", "html", "ini", "ipynb", "java", "jl", "js",
    "json", "jsx", "kt", "lock", "lua", "m", "md", "mjs", "php", "pl", "proto", "py", "pyi", "r", "rb", "rs", "rst", "scala", "scss", "sh", "sql", "svelte",
    "swift", "toml", "ts", "tsx", "vue", "xml", "yaml", "yml", "zig",
];

/// Product names that are spelled like identifiers.
#[rustfmt::skip]
const PRODUCT_NAMES: &[&str] = &[
    "chatgpt", "ebay", "github", "gitlab", "iphone", "ipad", "javascript", "linkedin", "macbook", "macos", "mcdonald", "openai", "paypal", "postgresql",
    "tiktok", "typescript", "whatsapp", "wifi", "wordpress", "youtube",
];

/// Returns the first [`MAX_CODE_WORDS`] distinct code words of `prompt`.
pub(super) fn code_words(prompt: &str) -> Vec<CodeWord> {
    let mut found: Vec<CodeWord> = Vec::new();
    for word in prompt.split(is_separator) {
        if found.len() >= MAX_CODE_WORDS {
            break;
        }
        let new = code_word(word);
        found.extend(new.filter(|new| !found.iter().any(|known| known.text == new.text)));
    }
    found
}

/// Returns whether `c` separates words. CJK characters are separators, because CJK text has no spaces around
/// identifiers.
fn is_separator(c: char) -> bool {
    const PUNCTUATION: &[char] =
        &[',', ';', '"', '\'', '`', '<', '>', '[', ']', '{', '}', '|', '=', '!', '?'];
    c.is_whitespace()
        || PUNCTUATION.contains(&c)
        || (!c.is_ascii() && !c.is_alphabetic())
        || is_cjk(c)
}

fn code_word(word: &str) -> Option<CodeWord> {
    let is_reference = word.starts_with('@') && word.len() > 2;
    let is_call = word.contains("()") || (word.contains('(') && word.contains(')'));
    let word = word.trim_start_matches(['@', '(']).trim_end_matches(['.', ':', ')', '(', '-', '/']);
    let is_too_short = word.len() < 3 || !word.chars().any(char::is_alphabetic);
    if is_too_short || word.len() > 200 || word.contains("://") {
        return None;
    }
    let kind = if is_reference && word.contains(['/', '.']) {
        CodeWordKind::Reference
    } else if is_path(word) {
        CodeWordKind::Path
    } else if is_error_name(word) {
        CodeWordKind::Error
    } else if is_identifier(word) || (is_call && word.is_ascii()) {
        CodeWordKind::Identifier
    } else {
        return None;
    };
    Some(CodeWord { kind, text: word.to_owned() })
}

fn is_path(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    let name = name.split(':').next().unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, extension)) => {
            !stem.is_empty() && FILE_EXTENSIONS.contains(&extension.to_lowercase().as_str())
        }
        // `and/or` is prose; `src/auth/login` is a path.
        None => word.matches('/').count() >= 2 && word.is_ascii(),
    }
}

fn is_error_name(word: &str) -> bool {
    let last = word.rsplit(['.', ':']).next().unwrap_or(word);
    let is_type_name = last.starts_with(char::is_uppercase) && last.len() > 6;
    let is_code = word.len() == 5
        && word
            .strip_prefix('E')
            .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    is_code || (is_type_name && (last.ends_with("Error") || last.ends_with("Exception")))
}

/// Returns whether `word` has the form of an identifier: `snake_case`, `camelCase`, `PascalCase` with two words,
/// `a::b`, `pkg.mod.func` or `CONSTANT_NAME`.
fn is_identifier(word: &str) -> bool {
    let is_name_char =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '.' | '$' | '#' | '-');
    if !word.chars().all(is_name_char)
        || word.starts_with('-')
        || PRODUCT_NAMES.contains(&word.to_lowercase().as_str())
    {
        return false;
    }
    let is_snake = word.trim_matches('_').contains('_');
    let is_dotted = word.split('.').count() >= 3
        && word.split('.').all(|part| part.starts_with(char::is_alphabetic));
    is_snake || word.contains("::") || is_dotted || is_camel_case(word)
}
