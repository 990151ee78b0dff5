//! Tests of unattended sessions through the public interface (C1–C10).

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod arguments;
mod bad_luck;
mod commit;
mod leaks;
mod limits;
mod nested;
mod orders;
mod patch;
mod run;
mod stage;
