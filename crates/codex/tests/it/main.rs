//! Unattended sessions from outside: a description in, a record on disk and an outcome back (C1–C8).

mod arguments;
mod bad_luck;
mod leaks;
mod run;
mod stage;
