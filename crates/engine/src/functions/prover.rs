//! What is proved of functions: by the very obligations that the checker of certificates has, with a limit for each question.

use crate::engine::StopReason;
use crate::evidence::{Depth, Known, Lemma, Obligation, consequences, lemma_obligations, termination};
use crate::solver::{Z3Layer, Z3Meter};
use crate::terms::{FunctionId, Operator, SortId, TermId, Terms};

/// Z3's units for one question.
const UNITS: u32 = 150_000;
/// Making an obligation costs as much as so many units of work.
const OBLIGATION: u64 = 40;

/// Copying so many terms is a unit of work.
const COPIED: u64 = 40;

/// Says whether to stop, after so much work.
pub(super) type Stop<'a> = dyn Fn(u64) -> Option<StopReason> + 'a;

/// A table of terms with functions, and the lemmas about them so far.
pub(super) struct Prover<'a> {
    pub terms: Terms,
    pub lemmas: Vec<Lemma>,
    known: Vec<Known>,
    solver: Z3Layer,
    meter: Z3Meter,
    /// Work that Z3 does not count.
    pub work: u64,
    stop: &'a Stop<'a>,
}

/// What was known at a time.
pub(super) struct Mark {
    terms: Terms,
    lemmas: usize,
}

impl<'a> Prover<'a> {
    pub fn new(terms: Terms, stop: &'a Stop<'a>) -> Prover<'a> {
        let solver = Z3Layer::new(UNITS);
        Prover {
            terms,
            lemmas: Vec::new(),
            known: Vec::new(),
            meter: Z3Meter::new(solver.resources()),
            solver,
            work: 0,
            stop,
        }
    }

    /// A copy of the table of terms, which is work.
    pub fn copied_terms(&mut self) -> Terms {
        self.work += self.terms.len() as u64 / COPIED;
        self.terms.clone()
    }

    /// Goes back to a table of terms, for which nothing has been learned since.
    pub fn forget(&mut self, terms: Terms) {
        // Z3's terms are those of the table.
        self.work += self.meter.work(self.solver.resources());
        self.terms = terms;
        self.solver = Z3Layer::new(UNITS);
        self.meter = Z3Meter::new(self.solver.resources());
    }

    /// What is known now, to go back to.
    pub fn mark(&mut self) -> Mark {
        Mark {
            terms: self.copied_terms(),
            lemmas: self.lemmas.len(),
        }
    }

    /// Knows again what was known then, and no more.
    pub fn return_to(&mut self, mark: Mark) {
        self.lemmas.truncate(mark.lemmas);
        self.known.truncate(mark.lemmas);
        self.forget(mark.terms);
    }

    /// Whether it is time to stop.
    pub fn poll(&mut self) -> Result<(), StopReason> {
        let work = self.work + self.meter.work(self.solver.resources());
        match (self.stop)(work) {
            Some(reason) => Err(reason),
            None => Ok(()),
        }
    }

    fn is_shown(&mut self, obligation: &Obligation) -> Result<bool, StopReason> {
        self.work += OBLIGATION;
        self.poll()?;
        Ok(obligation.is_shown(&self.terms, &mut self.solver))
    }

    /// Whether formulas cannot hold together, by definitions and lemmas.
    pub fn excludes(&mut self, mut formulas: Vec<TermId>) -> Result<bool, StopReason> {
        let more = consequences(&mut self.terms, &formulas, &self.known, Depth::Constructed);
        formulas.extend(more);
        let unfolded = self.terms.unfoldings(&formulas);
        formulas.extend(unfolded);
        let text = String::new();
        self.is_shown(&Obligation { text, formulas })
    }

    /// Whether the recursion of a function ends.
    pub fn ends(&mut self, function: FunctionId) -> Result<bool, StopReason> {
        let Ok(obligations) = termination(&mut self.terms, function) else {
            return Ok(false);
        };
        for obligation in obligations {
            if !self.is_shown(&obligation)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a lemma holds by induction over one of these variables; then it is known. Without variables, by what is known already.
    pub fn proves(
        &mut self,
        formula: TermId,
        by: Option<TermId>,
        cases: Option<TermId>,
        depths: &[Depth],
    ) -> Result<Option<Lemma>, StopReason> {
        self.shown(formula, by, cases, &[], depths)
    }

    /// Whether a lemma holds by induction over ranks.
    pub fn proves_by_ranks(
        &mut self,
        formula: TermId,
        ranks: &[TermId],
        depths: &[Depth],
    ) -> Result<Option<Lemma>, StopReason> {
        self.shown(formula, None, None, ranks, depths)
    }

    fn shown(
        &mut self,
        formula: TermId,
        by: Option<TermId>,
        cases: Option<TermId>,
        ranks: &[TermId],
        depths: &[Depth],
    ) -> Result<Option<Lemma>, StopReason> {
        let lemma = Lemma {
            variables: self.terms.variables(formula),
            formula,
            by,
            cases,
            ranks: ranks.to_vec(),
        };
        let (solver, meter, work, stop) = (&mut self.solver, &mut self.meter, &mut self.work, self.stop);
        let mut shown = |terms: &Terms, obligation: Obligation| {
            *work += OBLIGATION;
            match stop(*work + meter.work(solver.resources())) {
                Some(reason) => Err(reason),
                None => Ok(obligation.is_shown(terms, solver)),
            }
        };
        let all = lemma_obligations(&mut self.terms, &lemma, &self.known, depths, &mut shown)?;
        Ok(all.then_some(lemma))
    }

    /// Relies on a lemma from now on.
    pub fn learn(&mut self, lemma: Lemma) {
        self.known.push(Known::new(&self.terms, &lemma));
        self.lemmas.push(lemma);
    }

    /// Whether a formula follows from what is known, or else by induction over one of its variables, with the cases of another one if need
    /// be; then it is learned.
    pub fn establish(&mut self, formula: TermId) -> Result<Established, StopReason> {
        let variables = self.deciding(formula);
        // Cases by cases are for inductions, where there are any.
        let depths = &Depth::ALL[..Depth::ALL.len() - usize::from(!variables.is_empty())];
        if formula == TermId::TRUE || self.proves(formula, None, None, depths)?.is_some() {
            return Ok(Established::Already);
        }
        let is_made = |variable: &TermId| self.terms.datatype(self.terms.sort(*variable)).is_some();
        let mut ways: Vec<(TermId, Option<TermId>)> = variables.iter().map(|one| (*one, None)).collect();
        for one in &variables {
            let others = variables.iter().filter(|other| *other != one && is_made(other));
            ways.extend(others.map(|other| (*one, Some(*other))));
        }
        for (by, cases) in ways {
            if let Some(lemma) = self.proves(formula, Some(by), cases, &Depth::ALL)? {
                self.learn(lemma);
                return Ok(Established::Anew);
            }
        }
        Ok(Established::Not)
    }

    /// Learns that a function of integers has no negative value, of natural numbers at least, if that is so.
    pub fn bound(&mut self, function: FunctionId) -> Result<(), StopReason> {
        let of = self.terms.functions()[function.index()].clone();
        if of.sort != SortId::INT {
            return Ok(());
        }
        let zero = self.terms.integer(0);
        let Some(value) = self.terms.call(function, &of.parameters) else {
            return Ok(());
        };
        let plain = self.terms.less_or_equal(zero, value);
        let mut said = vec![plain];
        for parameter in of.parameters {
            if self.terms.sort(parameter) == SortId::INT {
                said.push(self.terms.less(parameter, zero));
            }
        }
        let guarded = self.terms.or(&said);
        if self.establish(plain)? == Established::Not && guarded != plain {
            self.establish(guarded)?;
        }
        Ok(())
    }

    /// The variables of a formula by whose values functions choose between their cases.
    pub fn deciding(&self, formula: TermId) -> Vec<TermId> {
        let terms = &self.terms;
        let mut found = Vec::new();
        for call in terms.applications(&[formula]) {
            let Operator::Apply(id) = terms.operator(call) else {
                continue;
            };
            let function = &terms.functions()[id.index()];
            let body: Vec<TermId> = function.body.into_iter().collect();
            let conditions = terms.subterms(&body).into_iter();
            let mut conditions: Vec<TermId> = conditions
                .filter(|term| terms.operator(*term) == Operator::IfThenElse)
                .filter_map(|term| terms.arguments(term).first().copied())
                .collect();
            if function.sort == SortId::BOOL {
                conditions.extend(body);
            }
            let decide = terms.variables_of_all(&conditions);
            for (parameter, argument) in function.parameters.iter().zip(terms.arguments(call)) {
                if decide.contains(parameter) && terms.applications(&[*argument]).is_empty() {
                    found.extend(terms.variables(*argument));
                }
            }
        }
        found.sort();
        found.dedup();
        found.retain(|variable| {
            let sort = terms.sort(*variable);
            sort == SortId::INT || terms.datatype(sort).is_some()
        });
        found
    }
}

/// What has become of a guess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Established {
    /// It follows from what was known.
    Already,
    /// It was proved by induction.
    Anew,
    /// It is not proved.
    Not,
}
