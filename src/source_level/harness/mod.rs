//! The harness: the program itself, with the counterexample's inputs put in, so that compiling and running it reaches the
//! error.
//!
//! The text stays as it is but for insertions: a call that reads an unknown value is wrapped so that it gives the value
//! recorded for this place, a variable that was read before it had a value gets it where it is declared, a function that
//! ends without a result gets one there, and the place of the error ends the program with [`REACHED`] as its exit code.
//! Definitions for all this stand behind the program.
//!
//! A harness may also be a test that reaches some lines; then the run need not end in an error, or end at all.
//!
//! Each place has a list of values of its own, so that calls elsewhere, whose values do not matter to the error and were
//! never asked for, do not disturb the order.

mod occurrences;
mod scans;
mod support;

use super::confirm::{ReadValue, follow, values_read};
use super::places::Places;
use super::verification::Verification;
use crate::c::options::{Calls, Options};
use crate::c::parser::parse;
use crate::c::program::{ErrorKind, Numeric, UnknownSource};
use crate::c::source_map::StepKind;
use crate::c::syntax::Span;
use crate::c::{Translation, is_of_mathematics, is_stream, translate};
use crate::deep_stack::on_deep_stack;
use crate::engine::Verdict;
use crate::evidence::Derivation;
use crate::rules::PredicateId;
use crate::terms::Value;
use bumpalo::Bump;
use hashbrown::{HashMap, HashSet};
use occurrences::{Call, Occurrences, Variable, occurrences};
use std::fmt;
use support::{Head, Site, library_function, support};

/// The exit code of a harness that has reached the error.
pub const REACHED: i32 = 99;

/// Why there is no harness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HarnessError {
    /// Only an UNSAFE has inputs.
    NotUnsafe,
    /// A snippet is no C program.
    Snippet,
    /// The integers of the rules are not those of C.
    IdealArithmetic,
    /// The text cannot be read as the C that was translated.
    Unreadable,
    /// What was found may come from an approximation.
    Approximated,
    /// An input of type `long double` is no `double`.
    LongDouble,
}

impl fmt::Display for HarnessError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            HarnessError::NotUnsafe => "only an UNSAFE has inputs that lead to the error",
            HarnessError::Snippet => "a snippet cannot be compiled; write it as a program with `main`",
            HarnessError::IdealArithmetic => {
                "a compiled program does not have integers without bounds; verify it with --arith machine"
            }
            HarnessError::Unreadable => "the text cannot be parsed",
            HarnessError::LongDouble => {
                "an input of type `long double` has a value that is no `double`, which is not written"
            }
            HarnessError::Approximated => "inputs of an approximated program may lead elsewhere in the compiled one",
        })
    }
}

impl std::error::Error for HarnessError {}

/// A text to put in at a position.
struct Insertion {
    position: usize,
    /// Whether what is inserted closes something that was opened before: then it comes before what opens here.
    closes: bool,
    /// How long what is between it and its counterpart is; of two around the same, the one made later is around the other.
    length: usize,
    text: String,
}

/// What a harness is for.
pub(super) enum Aim {
    /// To run into the error. If the run reads more values than matter, these do, by the place and the part of a variable.
    Error(Option<HashSet<(Span, String)>>),
    /// To be a test that reaches these lines.
    Lines(String),
}

/// The harness for an error that was found.
///
/// `name` is the file's name, for the comment at its head.
///
/// # Errors
///
/// There is no error that a compiled program could reach.
pub fn harness(
    name: &str,
    verification: &Verification,
    text: &str,
    places: &Places<'_>,
) -> Result<String, HarnessError> {
    let Verdict::Unsafe(derivation) = &verification.outcome.verdict else {
        return Err(HarnessError::NotUnsafe);
    };
    let options = &verification.options;
    can_be_compiled(options)?;
    let run = unsliced(verification, derivation, text);
    let matters = |read: ReadValue| (read.place.span, read.variable);
    let matter = run.as_ref().map(|_| {
        let read = values_read(&verification.translation, derivation);
        read.into_iter().map(matters).collect::<HashSet<_>>()
    });
    let (translation, derivation) = match &run {
        Some((translation, derivation)) => (translation, derivation),
        None => (&verification.translation, derivation),
    };
    let aim = Aim::Error(matter);
    harness_of_run(name, &aim, translation, options, derivation, text, places)
}

