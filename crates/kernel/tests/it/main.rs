//! Tests of whole briefings in this process, without the programs: a request and a host in, a briefing out.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod direct_questions;
mod failures;
mod fixture;
mod fusion;
mod hooks;
mod plan;
mod root;
mod session;
mod settings;
mod trust;
