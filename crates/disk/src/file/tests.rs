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