/// Whether a compiled program does what rules with these options say.
pub(super) fn can_be_compiled(options: &Options) -> Result<(), HarnessError> {
    if options.snippet {
        return Err(HarnessError::Snippet);
    }
    if options.arithmetic == crate::c::options::Arithmetic::Ideal {
        return Err(HarnessError::IdealArithmetic);
    }
    Ok(())
}

/// The harness for a run of rules that nothing was sliced away from, if that is possible.
pub(super) fn harness_of_run(
    name: &str,
    aim: &Aim,
    translation: &Translation,
    options: &Options,
    derivation: &Derivation,
    text: &str,
    places: &Places<'_>,
) -> Result<String, HarnessError> {
    // The text is read again, and may be nested deeply.
    let written = on_deep_stack(|| {
        let arena = Bump::new();
        let unit = parse(&arena, text, false).product.ok_or(HarnessError::Unreadable)?;
        let found = occurrences(&unit);
        let mut writer = Writer {
            text,
            assumed: Vec::new(),
            found: &found,
            insertions: Vec::new(),
            sites: Vec::new(),
            after: Vec::new(),
        };
        let mut read = values_read(translation, derivation);
        // What is not calculated has its value in the compiled program, whichever it is.
        read.retain(|read| !matches!(read.source, UnknownSource::NotCalculated(_)));
        if let Aim::Error(Some(matter)) = aim {
            // A part of a variable may not be one that can be written here.
            let is_part = |read: &ReadValue| read.variable.contains(['.', '[']);
            read.retain(|read| !is_part(read) || matter.contains(&(read.place.span, read.variable.clone())));
        }
        let read = writer.scans(read);
        for (key, values) in grouped(read, &found) {
            writer.input(&key, values, options);
        }
        let error = error_of(translation, derivation);
        if let Some((span, ErrorKind::Reached)) = error {
            writer.error(span);
        }
        writer.assumptions(options);
        if !writer.sites.iter().all(Site::is_double) {
            return Err(HarnessError::LongDouble);
        }
        let head = Head {
            name,
            aim,
            error,
            unfinished: (!is_whole(translation, derivation)).then_some(derivation.steps.len()),
            needs_mathematics: found
                .called
                .iter()
                .any(|name| is_of_mathematics(name) && !found.defined.contains(name)),
        };
        Ok(writer.finish(&head, options, places))
    });
    written.unwrap_or(Err(HarnessError::Unreadable))
}

/// The same run on rules that nothing was sliced away from, which has every value that is read. Without it, a place that is
/// reached in several copies of a function might get one's values in the other.
fn unsliced(verification: &Verification, derivation: &Derivation, text: &str) -> Option<(Translation, Derivation)> {
    let options = Options {
        slice: false,
        calls: Calls::OnStack,
        ..verification.options.clone()
    };
    let translation = translate(text, &options).product?;
    let again = follow(&verification.translation, derivation, &translation)?;
    Some((translation, again))
}

/// Where the run ends, and in what kind of error.
fn error_of(translation: &Translation, derivation: &Derivation) -> Option<(Span, ErrorKind)> {
    let last = derivation.steps.last()?;
    let steps = &translation.map.rules.get(last.rule.index())?.steps;
    steps.iter().rev().find_map(|step| match step.kind {
        StepKind::Error { kind, .. } => Some((step.place.span, kind)),
        _ => None,
    })
}

/// Whether the run goes on until the program ends or the error is reached.
fn is_whole(translation: &Translation, derivation: &Derivation) -> bool {
    let last = derivation.steps.last().map(|step| step.rule);
    last.is_some_and(|last| {
        let body = &translation.program.rule(last).body;
        body.iter().all(|atom| atom.predicate == PredicateId::ERROR)
    })
}

/// A place that reads values into one variable, or one part of it.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Key {
    span: Span,
    /// The path below the variable: `.next`, `[3]`; empty for the variable itself.
    path: String,
    source: UnknownSource,
}

