//! Adjutant in the real Claude Code and the real Codex, judged by the request the model got (A4, A6, A8, A40).
//!
//! Only the wiring: what a good briefing is, the other tests say.

mod briefing;
mod broken_kernel;
mod codex_auto;
mod hostile_programs;
mod malicious;
mod mcp;
mod newcomer;
mod plugin;
mod session;
mod stage;
mod tool_hooks;
mod unattended;
