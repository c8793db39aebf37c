//! `clausal infer`: invariants at loop headers, ends of runs and wherever else they are wanted.

use super::answer::{Answer, Failure, Refusal, answer, give};
use super::arguments::InferArguments;
use super::c_input::CProgram;
use super::deadline::Deadline;
use super::exit::Exit;
use super::input::{Input, name_of};
use super::interrupt::Interrupt;
use super::iterations::Iterations;
use super::output;
use super::spinner::Spinner;
use clausal::c::options::{Arithmetic, Blocks, Floats, Undefined};
use clausal::c::source_map::PredicateSource;
use clausal::c::types::DataModel;
use clausal::evidence::CheckLimits;
use clausal::infer::{FoundInvariant, Inference, Notation, Options, PlaceInvariants, Status, infer};
use clausal::rules::{PredicateId, Program};
use clausal::source_level::{ERROR_IS_NOT_REACHED, WitnessInvariant, WitnessTask, witness};
use serde_json::{Value, json};
use std::time::SystemTime;

/// Runs the command.
pub fn run(arguments: InferArguments, interrupt: &Interrupt) -> Exit {
    let deadline = Deadline::after(arguments.timeout, interrupt);
    let (json, name) = (arguments.json, name_of(&arguments.file));
    let spinner = Spinner::start(format!("Inferring invariants of {name}"));
    let (for_command, for_both) = (deadline.clone(), interrupt.clone());
    let found = answer(
        &deadline,
        &interrupt.cancellation,
        move || run_file(&arguments, &for_both, &for_command),
        |reason| Err(Failure::stopped("nothing is inferred", &reason)),
    );
    drop(spinner);
    give(found, json, &name)
}

/// What is looked at, and how its places are called.
struct Subject {
    name: String,
    program: Program,
    notation: Notation,
    /// For C: the names of parameters, and the line of each predicate.
    names: Vec<Option<Vec<String>>>,
    lines: Vec<Option<u32>>,
    /// For C: the loops' names of parameters as witnesses have them.
    scopes: Vec<Option<Scope>>,
    is_32_bit: bool,
    /// For C: the text before the preprocessor.
    as_written: String,
}

/// A loop's function, and what C calls the parameters of its predicate there, if anything.
struct Scope {
    function: String,
    names: Vec<Option<String>>,
}

impl Scope {
    fn new(function: &str, variables: &[String]) -> Scope {
        let name = |variable: &String| {
            let own = variable.strip_prefix(function).and_then(|rest| rest.strip_prefix("::"));
            let name = own.unwrap_or(variable);
            let is_identifier = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            is_identifier.then(|| name.to_string())
        };
        Scope {
            function: function.to_string(),
            names: variables.iter().map(name).collect(),
        }
    }
}

impl Subject {
    fn load(arguments: &InferArguments, deadline: &Deadline) -> Result<Subject, Failure> {
        let input = match Input::load(&arguments.file, arguments.from, &arguments.c, deadline)? {
            Input::Rules(input) => input,
            Input::C(program) => return Ok(Subject::of_c(&program, arguments)?),
        };
        Ok(Subject {
            program: input.program(!arguments.quiet)?,
            name: input.name,
            notation: Notation::Clp,
            names: Vec::new(),
            lines: Vec::new(),
            scopes: Vec::new(),
            is_32_bit: false,
            as_written: String::new(),
        })
    }

    /// C, with all its variables: those that do not matter any more have invariants, too.
    fn of_c(input: &CProgram, arguments: &InferArguments) -> Result<Subject, Refusal> {
        let mut options = input.options(&arguments.c, Undefined::GoesOn);
        options.slice = false;
        options.blocks = Blocks::Loops;
        // A witness speaks of C as it is, and of variables in scope: those that are used after a place are.
        if arguments.witness.is_none() {
            options.keep_variables = true;
            options.floats = Floats::Real;
            if arguments.c.arith.is_none() {
                options.arithmetic = Arithmetic::Ideal;
            }
        }
        let translation = input.translation(&options, !arguments.quiet)?;
        let places = input.places();
        let sources = &translation.map.predicates;
        let line = |source: &PredicateSource| places.of(source.place.span).line;
        let lines = sources.iter().map(|source| source.as_ref().map(line));
        let names = sources
            .iter()
            .map(|source| source.as_ref().map(|source| short(&source.variables)));
        let in_scope = sources.iter().map(|source| {
            let source = source.as_ref().filter(|source| source.is_loop_header)?;
            let function = translation.map.functions.get(source.place.function as usize)?;
            Some(Scope::new(function, &source.variables))
        });
        Ok(Subject {
            scopes: in_scope.collect(),
            is_32_bit: options.model == DataModel::Ilp32,
            lines: lines.collect(),
            names: names.collect(),
            name: input.name.clone(),
            program: translation.program,
            notation: Notation::C,
            as_written: input.as_written().to_string(),
        })
    }

