//! libFuzzer runs `fuzz_targets::yaml`.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::yaml(bytes));