/// The values read at each place in the order of reading; places in the order of their first reading.
fn grouped(read: Vec<ReadValue>, found: &Occurrences<'_>) -> Vec<(Key, Vec<ReadValue>)> {
    let mut groups: Vec<(Key, Vec<ReadValue>)> = Vec::new();
    let mut positions: HashMap<Key, usize> = HashMap::new();
    for value in read {
        // Elsewhere a value is read as a whole, whatever it is put into.
        let is_declared = found.variables.contains_key(&value.place.span);
        let start = value.variable.find(['.', '[']).filter(|_| is_declared);
        let start = start.unwrap_or(value.variable.len());
        let key = Key {
            span: value.place.span,
            path: value.variable.get(start..).unwrap_or_default().replace("[]", ""),
            source: value.source.clone(),
        };
        let position = *positions.entry(key.clone()).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[position].1.push(value);
    }
    groups
}

struct Writer<'t> {
    text: &'t str,
    /// Functions without a body whose argument is assumed.
    assumed: Vec<&'t str>,
    found: &'t Occurrences<'t>,
    insertions: Vec<Insertion>,
    sites: Vec<Site>,
    /// Definitions that stand behind the program.
    after: Vec<String>,
}

impl<'t> Writer<'t> {
    /// Puts the values read at a place in.
    fn input(&mut self, key: &Key, values: Vec<ReadValue>, options: &Options) {
        let are_pointers: Vec<bool> = values.iter().map(|value| value.numeric == Numeric::Pointer).collect();
        let is_pointer = are_pointers.contains(&true);
        let is_array = values.iter().any(|value| matches!(value.value, Some(Value::Array(_))));
        let is_part = values.iter().any(|value| value.variable.contains(['.', '[']));
        let number = self.sites.len();
        let site = Site {
            is_pointer,
            values: values.into_iter().map(|value| value.value).collect(),
        };
        if let Some(variable) = self.found.variables.get(&key.span) {
            let done = self.variable(variable, &key.path, number, (is_array, is_pointer));
            if done {
                self.sites.push(site);
            }
            return;
        }
        if is_array {
            return;
        }
        if key.source == UnknownSource::Uninitialized && self.result(key.span, number, is_pointer, is_part) {
            self.sites.push(site);
            return;
        }
        if let Some(call) = self.found.calls.get(&key.span) {
            let argument = call.arguments.first().map(|span| self.piece(*span).to_string());
            match (&key.source, argument) {
                // It fails where it failed in the run.
                (UnknownSource::Allocation, _) => {
                    let before = format!("({} ? ", value(number));
                    self.around(key.span, before, " : (void *)0)".to_string());
                }
                // What the call's argument points to becomes unknown.
                (UnknownSource::Outside, Some(target)) => {
                    let target = format!("(*({target}))");
                    let text = format!("(clausal_ignored({target} = (__typeof__({target})){}), ", value(number));
                    self.around(key.span, text, ")".to_string());
                }
                (UnknownSource::Call(_), _) => {
                    let piece = self.piece(key.span).to_string();
                    match call.has_effects {
                        true => {
                            let after = format!(", (__typeof__({piece})){})", value(number));
                            self.around(key.span, "(".to_string(), after);
                        }
                        false => {
                            let after = format!(")){})", value(number));
                            self.around(key.span, "((__typeof__(".to_string(), after);
                        }
                    }
                }
                _ => return,
            }
            self.sites.push(site);
            return;
        }
        let entry = self.found.bodies.get(options.entry.as_str());
        if let Some((body, parameters)) = entry
            && key.source == UnknownSource::Outside
            && !is_inside(key.span, *body)
        {
            // The parameters in their order, as far as they are numbers. Where the first one is a pointer, the system has
            // no object for it.
            let read = site.values.into_iter().zip(are_pointers).enumerate();
            for (parameter, (position, (read, is_pointer))) in parameters.iter().zip(read) {
                if is_pointer && position > 0 {
                    continue;
                }
                let text = format!(" {parameter} = (__typeof__({parameter})){};", value(self.sites.len()));
                self.insert(body.start as usize + 1, text);
                self.sites.push(Site {
                    is_pointer,
                    values: vec![read],
                });
            }
            return;
        }
        if key.source == UnknownSource::Outside && key.span.end > key.span.start {
            self.around(key.span, "((__typeof__(".to_string(), format!(")){})", value(number)));
            self.sites.push(site);
        }
    }

