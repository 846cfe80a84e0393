#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| -> libfuzzer_sys::Corpus {
    alloclab_fuzz::decode("postcard", data)
});