    /// A place as it is called in the output.
    fn label(&self, inference: &Inference, place: &PlaceInvariants) -> String {
        let of = place.exit_of.or(place.return_of).unwrap_or(place.place);
        match (self.lines.get(of.index()).copied().flatten(), place.exit_of) {
            (Some(line), _) if place.return_of.is_some() => format!("{}:{line}: return of calls", self.name),
            (Some(line), None) if is_called(inference, place) => format!("{}:{line}: calls", self.name),
            (Some(line), Some(exit)) if exit == place.place => format!("{}:{line}: end", self.name),
            (Some(line), Some(_)) => format!("{}:{line}: end of runs after this place", self.name),
            (Some(line), None) => format!("{}:{line}: loop", self.name),
            (None, _) => inference.program.predicate_label(place.place),
        }
    }

    /// The predicates that the user names: by a line of C, a mark `[L]` in its text, or their names.
    fn wanted(&self, names: &[String]) -> Result<Vec<PredicateId>, String> {
        let all = || (2..self.program.predicates().len()).map(PredicateId::from_index);
        let mut found = Vec::new();
        for name in names {
            let marked = |line: &str| line.contains(&format!("[{name}]"));
            let line = name.parse().ok().or_else(|| {
                let position = self.as_written.lines().position(marked);
                position.map(|position| position as u32 + 1)
            });
            let before = found.len();
            found.extend(all().filter(|id| {
                let at = self.lines.get(id.index()).copied().flatten();
                let named = self.program.predicate_label(*id) == *name || self.program.predicate(*id).name == *name;
                named || (line.is_some() && at == line)
            }));
            if found.len() == before {
                let known: Vec<String> = all()
                    .map(|id| match self.lines.get(id.index()).copied().flatten() {
                        Some(line) => format!("{} (line {line})", self.program.predicate_label(id)),
                        None => self.program.predicate_label(id),
                    })
                    .collect();
                return Err(format!("there is no place `{name}`; there are: {}", known.join(", ")));
            }
        }
        Ok(found)
    }
}

/// Whether a place is where something is called, and comes back from.
fn is_called(inference: &Inference, place: &PlaceInvariants) -> bool {
    inference
        .places
        .iter()
        .any(|other| other.return_of == Some(place.place))
}

/// The names without their functions, where they are different all the same.
fn short(names: &[String]) -> Vec<String> {
    let last = |name: &String| name.rsplit("::").next().unwrap_or(name).to_string();
    let shortened: Vec<String> = names.iter().map(last).collect();
    let unique = |name: &String| shortened.iter().filter(|other| *other == name).count() == 1;
    let pairs = shortened.iter().zip(names);
    pairs
        .map(|(short, long)| if unique(short) { short.clone() } else { long.clone() })
        .collect()
}

fn run_file(arguments: &InferArguments, interrupt: &Interrupt, deadline: &Deadline) -> Result<Answer, Failure> {
    let subject = Subject::load(arguments, deadline)?;
    if let Some(path) = &arguments.witness {
        if subject.notation != Notation::C {
            return Err("only C has witnesses".to_string().into());
        }
        output::check_target(path)?;
    }
    let wanted = subject.wanted(&arguments.at)?;
    interrupt.arm();
    let inference = infer(&subject.program, &wanted, &options(arguments, &subject, interrupt))?;
    let text = if arguments.json {
        format!("{}\n", json(&subject, &inference, arguments))
    } else {
        text(&subject, &inference, &wanted, arguments)
    };
    let written = match &arguments.witness {
        Some(path) => output::write_file(path, &witness_of(&subject, &inference)),
        None => Ok(()),
    };
    Ok(Answer::new(text, Exit::Success).after_writing(written))
}

/// What was proved of the loops, as a witness.
fn witness_of(subject: &Subject, inference: &Inference) -> String {
    let mut invariants = Vec::new();
    let is_loop = |place: &&PlaceInvariants| place.exit_of.is_none() && place.return_of.is_none();
    for place in inference.places.iter().filter(is_loop) {
        let scope = subject.scopes.get(place.place.index()).and_then(Option::as_ref);
        let line = subject.lines.get(place.place.index()).copied().flatten();
        let (Some(scope), Some(line)) = (scope, line) else {
            continue;
        };
        for found in place.invariants.iter().filter(|found| found.status == Status::Proved) {
            invariants.extend(
                inference
                    .c_expression(found, &scope.names)
                    .map(|expression| WitnessInvariant {
                        line,
                        column: None,
                        function: scope.function.clone(),
                        expression,
                    }),
            );
        }
    }
    let task = WitnessTask {
        file: &subject.name,
        content: subject.as_written.as_bytes(),
        is_32_bit: subject.is_32_bit,
        specification: ERROR_IS_NOT_REACHED,
    };
    witness(task, SystemTime::now(), &invariants)
}

fn options(arguments: &InferArguments, subject: &Subject, interrupt: &Interrupt) -> Options {
    let mut options = Options {
        degree: arguments.degree,
        bound: arguments.bound,
        further_terms: arguments.term.clone(),
        count: arguments.count,
        induction_depth: arguments.induction_depth.into(),
        goal_directed: arguments.goal_directed,
        names: subject.names.clone(),
        cancellation: interrupt.cancellation.clone(),
        ..Options::default()
    };
    if !arguments.kinds.is_empty() {
        options.kinds = arguments.kinds.iter().map(|kind| (*kind).into()).collect();
    }
    if let Some(time) = arguments.timeout {
        // Reading has taken some of it, and what was found is still to be checked and written.
        options.time = time * 9 / 10;
    }
    options
}

