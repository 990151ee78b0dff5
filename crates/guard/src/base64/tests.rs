//! Tests of base64 decoding.

use super::decode;

#[test]
fn every_length_of_padding_decodes() {
    for (encoded, plain) in [
        ("", ""),
        ("Zg==", "f"),
        ("Zm8=", "fo"),
        ("Zm9v", "foo"),
        ("Zm9vYg", "foob"),
        ("Pz8_", "???"),
    ] {
        assert_eq!(decode(encoded.as_bytes()).as_deref(), Some(plain.as_bytes()), "{encoded}");
    }
}

#[test]
fn other_text_does_not_decode() {
    for text in ["Zg==x", "Z", "a b", "日本"] {
        assert_eq!(decode(text.as_bytes()), None, "{text}");
    }
}
