//! The reader of witnesses of violations on any bytes: `cargo +nightly fuzz run witness`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    drop(clausal::source_level::read_violation_witness(text));
});
