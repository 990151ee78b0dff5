//! Tests of the path rules (A50, A51).

use std::fs;
use std::path::Path;

use super::{PathRefusal, Quotable, Root, is_sensitive, quotable};

#[test]
fn a51_sensitive_names_are_known_whatever_their_case() {
    for path in [
        ".env",
        ".ENV.local",
        "a/b/Server.PEM",
        "x.key",
        "id_rsa.pub",
        ".ssh/config",
        "deploy/Secrets/a.yaml",
        ".npmrc",
    ] {
        assert!(is_sensitive(Path::new(path)), "{path}");
    }
    for path in ["src/main.rs", "docs/environment.md", "src/secrets.rs", "keyboard.rs", "monkey.py"]
    {
        assert!(!is_sensitive(Path::new(path)), "{path}");
    }
}

#[test]
fn a51_content_decides_too() {
    let key = b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz";
    assert_eq!(quotable(Path::new("notes.txt"), 40, key), Quotable::Sensitive);
    assert_eq!(quotable(Path::new("a.bin"), 40, b"\x7fELF\0\0"), Quotable::Binary);
    assert_eq!(quotable(Path::new("a.txt"), 5_000_000, b"text"), Quotable::TooLarge);
    assert_eq!(quotable(Path::new("a.txt"), 4, b"text"), Quotable::Yes);
}

#[cfg(unix)]
#[test]
fn a50_links_and_dots_do_not_lead_out() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "s").unwrap();
    let inside = tempfile::tempdir().unwrap();
    fs::write(inside.path().join("file"), "f").unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret"), inside.path().join("link")).unwrap();
    std::os::unix::fs::symlink("file", inside.path().join("near")).unwrap();
    let root = Root::open(inside.path()).unwrap();
    assert!(root.open_file(Path::new("file")).is_ok());
    assert!(root.open_file(Path::new("near")).is_ok());
    for path in ["link", "../x", "/etc/passwd", ""] {
        assert!(
            matches!(root.open_file(Path::new(path)), Err(PathRefusal::Escapes { .. })),
            "{path}"
        );
    }
    assert!(matches!(root.open_file(Path::new("absent")), Err(PathRefusal::Unreadable { .. })));
}
