//! libFuzzer runs `fuzz_targets::hook_files`.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::hook_files(bytes));
