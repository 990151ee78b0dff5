//! libFuzzer runs `fuzz_targets::json_rpc`.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::json_rpc(bytes));
