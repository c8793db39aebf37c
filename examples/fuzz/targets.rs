//! What inputs are given to.

use clausal::c::Translation;
use clausal::c::options::Options;
use clausal::c::types::DataModel;
use clausal::diagnostics::{Diagnostic, render};
use clausal::evidence::{CheckLimits, Evidence, check_certificate, read_evidence, replay};
use clausal::rules::Program;
use clausal::source_level::{Numbers, Places, c_hints, read_correctness_witness, read_violation_witness};

/// What invariants are claimed of.
const LOOP: &str = "void reach_error(void); int main(void) { unsigned long n = 0; int m = 0; struct { char c; } s = { 0 }; \
    while (n < 9) { n++; m += 2; s.c++; } if (m != 18 || s.c != 9) reach_error(); return 0; }";

/// A reader, and what it needs.
pub enum Target {
    /// C text to a tree.
    C,
    /// C text to rules.
    Translate,
    /// CLP text to rules.
    Clp,
    /// SMT-LIB HORN to rules.
    Horn,
    /// Witnesses, as YAML; what they claim is about these rules.
    Witness(Box<Translation>),
    /// Saved evidence, as JSON, about this program. What is accepted shall say the same as the first.
    Evidence(Box<Program>, Option<&'static str>),
}

impl Target {
    /// The target of a name; the first of the files is the program that evidence is about.
    pub fn new(name: &str, files: &mut Vec<String>) -> Result<Target, String> {
        Ok(match name {
            "c" => Target::C,
            "translate" => Target::Translate,
            "clp" => Target::Clp,
            "horn" => Target::Horn,
            "witness" => {
                let translation = clausal::c::translate(LOOP, &Options::default()).product;
                Target::Witness(Box::new(translation.ok_or("the loop cannot be translated")?))
            }
            "evidence" => {
                let file = match files.is_empty() {
                    true => return Err("evidence needs its rules first".to_string()),
                    false => files.remove(0),
                };
                let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
                let program = clausal::clp::read(&text)
                    .product
                    .ok_or(format!("{file}: these are no rules"))?;
                Target::Evidence(Box::new(program), None)
            }
            _ => return Err(format!("there is no target `{name}`")),
        })
    }

    /// Whether inputs are JSON.
    pub fn is_json(&self) -> bool {
        matches!(self, Target::Evidence(..))
    }

    /// Gives a text to the reader. Says whether it is accepted.
    ///
    /// # Panics
    ///
    /// If what is accepted contradicts what was before.
    pub fn read(&self, text: &str) -> Option<&'static str> {
        match self {
            Target::C => accepted([false, true].into_iter().all(|snippet| {
                let arena = bumpalo::Bump::new();
                let reading = clausal::c::parser::parse(&arena, text, snippet);
                show(&reading.diagnostics, text);
                reading.product.is_some()
            })),
            Target::Translate => accepted([false, true].into_iter().all(|snippet| {
                let options = Options {
                    snippet,
                    ..Options::default()
                };
                let reading = clausal::c::translate(text, &options);
                show(&reading.diagnostics, text);
                reading.product.is_some()
            })),
            Target::Clp => accepted([false, true].into_iter().all(|calls| {
                let reading = match calls {
                    true => clausal::clp::read_with_calls(text),
                    false => clausal::clp::read(text),
                };
                show(&reading.diagnostics, text);
                reading.product.is_some()
            })),
            Target::Horn => accepted([false, true].into_iter().all(|calls| {
                let reading = match calls {
                    true => clausal::horn::read_with_calls(text),
                    false => clausal::horn::read(text),
                };
                show(&reading.diagnostics, text);
                reading.product.is_some()
            })),
            Target::Witness(translation) => {
                let claims = read_correctness_witness(text).unwrap_or_default();
                for numbers in [Numbers::Mathematical, Numbers::OfC(DataModel::Lp64)] {
                    let places = Places::new("fuzz.c", LOOP);
                    c_hints(&mut translation.clone(), &claims, numbers, &places);
                }
                accepted(!claims.is_empty() || read_violation_witness(text).is_ok())
            }
            Target::Evidence(program, before) => {
                let saved = read_evidence(program, text).ok()?;
                let found = match &saved.evidence {
                    Evidence::Certificate(certificate) => {
                        check_certificate(program, certificate, CheckLimits::default()).ok()?;
                        "safe"
                    }
                    Evidence::Derivation(derivation) => {
                        replay(program, derivation).ok()?;
                        "unsafe"
                    }
                };
                assert!(
                    before.is_none_or(|before| before == found),
                    "{found} is accepted as well"
                );
                Some(found)
            }
        }
    }

    /// What the first input says is what all have to say.
    pub fn learn(&mut self, text: &str) {
        let found = self.read(text);
        if let Target::Evidence(_, before) = self {
            *before = before.or(found);
        }
    }
}

fn accepted(is_accepted: bool) -> Option<&'static str> {
    is_accepted.then_some("accepted")
}

fn show(diagnostics: &[Diagnostic], text: &str) {
    render(diagnostics, "fuzz", text);
}
