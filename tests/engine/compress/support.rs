//! What the tests share: C programs and rules, run with given inputs and compressed.

use clausal::c::Translation;
use clausal::c::options::{Arithmetic, Blocks, Options as COptions, Undefined};
use clausal::c::source_map::StepKind;
use clausal::c::translate;
use clausal::compress::{Compression, Listing, Options, RuleWording, Target, Trace, compress};
use clausal::execution::{End, Request};
use clausal::rules::Program;
use clausal::source_level::{Places, SourceWording, TARGET_FUNCTION, inputs_of, with_target};
use clausal::terms::{Rational, Value};

pub fn number(value: i64) -> Value {
    Value::Number(Rational::from_integer(value.into()))
}

/// A program of `examples/traces` with its name.
pub fn example(name: &str) -> String {
    let path = format!("{}/examples/traces/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The listing of a C program, run with one value for all inputs of each name and compressed.
pub fn compressed_c(text: &str, target: &str, inputs: &[(&str, i64)], options: &Options) -> Listing {
    let text = with_target(text, target, "main", false).expect("no mistake in it");
    let translation = translated(&text);
    let trace = run_c(&translation, inputs);
    assert_eq!(trace.end, End::Error, "the run gets to its target");
    let compression = compress(&translation.program, &trace, &Target::Error, options).expect("the target is implied");
    let places = Places::new("program.c", &text);
    let wording = SourceWording {
        translation: &translation,
        text: &text,
        places: &places,
    };
    Listing::new(&translation.program, &trace, &compression, &wording)
}

/// The same without words.
pub fn compressed_c_raw(text: &str, target: &str, inputs: &[(&str, i64)], options: &Options) -> Compression {
    let text = with_target(text, target, "main", false).expect("no mistake in it");
    let translation = translated(&text);
    let trace = run_c(&translation, inputs);
    compress(&translation.program, &trace, &Target::Error, options).expect("the target is implied")
}

pub fn translated(text: &str) -> Translation {
    let options = COptions {
        arithmetic: Arithmetic::Ideal,
        undefined: Undefined::GoesOn,
        blocks: Blocks::Basic,
        error_functions: vec![TARGET_FUNCTION.to_string()],
        ..COptions::default()
    };
    translate(text, &options).product.expect("no mistake in it")
}

fn run_c(translation: &Translation, inputs: &[(&str, i64)]) -> Trace {
    let name_of = |request: &Request| {
        let steps = &translation.map.rules[request.rule.index()].steps;
        steps.iter().find_map(|step| match &step.kind {
            StepKind::Input { variable, value, .. } if *value == request.variable => Some(variable.clone()),
            _ => None,
        })
    };
    let mut answer = |request: &Request| {
        let name = name_of(request)?;
        let name = name.rsplit("::").next().unwrap_or_default();
        let value = inputs.iter().find(|(known, _)| *known == name);
        Some(number(value.map_or(0, |(_, value)| *value)))
    };
    Trace::record(
        &translation.program,
        Some(&inputs_of(&translation.map)),
        &mut answer,
        1_000_000,
    )
    .expect("it can be run")
}

/// Rules, run with one value for all inputs and compressed.
pub fn compressed_rules(source: &str, input: i64, options: &Options) -> (Program, Trace, Compression) {
    let program = clausal::clp::read(source).product.expect("no mistake in it");
    let trace = Trace::record(&program, None, &mut |_| Some(number(input)), 1_000_000).expect("it can be run");
    let compression = compress(&program, &trace, &Target::Error, options).expect("the target is implied");
    (program, trace, compression)
}

/// The listing of rules.
pub fn listing(program: &Program, trace: &Trace, compression: &Compression) -> Listing {
    Listing::new(
        program,
        trace,
        compression,
        &RuleWording {
            program,
            with_calls: None,
        },
    )
}
