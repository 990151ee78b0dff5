//! The one life of a tool call through the crate's public interface.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod bad_input;
mod clients;
mod counts;
mod exit_codes;
mod one_path;
mod same_object;
mod stage;
mod trusted;
mod unreadable;
