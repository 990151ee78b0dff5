use super::{BadToken, Token};

#[test]
fn c4_only_the_whole_token_is_taken() {
    let token = Token::new("0123456789abcdef\n").unwrap();
    assert!(token.is_shown_by(Some(b"Bearer 0123456789abcdef")));
    assert!(token.is_shown_by(Some(b"bearer 0123456789abcdef")));
    for wrong in [
        &b"Bearer 0123456789abcdeX"[..],
        b"Bearer 0123456789abcde",
        b"Bearer 0123456789abcdef0",
        b"Bearer ",
        b"Basic 0123456789abcdef",
        b"0123456789abcdef",
        b"",
    ] {
        assert!(!token.is_shown_by(Some(wrong)), "{}", String::from_utf8_lossy(wrong));
    }
    assert!(!token.is_shown_by(None));
}

#[test]
fn c4_a_short_or_unprintable_token_is_refused() {
    assert_eq!(Token::new("short").err(), Some(BadToken::TooShort(5)));
    assert_eq!(Token::new("0123456789 abcdef").err(), Some(BadToken::NotVisible));
}
