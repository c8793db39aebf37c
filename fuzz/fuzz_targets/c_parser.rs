//! The C parser on any bytes: `cargo +nightly fuzz run c_parser`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for snippet in [false, true] {
        let arena = bumpalo::Bump::new();
        let reading = clausal::c::parser::parse(&arena, text, snippet);
        clausal::diagnostics::render(&reading.diagnostics, "fuzz.c", text);
    }
});
