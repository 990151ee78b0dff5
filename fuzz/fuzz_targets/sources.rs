//! libFuzzer runs `fuzz_targets::sources`.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::sources(bytes));
