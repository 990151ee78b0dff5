//! Prepares the data that all runs share: the programs, repositories, fake kernels, an index to copy, and a full disk.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a new fault changes only what it is about; everything else stays as without a fault"
)]

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::fs::{FileType, Mode};
use tempfile::TempDir;

use super::fault::Fault;
use crate::root;

const SOURCE: &str = "/// Limits retries of a request.\npub fn enforce_retry_budget(tries: u32) -> bool {\n    tries < 3\n}\n";

pub(super) struct Templates {
    folder: TempDir,
    /// The folder that contains `adjutant-hook` and `adjutant`.
    pub(super) programs: PathBuf,
    pub(super) full_disk: Option<PathBuf>,
    pub(super) is_root: bool,
}

impl Templates {
    pub(super) fn make(programs: Option<&Path>) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("adjutant-campaign-").tempdir()?;
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))?;
        let is_root = rustix::process::geteuid().is_root();
        let mut templates =
            Self { folder, programs: find_programs(programs)?, full_disk: None, is_root };
        templates.make_repositories()?;
        templates.make_kernels()?;
        templates.full_disk = templates.mount_full_disk();
        templates.build_index()?;
        Ok(templates)
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn repository(&self, fault: Fault) -> PathBuf {
        self.path().join("repositories").join(match fault {
            Fault::RepositoryPipes => "pipes",
            Fault::RepositoryDevices => "devices",
            Fault::RepositoryDeep => "deep",
            Fault::RepositoryHuge => "huge",
            _ => "plain",
        })
    }

    pub(super) fn kernel(&self, name: &str) -> PathBuf {
        self.path().join("kernels").join(name)
    }

    /// Returns the cache folder that contains an index of the plain repository.
    pub(super) fn cache(&self) -> PathBuf {
        self.path().join("cache")
    }

    fn make_repositories(&self) -> io::Result<()> {
        for fault in [
            Fault::None,
            Fault::RepositoryPipes,
            Fault::RepositoryDevices,
            Fault::RepositoryDeep,
            Fault::RepositoryHuge,
        ] {
            let repository = self.repository(fault);
            fs::create_dir_all(repository.join("src"))?;
            fs::write(repository.join("src/retry_budget.rs"), SOURCE)?;
            git(&repository, &["init", "-q"])?;
            git(&repository, &["add", "src"])?;
            git(&repository, &["-c", "user.name=c", "-c", "user.email=c@c", "commit", "-qm", "c"])?;
        }
        let pipes = self.repository(Fault::RepositoryPipes);
        fs::create_dir(pipes.join("config"))?;
        for name in [".gitignore", ".ignore", "src/.ignore", "config/auto-tools.yaml", "src/a.rs"] {
            let mode = Mode::from_raw_mode(0o666);
            rustix::fs::mknodat(rustix::fs::CWD, pipes.join(name), FileType::Fifo, mode, 0)?;
        }
        let devices = self.repository(Fault::RepositoryDevices);
        fs::create_dir(devices.join("config"))?;
        for name in [".gitignore", ".ignore", "src/.rgignore", "config/auto-tools.yaml", "src/a.rs"]
        {
            symlink("/dev/zero", devices.join(name))?;
        }
        self.make_large_repositories()
    }

    fn make_large_repositories(&self) -> io::Result<()> {
        let mut folder = self.repository(Fault::RepositoryDeep);
        // The nested folders add 3,000 bytes, so that the path stays below its maximum length of 4,096 bytes.
        for _ in 0..1_500 {
            folder.push("d");
        }
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("a.rs"), SOURCE)?;
        let huge = self.repository(Fault::RepositoryHuge);
        fs::write(huge.join("one_line.js"), "retry_budget(".repeat(1_000_000))?;
        fs::File::create(huge.join("hole.rs"))?.set_len(1 << 40)?;
        fs::write(huge.join(".gitignore"), "*.o\n".repeat(200_000))
    }

    fn make_kernels(&self) -> io::Result<()> {
        fs::create_dir(self.path().join("kernels"))?;
        for (name, script) in [
            ("hang", "sleep 600 & sleep 600"),
            ("hang-deaf", "trap '' TERM INT HUP; sleep 600 & cat >/dev/null; sleep 600"),
            ("hang-half", "printf '{\"schema_version\":'; sleep 600"),
            ("crash-segv", "kill -SEGV $$"),
            ("crash-abrt", "echo '{}'; kill -ABRT $$"),
            ("crash-2", "exit 2"),
            ("crash-255", "echo failed >&2; exit 255"),
            ("garbage-bytes", "head -c 5000 /dev/urandom"),
            ("garbage-empty", "exit 0"),
            ("garbage-types", "echo '{\"schema_version\":1,\"fused_context\":[]}'"),
            ("garbage-two", "echo '{}{}'"),
            ("garbage-deep", "head -c 100000 /dev/zero | tr '\\0' '['"),
            ("garbage-block", "echo '{\"decision\":\"block\",\"continue\":false}'"),
            ("flood-stdout", "exec yes"),
            ("flood-stderr", "yes >&2"),
            ("flood-large", "head -c 30000000 /dev/zero"),
        ] {
            let path = self.kernel(name);
            fs::write(&path, format!("#!/bin/sh\n{script}\n"))?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
        Ok(())
    }

    /// Mounts a file system and fills it completely. Returns `None` if mounting is not allowed.
    fn mount_full_disk(&self) -> Option<PathBuf> {
        let disk = self.path().join("full-disk");
        fs::create_dir(&disk).ok()?;
        let mount = ["-t", "tmpfs", "-o", "size=64k,nr_inodes=64,mode=0777", "tmpfs"];
        let mounted =
            command("mount").args(mount).arg(&disk).stderr(Stdio::null()).status().ok()?;
        // Fills the disk. This write is expected to fail.
        drop(fs::write(disk.join("filler"), vec![0; 1 << 20]));
        mounted.success().then_some(disk)
    }

    fn build_index(&self) -> io::Result<()> {
        let status = command(self.programs.join("adjutant"))
            .args(["index", "--quiet", "-C"])
            .arg(self.repository(Fault::None))
            .env("ADJUTANT_CACHE_DIR", self.cache())
            .env("HOME", self.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        if status.success() { Ok(()) } else { Err(io::Error::other("`adjutant index` failed")) }
    }
}

impl Drop for Templates {
    fn drop(&mut self) {
        if let Some(disk) = &self.full_disk {
            drop(command("umount").arg(disk).status());
        }
    }
}

/// Returns the folder that contains the programs: the given folder, otherwise the release build if it exists,
/// otherwise the dev build.
fn find_programs(named: Option<&Path>) -> io::Result<PathBuf> {
    let folders = match named {
        Some(folder) => vec![folder.to_owned()],
        None => ["target/release", "target/debug"].map(|folder| root().join(folder)).to_vec(),
    };
    let has_both = |folder: &PathBuf| {
        folder.join("adjutant-hook").exists() && folder.join("adjutant").exists()
    };
    let folder = folders.into_iter().find(has_both).ok_or_else(|| {
        io::Error::other("there is no built `adjutant-hook`; run `cargo build --release` first")
    })?;
    folder.canonicalize()
}

fn git(repository: &Path, arguments: &[&str]) -> io::Result<()> {
    let status = command("git").args(arguments).current_dir(repository).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("git {arguments:?}"))) }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a chore starts programs; it is not part of the product"
)]
pub(super) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    Command::new(program)
}
