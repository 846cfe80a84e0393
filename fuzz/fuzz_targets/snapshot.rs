#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| alloclab_fuzz::read_and_write_snapshot(data));
