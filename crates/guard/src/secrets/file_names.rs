//! Recognises names of files, which may contain a digest or a word for a secret.

use std::ops::Range;

use super::value::is_random;

/// Extensions of files that web pages load. The names of such files often contain a digest.
const ASSETS: &[&str] =
    &["css", "gif", "html", "ico", "jpeg", "jpg", "js", "map", "png", "svg", "webp", "woff2"];
/// Extensions of files whose path may be the value of a setting.
#[rustfmt::skip]
const SETTINGS: &[&str] = &[
    "cer", "cfg", "conf", "crt", "enc", "env", "ini", "j2", "jks", "json", "key", "md", "p12", "pem", "pfx", "properties", "pub", "sh",
    "sql", "tmpl", "toml", "tpl", "txt", "xml", "yaml", "yml",
];
const MIN_NAME: usize = 3;

/// Returns whether the token at `token` is the last part of the name of a file: `box.ico-7a38….png`.
pub(crate) fn is_end_of_file_name(text: &str, token: Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let is_part = token
        .start
        .checked_sub(1)
        .is_some_and(|before| matches!(bytes[before], b'.' | b'_' | b'-' | b'/'));
    let extension = bytes[token.end..].strip_prefix(b".").unwrap_or_default();
    is_part
        && ASSETS.iter().any(|asset| {
            extension.starts_with(asset.as_bytes())
                && !extension.get(asset.len()).is_some_and(u8::is_ascii_alphanumeric)
        })
}

/// Returns whether the value is a path that ends with the name of a file: `material/form-password.svg`.
pub(crate) fn is_path_of_file(value: &str) -> bool {
    value.contains('/') && has_extension(value) && !is_random(value)
}

/// Returns whether the value is the name of a file in lower case: `service-account.json`.
pub(crate) fn is_file_name(value: &str) -> bool {
    has_extension(value) && !value.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Returns whether the value consists of characters that are usual in paths and ends with a known extension.
fn has_extension(value: &str) -> bool {
    let Some((path, extension)) = value.rsplit_once('.') else { return false };
    let name = path.rsplit('/').next().unwrap_or_default();
    name.len() >= MIN_NAME
        && (ASSETS.contains(&extension) || SETTINGS.contains(&extension))
        && path
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'_' | b'-'))
}
