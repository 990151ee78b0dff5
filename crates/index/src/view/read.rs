//! Reads the current content of a file.

use std::io;

use disk::Links;

use super::{FileId, View};

const MAX_READ_BYTES: u64 = 16 * 1024 * 1024;

impl View {
    /// Returns the first bytes of a file in the working tree, up to a limit. Fails if the path is outside the root.
    pub fn read(&self, id: FileId) -> io::Result<Vec<u8>> {
        let path = self.root.join(self.path(id));
        let real = path.canonicalize()?;
        if !real.starts_with(self.root.canonicalize()?) {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "path leads out of the repository",
            ));
        }
        disk::read_start(&real, Links::Refuse, MAX_READ_BYTES)
    }
}
