//! libFuzzer runs `fuzz_targets::index_store`.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::index_store(bytes));
