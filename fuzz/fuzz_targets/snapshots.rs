//! libFuzzer runs `fuzz_targets::snapshots`.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::snapshots(bytes));
