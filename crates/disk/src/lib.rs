//! Reading files and creating folders so that no file can block or flood the program and no other user can change its folders.
//!
//! Every file that the program reads is a regular file, is opened without waiting, and is read up to a bound. Every folder of
//! the user's that the program keeps things in belongs to the user and is writable by nobody else.

mod file;
mod folder;

pub use file::{Links, open_file, read, read_start, read_text};
pub use folder::{check_private_folder, create_private_folder};
