//! libFuzzer runs `fuzz_targets::patches`.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::patches(bytes));
