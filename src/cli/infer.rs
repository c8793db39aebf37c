//! `clausal infer`: invariants at loop headers, ends of runs and wherever else they are wanted.

use super::arguments::InferArguments;
use super::exit::Exit;
use super::input::Input;
use super::interrupt::Interrupt;
use super::output;
use super::spinner::Spinner;
use clausal::infer::{Inference, Notation, Options, PlaceInvariants, Status, complexity, infer};
use clausal::rules::{PredicateId, Program};
use serde_json::{Value, json};

/// Runs the command.
pub fn run(arguments: &InferArguments, interrupt: &Interrupt) -> Exit {
    match run_file(arguments, interrupt) {
        Ok(exit) => exit,
        Err(problem) => {
            output::complain(&format!("error: {problem}"));
            Exit::BadInput
        }
    }
}

fn run_file(arguments: &InferArguments, interrupt: &Interrupt) -> Result<Exit, String> {
    let input = Input::load(&arguments.file, arguments.from)?;
    let Some(program) = input.program(!arguments.quiet) else {
        return Ok(Exit::BadInput);
    };
    let wanted = wanted(&program, &arguments.at)?;
    interrupt.arm();
    let spinner = Spinner::start(format!("Inferring invariants of {}", input.name));
    let inference = infer(&program, &wanted, &options(arguments, interrupt))?;
    drop(spinner);
    let text = if arguments.json {
        format!("{}\n", json(&input.name, &inference))
    } else {
        text(&inference, &wanted, arguments.count)
    };
    output::print(&text)?;
    Ok(Exit::Success)
}

/// The predicates with the names that the user gives.
fn wanted(program: &Program, names: &[String]) -> Result<Vec<PredicateId>, String> {
    let all = || (2..program.predicates().len()).map(PredicateId::from_index);
    let mut found = Vec::new();
    for name in names {
        let before = found.len();
        found.extend(all().filter(|id| program.predicate_label(*id) == *name || program.predicate(*id).name == *name));
        if found.len() == before {
            let known: Vec<String> = all().map(|id| program.predicate_label(id)).collect();
            return Err(format!(
                "there is no predicate `{name}`; there are: {}",
                known.join(", ")
            ));
        }
    }
    Ok(found)
}

fn options(arguments: &InferArguments, interrupt: &Interrupt) -> Options {
    let mut options = Options {
        degree: arguments.degree,
        bound: arguments.bound,
        further_terms: arguments.term.clone(),
        count: arguments.count,
        cancellation: interrupt.cancellation.clone(),
        ..Options::default()
    };
    if !arguments.kinds.is_empty() {
        options.kinds = arguments.kinds.iter().map(|kind| (*kind).into()).collect();
    }
    if let Some(time) = arguments.timeout {
        options.time = time;
    }
    options
}

fn shown<'a>(inference: &'a Inference, wanted: &'a [PredicateId]) -> impl Iterator<Item = &'a PlaceInvariants> {
    inference
        .places
        .iter()
        .filter(|place| wanted.is_empty() || wanted.contains(&place.place))
}

fn words(status: Status) -> String {
    match status {
        Status::Proved => "proved".to_string(),
        Status::HoldsToDepth(depth) => format!("holds to depth {depth}"),
        Status::Seen => "holds in all states seen".to_string(),
    }
}

fn text(inference: &Inference, wanted: &[PredicateId], count: bool) -> String {
    let mut text = String::new();
    for place in shown(inference, wanted) {
        text.push_str(&format!("{}\n", inference.program.predicate_label(place.place)));
        if place.invariants.is_empty() {
            text.push_str("    nothing found\n");
        }
        let width = place
            .invariants
            .iter()
            .map(|found| words(found.status).len())
            .max()
            .unwrap_or(0);
        for found in &place.invariants {
            let formula = inference.text(place, found, Notation::Clp);
            text.push_str(&format!("    {:width$}  {formula}\n", words(found.status)));
        }
    }
    if count {
        text.push_str(&iterations(inference));
    }
    let statistics = &inference.statistics;
    text.push_str(&format!(
        "{} states seen, symbolic states to depth {}, {} candidates refuted, {:.2} s\n",
        statistics.states, statistics.symbolic_depth, statistics.refuted, statistics.seconds
    ));
    text
}

/// The number of iterations at every end of runs.
fn iterations(inference: &Inference) -> String {
    let mut text = String::new();
    for place in inference.places.iter().filter(|place| place.exit_of.is_some()) {
        let inputs = complexity::inputs(inference, place);
        let (cases, complete) = complexity::iterations(inference, place, &inputs, &[]);
        text.push_str(&format!(
            "{}: iterations\n",
            inference.program.predicate_label(place.place)
        ));
        for case in &cases {
            text.push_str(&format!("    {}\n", case.text(inference, place, Notation::Clp)));
        }
        if !complete {
            text.push_str("    other cases were seen for which no polynomial was found\n");
        }
    }
    text
}

fn json(name: &str, inference: &Inference) -> Value {
    let places: Vec<Value> = inference
        .places
        .iter()
        .map(|place| {
            let invariants: Vec<Value> = place
                .invariants
                .iter()
                .map(|found| {
                    json!({
                        "formula": inference.text(place, found, Notation::C),
                        "kind": format!("{:?}", found.kind()).to_lowercase(),
                        "status": words(found.status),
                        "proved": found.status == Status::Proved,
                    })
                })
                .collect();
            json!({
                "place": inference.program.predicate_label(place.place),
                "exit": place.exit_of.is_some(),
                "states": place.states,
                "invariants": invariants,
            })
        })
        .collect();
    let assertions: Vec<bool> = inference.assertions.iter().map(|(_, excluded)| *excluded).collect();
    json!({
        "file": name,
        "places": places,
        "assertions": assertions,
        "seconds": inference.statistics.seconds,
    })
}
