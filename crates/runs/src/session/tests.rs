use super::*;

#[test]
fn c5_an_id_cannot_lead_out_of_the_folder() {
    for bad in ["", "..", "../x", "a/b", "/etc", ".hidden", "a..b", "a b", "a\n", "-x"] {
        assert!(SessionId::new(bad).is_err(), "{bad:?}");
    }
    assert!(SessionId::new("cdx-20260102_030405-abc123-tag.1").is_ok());
}

#[test]
fn c6_tags_are_made_harmless() {
    assert_eq!(sanitised_tag("nightly build #7!"), "nightly-build-7");
    assert_eq!(sanitised_tag("../../etc"), ".-.-etc");
    assert_eq!(sanitised_tag("--"), "");
}
