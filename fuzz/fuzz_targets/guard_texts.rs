//! libFuzzer runs `fuzz_targets::guard_texts`.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::guard_texts(bytes));
