//! How the engine reaches the files of a repository: it is told which it may read and how to open them.

use std::fs::File;
use std::io;
use std::path::Path;

pub struct Source<'a> {
    pub root: &'a Path,
    /// False for files that are never quoted.
    pub admits: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Opens a file beneath the root, by handle.
    pub open: &'a (dyn Fn(&Path) -> io::Result<File> + Sync),
}
