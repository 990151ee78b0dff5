//! Tests of the path rules (A50, A51).

use std::fs;
use std::path::Path;

use super::{Quotable, is_sensitive, quotable};

#[test]
fn a51_sensitive_names_are_recognised_in_any_case() {
    for path in [
        ".env",
        ".ENV.local",
        "prod.env",
        "a/b/Server.PEM",
        "x.key",
        "id_rsa.pub",
        ".ssh/config",
        "deploy/Secrets/a.yaml",
        ".npmrc",
        "backup/filezilla/recentservers.xml",
        ".dbeaver/credentials-config.json",
        ".aws/credentials",
        ".docker/config.json",
        "config/credentials.yml.enc",
        "prod-secrets.json",
        "client_secret_123.json",
        "terraform.tfvars",
        "key.pem. ",
        "key.pem::$DATA",
    ] {
        assert!(is_sensitive(Path::new(path)), "{path}");
    }
    for path in [
        "src/main.rs",
        "docs/environment.md",
        "src/secrets.rs",
        "keyboard.rs",
        "monkey.py",
        "docs/credentials.md",
        "config.json",
        "src/password.ts",
        "tokens.css",
    ] {
        assert!(!is_sensitive(Path::new(path)), "{path}");
    }
}

#[test]
fn a51_content_can_make_a_file_sensitive() {
    let key = b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz";
    assert_eq!(quotable(Path::new("notes.txt"), 40, key), Quotable::Sensitive);
    let list = b"A_TOKEN=b901ny2ffwazl8s\nB_SECRET=z405caw382bo7jwb\nC_API_KEY=17kjbuwr0006fqsj\n";
    assert_eq!(quotable(Path::new("vars"), 90, list), Quotable::Sensitive);
    let noted = format!(
        "# deploy key\n-----BEGIN {} KEY-----\n{}\n",
        "PRIVATE",
        "b3BlbnNzaC1rZXktdjE".repeat(9)
    );
    assert_eq!(quotable(Path::new("a.txt"), 190, noted.as_bytes()), Quotable::Sensitive);
    let one = concat!("gh", "p_k7Wm2pQ9xLr4Tn8vBz3Yc6Hd1Fj5Gs0aEuIo\n");
    assert_eq!(quotable(Path::new("pasted"), 41, one.as_bytes()), Quotable::Sensitive);
    let example = b"How to make a key:\n\n```\n-----BEGIN RSA PRIVATE KEY-----\n```\n";
    assert_eq!(quotable(Path::new("a.md"), 60, example), Quotable::Yes);
    assert_eq!(quotable(Path::new("a.bin"), 40, b"\x7fELF\0\0"), Quotable::Binary);
    assert_eq!(quotable(Path::new("a.txt"), 5_000_000, b"text"), Quotable::TooLarge);
    assert_eq!(quotable(Path::new("gbk.c"), 8, b"// \xba\xba\xd7\xd6\n"), Quotable::Yes);
    assert_eq!(quotable(Path::new("a.txt"), 4, b"text"), Quotable::Yes);
}

#[cfg(unix)]
mod links {
    use std::io::Read;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::super::{PathRefusal, Quotable, Root};
    use super::fs;

    fn is_refused(root: &Root, path: &str) -> bool {
        matches!(root.open_file(Path::new(path)), Err(PathRefusal::Escapes { .. }))
    }

    #[test]
    fn a50_links_and_dots_cannot_lead_outside() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "s").unwrap();
        let inside = tempfile::tempdir().unwrap();
        fs::create_dir(inside.path().join("directory")).unwrap();
        fs::write(inside.path().join("file"), "f").unwrap();
        symlink(outside.path().join("secret"), inside.path().join("link")).unwrap();
        symlink(outside.path(), inside.path().join("away")).unwrap();
        symlink("../../../../../../etc/passwd", inside.path().join("up")).unwrap();
        symlink("loop", inside.path().join("loop")).unwrap();
        let root = Root::open(inside.path()).unwrap();
        for path in
            ["link", "away/secret", "up", "loop", "../x", "directory/../../x", "/etc/passwd", ""]
        {
            assert!(is_refused(&root, path), "{path}");
        }
        for path in ["absent", "directory"] {
            let refusal = root.open_file(Path::new(path)).unwrap_err();
            assert!(matches!(refusal, PathRefusal::Unreadable { .. }), "{path}");
        }
    }

    #[test]
    fn a50_links_within_the_root_are_followed() {
        let inside = tempfile::tempdir().unwrap();
        fs::write(inside.path().join("file"), "content").unwrap();
        symlink("file", inside.path().join("near")).unwrap();
        symlink(inside.path().canonicalize().unwrap().join("file"), inside.path().join("absolute"))
            .unwrap();
        let root = Root::open(inside.path()).unwrap();
        for path in ["file", "./file", "near", "absolute"] {
            let mut content = String::new();
            root.open_file(Path::new(path)).unwrap().read_to_string(&mut content).unwrap();
            assert_eq!(content, "content", "{path}");
        }
    }

    #[test]
    fn a50_a_link_swapped_in_does_not_change_what_is_open() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("file"), "outside").unwrap();
        let inside = tempfile::tempdir().unwrap();
        let directory = inside.path().join("directory");
        fs::create_dir(&directory).unwrap();
        fs::write(directory.join("file"), "inside").unwrap();
        let root = Root::open(inside.path()).unwrap();
        let mut opened = crate::inspect(&root, Path::new("directory/file")).unwrap();
        fs::rename(&directory, inside.path().join("moved")).unwrap();
        symlink(outside.path(), &directory).unwrap();
        let mut content = String::new();
        opened.file.read_to_string(&mut content).unwrap();
        assert_eq!(content, "inside");
        assert!(is_refused(&root, "directory/file"));
    }

    #[test]
    fn a51_a_sensitive_file_stays_sensitive_through_a_link() {
        let inside = tempfile::tempdir().unwrap();
        fs::write(inside.path().join(".env"), "A=1").unwrap();
        symlink(".env", inside.path().join("notes.txt")).unwrap();
        fs::write(inside.path().join("plain.txt"), "plain").unwrap();
        let root = Root::open(inside.path()).unwrap();
        assert_eq!(
            crate::inspect(&root, Path::new("notes.txt")).unwrap().verdict,
            Quotable::Sensitive
        );
        assert_eq!(crate::inspect(&root, Path::new("plain.txt")).unwrap().verdict, Quotable::Yes);
    }
}