    /// Gives a function its result where it ends without one; whether this is such a place.
    fn result(&mut self, span: Span, number: usize, is_pointer: bool, is_part: bool) -> bool {
        let cast = if is_pointer { "(void *)" } else { "" };
        let value = format!(" {cast}{}", value(number));
        let piece = self.piece(span);
        let ends_body = piece == "}" && self.found.bodies.values().any(|(body, _)| body.end == span.end);
        if is_part || !(ends_body || piece.starts_with("return")) {
            return false;
        }
        match ends_body {
            true => self.insert(span.start as usize, format!(" return{value}; ")),
            false => self.insert(span.start as usize + "return".len(), value),
        }
        true
    }

    /// Gives a variable its values where it is declared.
    fn variable(
        &mut self,
        variable: &Variable<'_>,
        path: &str,
        number: usize,
        (is_array, is_pointer): (bool, bool),
    ) -> bool {
        let name = variable.name;
        if variable.is_extern && is_stream(name) {
            return false;
        }
        let is_global = variable.is_extern || variable.is_global;
        // Nothing is said of the elements, and an array has no other value.
        if variable.dimensions > 0 && path.is_empty() && !is_array {
            return false;
        }
        if variable.is_initialized && !is_global {
            // What it is before a jump over its declaration cannot be said where it is declared.
            return false;
        }
        if path.is_empty() && !is_array && !is_global {
            let text = format!(" = {}", of_type(name, number, is_pointer));
            self.insert(variable.declarator.end as usize, text);
            return true;
        }
        let Some(declaration) = variable.declaration else {
            return false;
        };
        let text = match is_array {
            false => {
                let place = format!("{name}{path}");
                format!(" {place} = {};", of_type(&place, number, is_pointer))
            }
            true => {
                let first = format!(
                    "{name}{}",
                    "[0]".repeat(variable.dimensions.max(usize::from(path.is_empty())))
                );
                // The rules number the elements of all dimensions through.
                let (element, count) = match path.is_empty() || variable.dimensions > 0 {
                    true => (
                        format!("(&{first})[clausal_index]{path}"),
                        format!("sizeof({name}) / sizeof({first})"),
                    ),
                    false => (
                        format!("{name}{path}[clausal_index]"),
                        format!("sizeof({name}{path}) / sizeof({name}{path}[0])"),
                    ),
                };
                format!(
                    " {{ unsigned long clausal_index; for (clausal_index = 0; clausal_index < {count}; \
                     clausal_index++) {element} = (__typeof__({element}))clausal_element({number}, clausal_index); \
                     clausal_value({number}); }}"
                )
            }
        };
        if is_global {
            if variable.is_extern {
                self.after.push(format!("__typeof__({name}) {name};"));
            }
            // No constant: it is set before `main` starts.
            self.after.push(format!(
                "__attribute__((constructor)) static void clausal_set_{number}(void) {{{text} }}"
            ));
        } else {
            self.insert(declaration.end as usize, text);
        }
        true
    }

    /// Makes the place of the error end the program.
    fn error(&mut self, span: Span) {
        if let Some(statement) = self.found.labelled.get(&span) {
            // A loop takes one statement, as a label does, and leaves `else` and `case` behind it where they belong.
            self.around(*statement, "for (clausal_error(1);;) ".to_string(), String::new());
        } else if let Some(call) = self.found.calls.get(&span) {
            let asserts = call.name.is_some_and(|name| name.ends_with("assert"));
            let refutes = matches!(call.name, Some("_TRACER_abort" | "_ABORT"));
            match call.arguments.first().filter(|_| asserts || refutes) {
                Some(argument) => {
                    let open = if asserts {
                        "clausal_error(!("
                    } else {
                        "clausal_error(!!("
                    };
                    self.around(*argument, open.to_string(), "))".to_string());
                }
                None => self.around(span, "(clausal_error(1), ".to_string(), ")".to_string()),
            }
        }
    }

