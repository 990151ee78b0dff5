use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;

use super::*;

const PLAIN: OFlags = OFlags::NONBLOCK;

type Opener = fn(BorrowedFd<'_>, &Path, Links, OFlags) -> Result<File, Errno>;

/// The implementation of this system and the one that works on every system.
const OPENERS: [(&str, Opener); 2] = [("system", open), ("walk", walk)];

fn content(file: Result<File, Errno>) -> Result<String, Errno> {
    let mut text = String::new();
    file?.read_to_string(&mut text).unwrap();
    Ok(text)
}

#[test]
fn a50_both_implementations_follow_links_only_beneath_the_root() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "secret").unwrap();
    let inside = tempfile::tempdir().unwrap();
    let path = |name: &str| inside.path().join(name);
    fs::create_dir_all(path("a/b")).unwrap();
    fs::write(path("a/b/file"), "file").unwrap();
    fs::write(path("top"), "top").unwrap();
    let links = [
        ("near", "top"),
        ("deep", "a/b/file"),
        ("folder", "a/b"),
        ("a/b/back", "../../top"),
        ("a/up", ".."),
        ("a/b/out", "../../../x"),
        ("chain", "folder/back"),
        ("loop", "loop"),
    ];
    for (name, target) in links {
        symlink(target, path(name)).unwrap();
    }
    symlink(outside.path(), path("away")).unwrap();
    symlink(path("top"), path("absolute")).unwrap();
    let root = File::open(inside.path()).unwrap();
    let cases: [(&str, Result<&str, Errno>); 16] = [
        ("top", Ok("top")),
        ("./a/./b/file", Ok("file")),
        ("near", Ok("top")),
        ("deep", Ok("file")),
        ("folder/file", Ok("file")),
        ("a/b/back", Ok("top")),
        ("a/up/top", Ok("top")),
        ("chain", Ok("top")),
        ("absent", Err(Errno::NOENT)),
        ("top/below", Err(Errno::NOTDIR)),
        ("loop", Err(Errno::LOOP)),
        ("away/secret", Err(Errno::XDEV)),
        ("absolute", Err(Errno::XDEV)),
        ("a/b/out", Err(Errno::XDEV)),
        ("..", Err(Errno::XDEV)),
        ("a/../../x", Err(Errno::XDEV)),
    ];
    for (which, opener) in OPENERS {
        for (name, expected) in cases {
            let found = content(opener(root.as_fd(), Path::new(name), Links::Follow, PLAIN));
            assert_eq!(found, expected.map(str::to_owned), "{which}: {name}");
        }
    }
}

#[test]
fn a50_both_implementations_refuse_links_if_asked_to() {
    let inside = tempfile::tempdir().unwrap();
    fs::create_dir(inside.path().join("folder")).unwrap();
    fs::write(inside.path().join("folder/file"), "file").unwrap();
    symlink("folder", inside.path().join("link")).unwrap();
    symlink("folder/file", inside.path().join("last")).unwrap();
    let root = File::open(inside.path()).unwrap();
    for (which, opener) in OPENERS {
        let open = |name: &str, flags| opener(root.as_fd(), Path::new(name), Links::Refuse, flags);
        assert_eq!(content(open("folder/file", PLAIN)).unwrap(), "file", "{which}");
        for name in ["link/file", "last"] {
            assert_eq!(open(name, PLAIN).unwrap_err(), Errno::LOOP, "{which}: {name}");
        }
        for name in [".", "folder"] {
            assert!(open(name, OFlags::DIRECTORY).is_ok(), "{which}: {name}");
        }
        assert_eq!(open("link", OFlags::DIRECTORY).unwrap_err(), Errno::LOOP, "{which}");
        let error = open("folder/file", OFlags::DIRECTORY).unwrap_err();
        assert_eq!(error, Errno::NOTDIR, "{which}");
    }
}

/// A thread replaces a folder with a link to another folder and back, while files beneath the folder are opened.
#[test]
fn a50_a_component_that_is_replaced_with_a_link_does_not_lead_outside() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("file"), "outside").unwrap();
    let inside = tempfile::tempdir().unwrap();
    let path = |name: &str| inside.path().join(name);
    fs::create_dir(path("real")).unwrap();
    fs::write(path("real/file"), "inside").unwrap();
    symlink(outside.path(), path("link")).unwrap();
    let root = File::open(inside.path()).unwrap();
    let is_done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                for name in ["real", "link"] {
                    fs::rename(path(name), path("folder")).unwrap();
                    fs::rename(path("folder"), path(name)).unwrap();
                }
            }
        });
        for (which, opener) in OPENERS {
            for links in [Links::Follow, Links::Refuse] {
                for _ in 0..2_000 {
                    let file = opener(root.as_fd(), Path::new("folder/file"), links, PLAIN);
                    assert_ne!(content(file).as_deref(), Ok("outside"), "{which}");
                }
            }
        }
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}
