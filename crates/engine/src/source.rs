//! How the engine reaches the files of a repository: it is told which it may read and how to open them.

use std::fs::File;
use std::io;
use std::path::Path;

pub struct Source<'a> {
    pub root: &'a Path,
    /// False for files that are never quoted.
    pub admits: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Opens a file beneath the root, by handle, to search it.
    pub open: &'a (dyn Fn(&Path) -> io::Result<File> + Sync),
    /// Asked before anything of a file is quoted: what it holds and what a link leads to is looked at as well.
    pub to_quote: &'a (dyn Fn(&Path) -> ToQuote + Sync),
}

/// What may be shown of a file.
#[derive(Debug)]
pub enum ToQuote {
    /// Its text.
    Text(File),
    /// That it is there: it is binary, too large, or cannot be read now.
    Path,
    /// Nothing.
    Nothing,
}
