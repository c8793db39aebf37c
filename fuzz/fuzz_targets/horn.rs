//! The reader of SMT-LIB HORN on any bytes: `cargo +nightly fuzz run horn`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for reading in [clausal::horn::read(text), clausal::horn::read_with_calls(text)] {
        clausal::diagnostics::render(&reading.diagnostics, "fuzz.smt2", text);
    }
});
