//! Hints on the command line: which files say something about invariants, and what became of it.

use super::input::read_text;
use super::output;
use clausal::assistance::Assistance;
use clausal::c::Translation;
use clausal::diagnostics::{Reading, Severity, render};
use clausal::engine::{Options, Outcome};
use clausal::hints::{self, Hints, ProofStanding, Standing};
use clausal::rules::Program;
use clausal::source_level::{Claim, Numbers, Places, c_hints, read_correctness_witness};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// A file with hints.
enum HintFile {
    /// What holds of rules' heads, as rules.
    Claims { name: String, text: String },
    /// The evidence for an earlier version of the program. If it was kept, and nobody has named it, nothing is wrong with the command if it is none.
    Earlier { name: String, text: String, is_kept: bool },
    /// A witness of correctness.
    Witness(Vec<Claim>),
}

/// Everything that is said of invariants, and how it fared.
pub struct GivenHints {
    files: Vec<HintFile>,
    /// What to say of the hints of the last program that was verified, or what was wrong with them.
    said: RefCell<Result<Vec<String>, String>>,
    /// The same for machines.
    fared: RefCell<Vec<serde_json::Value>>,
}

impl GivenHints {
    /// Reads the files, and the proof that was kept if it is there; the error is a message for people.
    pub fn read(paths: &[PathBuf], kept: Option<&Path>) -> Result<GivenHints, String> {
        let mut files = paths
            .iter()
            .map(|path| read_file(path))
            .collect::<Result<Vec<_>, String>>()?;
        if let Some(path) = kept.filter(|path| path.exists()) {
            files.push(HintFile::Earlier {
                name: path.display().to_string(),
                text: read_text(path)?,
                is_kept: true,
            });
        }
        Ok(GivenHints {
            files,
            said: RefCell::new(Ok(Vec::new())),
            fared: RefCell::default(),
        })
    }

    /// Verifies rules with what is said of them.
    pub fn verify(&self, program: &mut Program, options: &Options, assistance: Assistance) -> Outcome {
        match self.of_rules(program) {
            Ok(hints) => self.verify_with(program, &hints, options, assistance),
            Err(why) => self.refuse(why),
        }
    }

    /// Verifies C with what is said of it, in its own text too.
    pub fn verify_c(
        &self,
        translation: &mut Translation,
        (claims, places): (&[Claim], &Places<'_>),
        options: &Options,
        assistance: Assistance,
    ) -> Outcome {
        let mut hints = match self.of_rules(&mut translation.program) {
            Ok(hints) => hints,
            Err(why) => return self.refuse(why),
        };
        let of_witnesses = self.files.iter().filter_map(|file| match file {
            HintFile::Witness(claims) => Some(claims),
            _ => None,
        });
        for claims in std::iter::once(claims).chain(of_witnesses.map(Vec::as_slice)) {
            let more = c_hints(translation, claims, Numbers::Mathematical, places);
            hints.of_program.extend(more.of_program);
            hints.unused.extend(more.unused);
        }
        self.verify_with(&mut translation.program, &hints, options, assistance)
    }

    /// Says what became of the hints; an error if one of the files is wrong.
    pub fn report(&self, is_quiet: bool) -> Result<(), String> {
        match &*self.said.borrow() {
            Ok(lines) if !is_quiet => lines.iter().for_each(|line| output::complain(line)),
            Ok(_) => {}
            Err(why) => return Err(why.clone()),
        }
        Ok(())
    }

    /// An object for machines with what became of the hints, if there are any: `hints`, a list of `text`, `used`, and `standing`.
    pub fn told(&self, report: String, json: bool) -> String {
        let fared = self.fared.borrow();
        if !json || fared.is_empty() {
            return report;
        }
        output::with_field(report, "hints", fared.as_slice().into())
    }

    /// A wrong file is told of by [`GivenHints::report`]; nothing is verified.
    fn refuse(&self, why: String) -> Outcome {
        *self.said.borrow_mut() = Err(why);
        Outcome::unknown(clausal::engine::StopReason::Cancelled)
    }

    fn verify_with(&self, program: &mut Program, hints: &Hints, options: &Options, assistance: Assistance) -> Outcome {
        let (outcome, standings) = hints::verify(program, hints, options, &|program, options| {
            assistance.verify(program, options)
        });
        let object = |text: &str, used: bool, standing: &str| serde_json::json!({ "text": text, "used": used, "standing": standing });
        let proofs = hints.proofs.iter().zip(&standings.of_proofs);
        let of_program = hints.of_program.iter().zip(&standings.of_program);
        let of_proofs = proofs.clone().map(|(proof, standing)| {
            let is_used = matches!(standing, ProofStanding::Holds { .. } | ProofStanding::Runs);
            object(proof.name(), is_used, &standing.text())
        });
        let tried = of_program.clone();
        let tried = tried.map(|(hint, standing)| object(&hint.text, *standing == Standing::Lemma, standing.text()));
        let others = hints.unused.iter().map(|why| object(why, false, "not used"));
        *self.fared.borrow_mut() = of_proofs.chain(tried).chain(others).collect();
        let proofs = proofs.map(|(proof, standing)| format!("hint: {}: {}", proof.name(), standing.text()));
        // Where a proof does all, what single formulas are good for is no news.
        let said = of_program.filter(|(_, standing)| **standing != Standing::NotNeeded);
        let said = said.map(|(hint, standing)| format!("hint: {}: {}", hint.text, standing.text()));
        let unused = hints.unused.iter().map(|why| format!("hint: not used: {why}"));
        *self.said.borrow_mut() = Ok(proofs.chain(said).chain(unused).collect());
        outcome
    }

    fn of_rules(&self, program: &mut Program) -> Result<Hints, String> {
        let mut hints = Hints::default();
        for file in &self.files {
            let more = match file {
                HintFile::Witness(_) => continue,
                HintFile::Claims { name, text } => {
                    let Reading { product, diagnostics } = hints::read_claims(program, text);
                    let errors = diagnostics.iter().filter(|each| each.severity == Severity::Error);
                    let errors: Vec<_> = errors.cloned().collect();
                    product.ok_or_else(|| render(&errors, name, text).trim_end().to_string())?
                }
                HintFile::Earlier { name, text, is_kept } => match hints::read_earlier(program, name, text) {
                    Ok(more) => more,
                    Err(error) if *is_kept => {
                        hints.unused.push(format!("{name}: {error}"));
                        continue;
                    }
                    Err(error) => return Err(format!("{name}: {error}")),
                },
            };
            hints.of_program.extend(more.of_program);
            hints.proofs.extend(more.proofs);
            hints.unused.extend(more.unused);
        }
        Ok(hints)
    }
}

fn read_file(path: &Path) -> Result<HintFile, String> {
    let (name, text) = (path.display().to_string(), read_text(path)?);
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.unwrap_or_default().to_ascii_lowercase().as_str() {
        "clp" => Ok(HintFile::Claims { name, text }),
        "json" => Ok(HintFile::Earlier {
            name,
            text,
            is_kept: false,
        }),
        "yml" | "yaml" => {
            let claims = read_correctness_witness(&text);
            claims.map(HintFile::Witness).map_err(|why| format!("{name}: {why}"))
        }
        _ => Err(format!(
            "{name}: hints are rules (.clp), saved evidence (.json) or a witness of correctness (.yml)"
        )),
    }
}
