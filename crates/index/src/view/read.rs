//! The text of a file as it lies in the tree now.

use std::io;

use disk::Links;

use super::{FileId, View};

/// More of a file than this is never shown to anyone.
const MAX_READ: u64 = 16 * 1024 * 1024;

impl View {
    /// The bytes of a file in the working tree, cut at a bound. A path that leads out of the root is refused.
    pub fn read(&self, id: FileId) -> io::Result<Vec<u8>> {
        let path = self.root.join(self.path(id));
        let real = path.canonicalize()?;
        if !real.starts_with(self.root.canonicalize()?) {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "path leads out of the repository",
            ));
        }
        disk::read_start(&real, Links::Refuse, MAX_READ)
    }
}
