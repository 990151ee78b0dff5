//! Tests the lifecycle of tool calls through the public interface.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod bad_input;
mod clients;
mod counts;
mod exit_codes;
mod fixture;
mod one_path;
mod same_object;
mod search_path;
mod trusted;
mod unreadable;
