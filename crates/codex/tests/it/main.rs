//! Unattended sessions from outside: a description in, a record on disk and an outcome back (C1–C8).

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod arguments;
mod bad_luck;
mod commit;
mod leaks;
mod patch;
mod run;
mod stage;
