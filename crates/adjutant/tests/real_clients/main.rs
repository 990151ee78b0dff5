//! Adjutant in the real clients. The tests check the requests that the model receives (A4, A6, A8, A40).
//!
//! These tests check the integration. Other tests check the quality of a briefing.

/// Defines a test module for each client, named `real_` and the name of the client, so that `cargo test real_gemini` runs one
/// client. The argument lists the names of the tests and the functions that they call.
macro_rules! every_client {
    ($tests:tt) => {
        every_client!(real_claude_code "claude-code" $tests);
        every_client!(real_codex "codex" $tests);
        every_client!(real_gemini "gemini" $tests);
        every_client!(real_qwen "qwen" $tests);
        every_client!(real_kimi "kimi" $tests);
        every_client!(real_copilot "copilot" $tests);
        every_client!(real_opencode "opencode" $tests);
        every_client!(real_pi "pi" $tests);
    };
    ($module:ident $word:literal { $($test:ident => $check:ident),* $(,)? }) => {
        mod $module {
            $(
                #[test]
                fn $test() {
                    super::$check($word);
                }
            )*
        }
    };
}

mod briefing;
mod broken_kernel;
mod codex_auto;
mod every_client;
mod fixture;
mod hostile_programs;
mod limits;
mod malicious;
mod mcp;
mod newcomer;
mod packages;
mod plugin;
mod queue;
mod session;
mod tool_hooks;
mod unattended;
mod verify;
