//! From C to rules on any bytes: `cargo +nightly fuzz run c_translate`.

#![no_main]

use clausal::c::options::Options;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for snippet in [false, true] {
        let options = Options {
            snippet,
            ..Options::default()
        };
        let reading = clausal::c::translate(text, &options);
        clausal::diagnostics::render(&reading.diagnostics, "fuzz.c", text);
    }
});
