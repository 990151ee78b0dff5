//! Building from folders.
