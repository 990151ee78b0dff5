use std::io::Write;
use std::os::unix::fs::symlink;

use rustix::fs::{CWD, FileType, mknodat};

use super::*;

#[test]
fn a50_only_regular_files_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("file"), "content").unwrap();
    symlink("file", path("link")).unwrap();
    symlink("/dev/zero", path("zero")).unwrap();
    mknodat(CWD, path("pipe"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    symlink("pipe", path("link to pipe")).unwrap();
    let kind =
        |name: &str, links| open_file(&path(name), links).map_err(|error| error.kind()).err();
    let refused = Some(io::ErrorKind::InvalidInput);
    for links in [Links::Follow, Links::Refuse] {
        assert_eq!(kind("file", links), None);
        assert_eq!(kind("absent", links), Some(io::ErrorKind::NotFound));
        for name in ["zero", "pipe", "link to pipe", "."] {
            assert_eq!(kind(name, links), refused, "{name}");
        }
    }
    assert_eq!(kind("link", Links::Follow), None);
    assert_eq!(kind("link", Links::Refuse), refused);
}

#[test]
fn a50_a_file_is_read_up_to_the_limit_whatever_its_metadata_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "12345678").unwrap();
    assert_eq!(read(&path, Links::Refuse, 8).unwrap(), b"12345678");
    let error = read(&path, Links::Refuse, 7).unwrap_err();
    assert_eq!(error.to_string(), "is larger than 7 bytes");
    assert_eq!(read_start(&path, Links::Refuse, 3).unwrap(), b"123");
    assert_eq!(read_text(&path, Links::Refuse, 8).unwrap(), "12345678");
    File::options().append(true).open(&path).unwrap().write_all(b"\xff").unwrap();
    assert_eq!(read_text(&path, Links::Refuse, 9).unwrap_err().to_string(), "is not UTF-8");
    // The metadata of this file reports a size of 0, but the file has content.
    let status = Path::new("/proc/self/status");
    assert_eq!(fs::metadata(status).unwrap().len(), 0);
    assert_eq!(read_start(status, Links::Refuse, 4).unwrap(), b"Name");
    assert_eq!(read(status, Links::Refuse, 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
}

#[test]
fn a50_only_the_end_of_a_large_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("file"), "12345678").unwrap();
    symlink("file", path("link")).unwrap();
    let end = |max_bytes| {
        let end = read_end_of_own_file(&path("file"), max_bytes).unwrap();
        (String::from_utf8(end.bytes).unwrap(), end.is_whole)
    };
    assert_eq!(end(3), ("678".to_owned(), false));
    assert_eq!(end(8), ("12345678".to_owned(), true));
    assert_eq!(end(u64::MAX), ("12345678".to_owned(), true));
    mknodat(CWD, path("pipe"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    let kind = |name: &str| read_end_of_own_file(&path(name), 8).unwrap_err().kind();
    for name in ["link", "pipe", "."] {
        assert_eq!(kind(name), io::ErrorKind::InvalidInput, "{name}");
    }
}

/// Only root can give a file to another user.
#[test]
fn a50_a_file_of_another_user_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "12345678").unwrap();
    if std::os::unix::fs::chown(&path, Some(12_345), None).is_err() {
        return;
    }
    let error = read_end_of_own_file(&path, 8).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
}
