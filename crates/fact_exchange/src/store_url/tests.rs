use super::*;

fn parse(text: &str) -> StoreUrl {
    StoreUrl::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn the_scheme_decides_what_kind_of_store_it_is() {
    assert_eq!(parse("file:///srv/facts").place, Place::Folder(PathBuf::from("/srv/facts")));
    let bucket = Place::Bucket { name: "team".to_owned(), prefix: "a/b".to_owned() };
    assert_eq!(parse("s3://team/a/b/").place, bucket);
    assert!(parse("https://example.org/facts").is_read_only());
    assert!(!parse("s3://team").is_read_only());
}

#[test]
fn only_this_machine_is_read_without_encryption() {
    for text in ["http://127.0.0.1:8000/", "http://localhost/x", "http://[::1]:9/"] {
        assert!(parse(text).is_read_only());
    }
    for text in ["http://example.org/", "http://127.0.0.1.example.org/", "http://10.0.0.1/"] {
        assert!(matches!(StoreUrl::parse(text), Err(UrlError::Unencrypted(_))), "{text}");
    }
}

#[test]
fn other_addresses_are_refused() {
    for text in ["ftp://a/b", "facts", "s3://", "s3://key:secret@bucket", "file://host/a"] {
        assert!(StoreUrl::parse(text).is_err(), "{text}");
    }
    assert_eq!(StoreUrl::parse("https://a/b?token=1"), Err(UrlError::Part("query")));
    assert_eq!(StoreUrl::parse("https://a/b#c"), Err(UrlError::Part("fragment")));
}

#[test]
fn a_password_is_never_shown() {
    let url = parse("https://build:hunter2x@example.org/facts");
    assert_eq!(url.to_string(), "https://example.org/facts");
    assert!(!format!("{url:?}").contains("hunter2x"));
    let text = url.redact("GET https://build:hunter2x@example.org/facts/catalogue failed");
    assert_eq!(text, "GET https://example.org/facts/catalogue failed");
    let errors = ["http://build:hunter2x@example.org", "s3://a:hunter2x@b", "ht!tp://a:hunter2x@b"];
    for text in errors {
        let error = StoreUrl::parse(text).expect_err(text).to_string();
        assert!(!error.contains("hunter2x"), "{error}");
    }
}
