//! Writers, readers, and what becomes of damaged files.
