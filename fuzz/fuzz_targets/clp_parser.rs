//! The reader of CLP rules on any bytes: `cargo +nightly fuzz run clp_parser`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let reading = clausal::clp::read(text);
    clausal::diagnostics::render(&reading.diagnostics, "fuzz.clp", text);
});
