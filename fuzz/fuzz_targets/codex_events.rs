//! libFuzzer runs `fuzz_targets::codex_events`.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::codex_events(bytes));
