//! Tests of this module.

use crate::secrets::letters::surprise;

#[test]
fn words_and_identifiers_are_not_surprising() {
    for word in [
        "correcthorsebattery",
        "getFrozenTopLeftViewPointRange",
        "csrfmiddlewaretoken",
        "sha256_digest2",
        "rootpasswd",
    ] {
        assert!(surprise(word.as_bytes()) < 0, "{word}");
    }
}

#[test]
fn keys_are_surprising() {
    for key in [
        "b901ny2ffwazl8s",
        "vzihlaquknriqlht",
        "AP7JaG9ToerxBc6gWP5LcU2CNpb",
        "Ctgs8xibWrnNAz03V7VTtp4O",
    ] {
        assert!(surprise(key.as_bytes()) > 9, "{key}");
    }
}
