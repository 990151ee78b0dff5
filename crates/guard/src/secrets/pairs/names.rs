//! Finds passwords that are separated from the name of a user or a network only by blanks or a word.

use super::{MAX_DISTANCE, MIN_USER, is_password, is_password_byte, is_user_byte, words};
use crate::secrets::Secret;
use crate::secrets::chosen::is_strong_password;
use crate::work;

const MIN_NETWORK_KEY: usize = 8;

/// Returns the password in `账号：user password` and `your account is user with password`.
pub(super) fn after_user_name(text: &str, anchor_word: &str, from: usize) -> Option<Secret> {
    let rest = &text[from..text.floor_char_boundary(from + MAX_DISTANCE)];
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    work::count(line.len());
    let is_chinese = !anchor_word.is_ascii();
    let pair = if is_chinese {
        line.trim_start_matches(['：', ':', '为', '是', ' '])
    } else {
        line.get(words::skip_connectors(line.as_bytes())..)?
    };
    let user =
        pair.bytes().take_while(|byte| is_user_byte(*byte) || matches!(byte, b'.' | b'@')).count();
    let after = pair.get(user..)?;
    let password = if is_chinese {
        after.trim_start_matches([' ', '\t', '，', ',', '/'])
    } else {
        [" with ", " and ", ", "].iter().find_map(|separator| after.strip_prefix(separator))?
    };
    let start = from + line.len() - password.len();
    let length = password.bytes().take_while(|byte| is_password_byte(*byte)).count();
    let password = password[..length].trim_end_matches('.');
    let is_pair = user >= MIN_USER && pair.len() > user + length;
    (is_pair && is_strong_password(password))
        .then(|| Secret { kind: "password", span: start..start + password.len() })
}

/// Returns the key of a wireless network: `Wi-Fi: Office, key: …`.
pub(super) fn network_key(text: &str, anchor_word: &str, from: usize) -> Option<Secret> {
    let is_network =
        ["wi-fi", "wifi", "ssid"].iter().any(|word| anchor_word.eq_ignore_ascii_case(word));
    if !is_network {
        return None;
    }
    let rest = &text[from..text.floor_char_boundary(from + MAX_DISTANCE)];
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    work::count(line.len());
    let at = ["key: ", "Key: ", "key is "]
        .iter()
        .find_map(|name| line.find(name).map(|at| at + name.len()))?;
    let length = line[at..].bytes().take_while(|byte| is_password_byte(*byte)).count();
    let key = line[at..at + length].trim_end_matches('.');
    (key.len() >= MIN_NETWORK_KEY && is_password(key))
        .then(|| Secret { kind: "password", span: from + at..from + at + key.len() })
}
