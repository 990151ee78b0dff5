//! The targets of a release, with their names in Rust and npm.

use super::VERSION;
use super::npm::LAUNCHER;

pub(super) struct Target {
    pub(super) triple: &'static str,
    /// The platform's name in node.
    pub(super) os: &'static str,
    pub(super) cpu: &'static str,
    /// The oldest glibc version with which the programs must run. `None` on macOS.
    pub(super) glibc: Option<Glibc>,
}

/// A version of the GNU C library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Glibc(pub(super) u32, pub(super) u32);

/// The version of glibc in CentOS 7. It is older than the version in every system that the clients support.
const OLDEST_GLIBC: Option<Glibc> = Some(Glibc(2, 17));

/// All targets. The first one is the default.
pub(super) const TARGETS: [Target; 4] = [
    Target { triple: "x86_64-unknown-linux-gnu", os: "linux", cpu: "x64", glibc: OLDEST_GLIBC },
    Target { triple: "aarch64-unknown-linux-gnu", os: "linux", cpu: "arm64", glibc: OLDEST_GLIBC },
    Target { triple: "x86_64-apple-darwin", os: "darwin", cpu: "x64", glibc: None },
    Target { triple: "aarch64-apple-darwin", os: "darwin", cpu: "arm64", glibc: None },
];

impl Target {
    /// Returns the name of the top-level folder in the archive.
    pub(super) fn archive_folder(&self) -> String {
        format!("adjutant-{VERSION}-{}", self.triple)
    }

    pub(super) fn archive_name(&self) -> String {
        format!("{}.tar.xz", self.archive_folder())
    }

    pub(super) fn npm_name(&self) -> String {
        format!("{LAUNCHER}-{}-{}", self.os, self.cpu)
    }
}

impl std::fmt::Display for Glibc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}
