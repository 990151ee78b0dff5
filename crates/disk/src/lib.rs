//! Reads files up to a maximum size, replaces files atomically, and creates folders that only the user can change.
//!
//! Every file that the program reads is a regular file, is opened without blocking, and is read up to a maximum size. Every
//! folder in which the program stores its data belongs to the user, and other users cannot write to it.

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
compile_error!("Adjutant supports Linux and macOS; on Windows, use WSL (docs/design/platforms.md)");

mod file;
mod folder;
mod metadata;
mod replace;
mod root;

pub use file::{FileEnd, Links, open_file, read, read_end_of_own_file, read_start, read_text};
pub use folder::{check_private_folder, create_private_folder, free_bytes};
pub use metadata::{FileMetadata, TreeMetadata};
pub use replace::{Replacement, replace_file};
pub use root::{PathRefusal, Root, WriteRefusal};
