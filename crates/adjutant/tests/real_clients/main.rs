//! Adjutant in the real Claude Code and the real Codex, checked by the requests that the model gets (A4, A6, A8,
//! A40).
//!
//! These tests check the integration; other tests check the quality of a briefing.

mod briefing;
mod broken_kernel;
mod codex_auto;
mod every_client;
mod fixture;
mod hostile_programs;
mod malicious;
mod mcp;
mod newcomer;
mod packages;
mod plugin;
mod session;
mod tool_hooks;
mod unattended;
mod verify;