fn shown<'a>(inference: &'a Inference, wanted: &'a [PredicateId]) -> impl Iterator<Item = &'a PlaceInvariants> {
    inference
        .places
        .iter()
        .filter(|place| wanted.is_empty() || wanted.contains(&place.return_of.unwrap_or(place.place)))
}

fn words(found: &FoundInvariant) -> String {
    match found.status {
        Status::Proved if found.induction_depth > 1 => format!("proved ({}-induction)", found.induction_depth),
        Status::Proved => "proved".to_string(),
        Status::HoldsToDepth(depth) => format!("holds to depth {depth}"),
        Status::Seen => "holds in all states seen".to_string(),
    }
}

fn text(subject: &Subject, inference: &Inference, wanted: &[PredicateId], arguments: &InferArguments) -> String {
    let mut text = String::new();
    for place in shown(inference, wanted) {
        text.push_str(&format!("{}\n", subject.label(inference, place)));
        if place.invariants.is_empty() {
            text.push_str("    nothing found\n");
        }
        let left_out = inference.left_out(place);
        if !left_out.is_empty() {
            text.push_str(&format!("    nothing is said of {}\n", left_out.join(", ")));
        }
        let width = place
            .invariants
            .iter()
            .map(|found| words(found).len())
            .max()
            .unwrap_or(0);
        for found in &place.invariants {
            let formula = inference.text(place, found, subject.notation);
            text.push_str(&format!("    {:width$}  {formula}\n", words(found)));
        }
        if let Some(iterations) = Iterations::of(inference, place, arguments) {
            text.push_str(&iterations.text(subject.notation));
        }
    }
    let statistics = &inference.statistics;
    if !inference.assertions.is_empty() {
        let excluded = inference.assertions.iter().filter(|(_, excluded)| *excluded).count();
        text.push_str(&format!(
            "{excluded} of {} rules into the error excluded\n",
            inference.assertions.len()
        ));
    }
    if arguments.certify {
        text.push_str(&format!("{}\n", checked(inference)));
    }
    text.push_str(&format!(
        "{} states seen, symbolic states to depth {}, {} candidates refuted, {:.2} s\n",
        statistics.states, statistics.symbolic_depth, statistics.refuted, statistics.seconds
    ));
    text
}

fn json(subject: &Subject, inference: &Inference, arguments: &InferArguments) -> Value {
    let places: Vec<Value> = inference
        .places
        .iter()
        .map(|place| {
            let invariants: Vec<Value> = place
                .invariants
                .iter()
                .map(|found| {
                    json!({
                        "formula": inference.text(place, found, subject.notation),
                        "kind": format!("{:?}", found.kind()).to_lowercase(),
                        "status": words(found),
                        "proved": found.status == Status::Proved,
                    })
                })
                .collect();
            let mut described = json!({
                "place": inference.program.predicate_label(place.place),
                "line": subject.lines.get(place.exit_of.or(place.return_of).unwrap_or(place.place).index()).copied().flatten(),
                "exit": place.exit_of.is_some(),
                "return": place.return_of.is_some(),
                "states": place.states,
                "left_out": inference.left_out(place),
                "invariants": invariants,
            });
            let iterations = Iterations::of(inference, place, arguments);
            if let Some(iterations) = &iterations {
                described["iterations"] = iterations.json(subject.notation);
            }
            if !arguments.implies.is_empty() {
                described["implies"] = json!(implied(inference, place, iterations.as_ref(), &arguments.implies));
            }
            described
        })
        .collect();
    let checked = arguments.certify.then(|| checked(inference));
    let assertions: Vec<bool> = inference.assertions.iter().map(|(_, excluded)| *excluded).collect();
    json!({
        "file": subject.name,
        "places": places,
        "assertions": assertions,
        "certificate": checked,
        "seconds": inference.statistics.seconds,
    })
}

/// For each formula that the user gives: `proved`, `found` or `no`, or why it has no meaning here.
fn implied(
    inference: &Inference,
    place: &PlaceInvariants,
    iterations: Option<&Iterations<'_>>,
    formulas: &[String],
) -> Vec<String> {
    let cases = iterations.map_or(&[][..], |iterations| iterations.cases());
    let one = |formula: &String| match inference.implies(place, cases, formula) {
        Ok(Some(Status::Proved)) => "proved".to_string(),
        Ok(Some(_)) => "found".to_string(),
        Ok(None) => "no".to_string(),
        Err(problem) => problem,
    };
    formulas.iter().map(one).collect()
}

/// What the independent checker says of what was proved.
fn checked(inference: &Inference) -> String {
    match inference.check(CheckLimits::default()) {
        Ok(report) => format!("certificate accepted; obligations checked: {}", report.obligations),
        Err(error) => format!("certificate: {error}"),
    }
}
