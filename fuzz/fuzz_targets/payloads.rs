//! libFuzzer runs `fuzz_targets::payloads`.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::payloads(bytes));