    /// Makes false assumptions end the program quietly, where a function without a body stands for them.
    fn assumptions(&mut self, options: &Options) {
        const NAMES: [&str; 4] = ["__VERIFIER_assume", "_TRACER_assume", "assume", "assume_abort_if_not"];
        let found = self.found;
        for name in &found.called {
            let known = NAMES.contains(name) || options.assume_functions.iter().any(|listed| listed == name);
            if known && !found.defined.contains(name) && !self.assumed.contains(name) {
                self.assumed.push(name);
            }
        }
        let is_assumed = |call: &&Call<'_>| call.name.is_some_and(|name| self.assumed.contains(&name));
        let arguments = found.calls.values().filter(is_assumed);
        let mut arguments: Vec<Span> = arguments.filter_map(|call| call.arguments.first().copied()).collect();
        arguments.sort_by_key(|span| span.start);
        for argument in arguments {
            self.around(argument, "clausal_assume(!!(".to_string(), "))".to_string());
        }
    }

    fn piece(&self, span: Span) -> &str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    fn insert(&mut self, position: usize, text: String) {
        self.insertions.push(Insertion {
            position,
            closes: false,
            length: 0,
            text,
        });
    }

    fn around(&mut self, span: Span, before: String, after: String) {
        let length = (span.end - span.start) as usize;
        for (position, closes, text) in [(span.start, false, before), (span.end, true, after)] {
            self.insertions.push(Insertion {
                position: position as usize,
                closes,
                length,
                text,
            });
        }
    }

    fn finish(self, head: &Head<'_>, options: &Options, places: &Places<'_>) -> String {
        let mut order: Vec<usize> = (0..self.insertions.len()).collect();
        order.sort_by_key(|index| {
            let insertion = &self.insertions[*index];
            let (length, made) = (insertion.length as i64, *index as i64);
            // What is inside closes first and opens last.
            let nesting = if insertion.closes {
                (length, made)
            } else {
                (-length, -made)
            };
            (insertion.position, !insertion.closes, nesting)
        });
        let mut program = String::with_capacity(self.text.len() + 4096);
        let mut position = 0;
        for insertion in order.iter().map(|index| &self.insertions[*index]) {
            let Some(piece) = self.text.get(position..insertion.position) else {
                continue;
            };
            program.push_str(piece);
            program.push_str(&insertion.text);
            position = insertion.position;
        }
        program.push_str(self.text.get(position..).unwrap_or_default());
        let known = |function: &str| {
            self.found.defined.contains(function)
                || library_function(function)
                || self.found.variables.values().any(|variable| variable.name == function)
        };
        let mut stubs: Vec<&str> = Vec::new();
        for function in &self.found.called {
            if !known(function) && !stubs.contains(function) {
                stubs.push(function);
            }
        }
        let (head, declarations, definitions) = support(head, options, &self.sites, &stubs, places);
        let after = self.after.join("\n");
        let text = format!("{program}\n");
        let [text, after] = [text, after].map(|text| with_numbers(text, &self.sites));
        format!("{head}{declarations}{text}{definitions}{after}\n")
    }
}

/// The text with floating-point numbers read as such.
fn with_numbers(mut text: String, sites: &[Site]) -> String {
    for (number, _) in sites.iter().enumerate().filter(|(_, site)| site.is_floating()) {
        text = text.replace(&value(number), &format!("clausal_number({number})"));
        text = text.replace(
            &format!("clausal_element({number},"),
            &format!("clausal_number_at({number},"),
        );
    }
    text
}

fn value(number: usize) -> String {
    format!("clausal_value({number})")
}

/// The value for a place. A number needs no cast, which a member of some bits could not have.
fn of_type(place: &str, number: usize, is_pointer: bool) -> String {
    match is_pointer {
        true => format!("(__typeof__({place})){}", value(number)),
        false => value(number),
    }
}

fn is_inside(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
