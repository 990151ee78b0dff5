//! Recognises words for "password" and "is" in languages for which there is no list of common words.

/// Words for "password" in languages for which there is no list of common words. In a sentence, a value after one of
/// these words must contain a digit.
const FOREIGN_PASSWORD_NAMES: &[&str] = &[
    "senha",
    "mật khẩu",
    "palavra-passe",
    "kata sandi",
    "şifre",
    "รหัสผ่าน",
    "كلمة المرور",
    "पासवर्ड",
    "wachtwoord",
    "hasło",
    "heslo",
    "lösenord",
    "ароль",
    "パスワード",
    "비밀번호",
    "암호",
    "clave",
    "parola d'ordine",
];

pub(super) fn is_foreign(word: &str) -> bool {
    FOREIGN_PASSWORD_NAMES.iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// Returns whether the text between a name and its value contains a word for "is" in another language, or a dash.
pub(super) fn has_foreign_verb(between: &str) -> bool {
    [" é ", " è ", " là ", " ist ", " lautet ", "— ", "– "]
        .iter()
        .any(|verb| between.contains(verb))
}
