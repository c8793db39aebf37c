//! The last layer: Z3, incremental, with a deterministic limit per query, and interruptible from another thread.
//!
//! Questions with floating-point numbers are asked of a solver of their own, which sees nothing else: without scopes Z3 takes its
//! methods for whole problems, which make one propositional formula of everything and are many times as fast there. What intervals
//! decide (`boxes`) is not asked at all. Questions with bit operations on integers are asked as questions about words, where that
//! is possible (`z3_bounded`).

use super::boxes::{Decision, Effort};
use super::z3_bounded::{BoundedWords, Question, values};
use super::z3_context::{model_value, resources};
use super::{Answer, Layer, LimitedSolver, Z3Translator};
use crate::terms::{Assignment, Operator, TermId, Terms, Value};
use std::collections::BTreeMap;
use z3::ast::{BV, Bool};
use z3::{SatResult, Solver};

/// The Z3 layer. It must stay on the thread that made it.
pub struct Z3Layer {
    solver: LimitedSolver,
    translator: Z3Translator,
    /// How many formulas in the current scopes Z3 could not be given, by scope; any makes a satisfiable answer unknown.
    untranslated: Vec<usize>,
    /// All formulas in the current scopes, and how many there are below each scope.
    formulas: Vec<Bool>,
    /// The same as our terms.
    terms: Vec<TermId>,
    /// What all variables are, if that was found out without Z3.
    known: Option<Assignment>,
    scopes: Vec<usize>,
    /// How many of the formulas have floating-point numbers in them, by scope.
    floating: Vec<usize>,
    /// The solver of the last question with floating-point numbers.
    whole: Option<LimitedSolver>,
    /// How many of the formulas have bit operations on integers in them, by scope.
    mixed: Vec<usize>,
    /// The solver of the last question about words in the place of integers, and these.
    words: Option<(LimitedSolver, BTreeMap<TermId, BV>)>,
    /// How much is tried by intervals.
    effort: Effort,
    resource_limit: u32,
}

impl Z3Layer {
    /// A layer that may spend `resource_limit` of Z3's units on a query; 0 means no limit.
    pub fn new(resource_limit: u32) -> Z3Layer {
        Z3Layer {
            solver: limited(resource_limit),
            translator: Z3Translator::new(),
            untranslated: vec![0],
            formulas: Vec::new(),
            terms: Vec::new(),
            known: None,
            scopes: Vec::new(),
            floating: vec![0],
            whole: None,
            mixed: vec![0],
            words: None,
            effort: Effort::default(),
            resource_limit,
        }
    }

    /// Z3's units spent on this thread so far, modulo 2³².
    pub(crate) fn resources(&self) -> u32 {
        resources(&self.solver)
    }

    /// Whether there are floating-point numbers in what is asked.
    fn is_floating(&self) -> bool {
        self.floating.iter().any(|count| *count > 0)
    }

    /// Whether there are bit operations on integers in what is asked.
    fn is_mixed(&self) -> bool {
        self.mixed.iter().any(|count| *count > 0)
    }

    /// Some of these assumptions that suffice together with what is assumed: each is left out once, and stays out if it can.
    fn core_of_whole(&mut self, terms: &Terms, assumptions: &[TermId]) -> Option<Vec<usize>> {
        let mut formulas = Vec::with_capacity(assumptions.len());
        for assumption in assumptions {
            formulas.push(self.translator.formula(terms, *assumption)?);
        }
        let (limit, given) = (self.resource_limit, &self.formulas);
        let (translator, effort) = (&mut self.translator, &mut self.effort);
        let mut is_enough = |positions: &[usize]| {
            let ours = positions.iter().filter_map(|position| assumptions.get(*position));
            let ours: Vec<TermId> = self.terms.iter().chain(ours).copied().collect();
            if let Propagated::Contradiction = propagated(terms, &ours) {
                return true;
            }
            match effort.decide(terms, &ours) {
                Some(Decision::Unsatisfiable) => return true,
                Some(Decision::Satisfiable(_)) => return false,
                None => {}
            }
            if ours.iter().any(|formula| terms.mixes_words_and_integers(*formula)) {
                let words = BoundedWords::new(terms, translator, &ours);
                match words.ask(limited(limit), &ours, false) {
                    Some(Question::Unsatisfiable(_)) => return true,
                    Some(Question::Satisfiable(..)) => return false,
                    None => {}
                }
            }
            let chosen = positions.iter().filter_map(|position| formulas.get(*position));
            ask_afresh(limit, given.iter().chain(chosen)).0 == SatResult::Unsat
        };
        let mut needed: Vec<usize> = (0..formulas.len()).collect();
        if !is_enough(&needed) {
            return None;
        }
        let mut position = 0;
        for _ in 0..MOST_TRIALS {
            if position >= needed.len() {
                break;
            }
            let mut fewer = needed.clone();
            fewer.remove(position);
            match is_enough(&fewer) {
                true => needed = fewer,
                false => position += 1,
            }
        }
        Some(needed)
    }

    /// Asks about words in the place of integers. `None` if that is not possible or not decided.
    fn ask_words(&mut self, terms: &Terms) -> Option<Answer> {
        if self.untranslated.iter().any(|count| *count > 0) {
            return None;
        }
        let solver = match self.is_floating() {
            true => limited(self.resource_limit),
            false => bitwise(self.resource_limit)?,
        };
        let words = BoundedWords::new(terms, &mut self.translator, &self.terms);
        match words.ask(solver, &self.terms, false)? {
            Question::Unsatisfiable(_) => Some(Answer::Unsatisfiable),
            Question::Satisfiable(solver, integers) => {
                self.words = Some((solver, integers));
                Some(Answer::Satisfiable)
            }
        }
    }

    /// A core by a question about words: whatever may bound a variable is in it, unless the rest does that alone.
    fn core_of_words(&mut self, terms: &Terms, assumptions: &[TermId]) -> Option<Vec<usize>> {
        let given = self.terms.len();
        let all: Vec<TermId> = self.terms.iter().chain(assumptions).copied().collect();
        let words = BoundedWords::new(terms, &mut self.translator, &all);
        let needs_bounds = !words.rests_on(&self.terms, &all);
        let Question::Unsatisfiable(core) = words.ask(bitwise(self.resource_limit)?, &all, true)? else {
            return None;
        };
        let mut needed: Vec<usize> = core.iter().filter_map(|position| position.checked_sub(given)).collect();
        if needs_bounds {
            needed.extend(bounding(terms, assumptions));
        }
        needed.sort_unstable();
        needed.dedup();
        Some(needed)
    }

    /// Asks as it is.
    fn ask_plainly(&mut self) -> Answer {
        let result = self.solver.answer(&[]);
        self.answer(result)
    }

    /// Asks as it is, but not for long, what has integers and words in it: Z3 seldom decides that.
    fn ask_mixed(&mut self) -> Answer {
        let result = self
            .solver
            .answer_within((self.resource_limit / SHARE_OF_MIXED).max(1), &[]);
        self.answer(result)
    }

    fn answer(&self, result: SatResult) -> Answer {
        match result {
            SatResult::Unsat => Answer::Unsatisfiable,
            SatResult::Sat if self.untranslated.iter().all(|count| *count == 0) => Answer::Satisfiable,
            _ => Answer::Unknown,
        }
    }
}

/// What formulas say of themselves.
enum Propagated {
    /// They exclude each other.
    Contradiction,
    /// They hold with these values; what has none may have any.
    Model(Assignment),
    /// Neither was found out.
    Open,
}

/// Puts the values in that equations give to variables, until a formula is false or all are true. Runs of programs with
/// floating-point numbers ask little else.
fn propagated(terms: &Terms, formulas: &[TermId]) -> Propagated {
    // Values of maps from finitely many indices can be equal and look different.
    if !terms.has_only_arrays_by_numbers() {
        return Propagated::Open;
    }
    let mut open: Vec<TermId> = formulas.iter().flat_map(|formula| terms.conjuncts(*formula)).collect();
    let mut values = Assignment::new();
    loop {
        let before = values.len();
        let mut still = Vec::with_capacity(open.len());
        for formula in open {
            match terms.holds(formula, &values) {
                Some(true) => {}
                Some(false) => return Propagated::Contradiction,
                None => {
                    if let Some((variable, value)) = equation(terms, formula, &values) {
                        values.insert(variable, value);
                    } else {
                        still.push(formula);
                    }
                }
            }
        }
        open = still;
        match (open.is_empty(), values.len() > before) {
            (true, _) => return Propagated::Model(values),
            (false, true) => {}
            (false, false) => return Propagated::Open,
        }
    }
}

/// The variable without a value that the formula gives one, and the value.
fn equation(terms: &Terms, formula: TermId, values: &Assignment) -> Option<(TermId, Value)> {
    let is_new = |term: TermId| terms.is_variable(term) && !values.contains_key(&term);
    match (terms.operator(formula), terms.arguments(formula)) {
        (Operator::Variable(_), _) => Some((formula, Value::Bool(true))),
        (Operator::Not, [inner]) if is_new(*inner) => Some((*inner, Value::Bool(false))),
        (Operator::Equal, [left, right]) => {
            let mut sides = [(*left, *right), (*right, *left)].into_iter();
            sides.find_map(|(variable, other)| match is_new(variable) {
                true => Some((variable, terms.evaluate(other, values)?)),
                false => None,
            })
        }
        _ => None,
    }
}

/// What part of its limit a question with integers and words may cost that is not one about words alone.
pub(super) const SHARE_OF_MIXED: u32 = 16;

/// How many assumptions are left out to find a core where Z3 does not tell one.
const MOST_TRIALS: usize = 16;

/// A solver that may spend so many of Z3's units on a question.
fn limited(resource_limit: u32) -> LimitedSolver {
    LimitedSolver::new(Solver::new(), resource_limit)
}

/// Asks about these formulas alone.
fn ask_afresh<'f>(resource_limit: u32, formulas: impl Iterator<Item = &'f Bool>) -> (SatResult, LimitedSolver) {
    let mut solver = limited(resource_limit);
    for formula in formulas {
        solver.assert(formula);
    }
    (solver.answer(&[]), solver)
}

/// A solver for words alone.
fn bitwise(resource_limit: u32) -> Option<LimitedSolver> {
    Some(LimitedSolver::new(Solver::new_for_logic("QF_BV")?, resource_limit))
}

/// The positions of formulas that may bound an integer: all that speak of one outside of words.
fn bounding(terms: &Terms, formulas: &[TermId]) -> Vec<usize> {
    let bounds = |formula: &TermId| {
        let mut stack = vec![*formula];
        while let Some(current) = stack.pop() {
            match terms.operator(current) {
                Operator::And | Operator::Or => stack.extend_from_slice(terms.arguments(current)),
                _ if terms.linear_atom(current).is_some() => return true,
                _ => {}
            }
        }
        false
    };
    (0..formulas.len())
        .filter(|position| formulas.get(*position).is_some_and(&bounds))
        .collect()
}

impl Layer for Z3Layer {
    fn push(&mut self) {
        self.solver.push();
        self.untranslated.push(0);
        self.floating.push(0);
        self.mixed.push(0);
        self.scopes.push(self.formulas.len());
    }

    fn assume(&mut self, terms: &Terms, formula: TermId) {
        match self.translator.formula(terms, formula) {
            Some(translated) => {
                self.solver.assert(&translated);
                self.formulas.push(translated);
                self.terms.push(formula);
                if let Some(count) = self.floating.last_mut() {
                    *count += usize::from(terms.has_floats(formula));
                }
                if let Some(count) = self.mixed.last_mut() {
                    *count += usize::from(terms.mixes_words_and_integers(formula));
                }
            }
            None => {
                if let Some(count) = self.untranslated.last_mut() {
                    *count += 1;
                }
            }
        }
    }

    fn pop(&mut self, scopes: usize) {
        self.solver.pop(scopes as u32);
        self.untranslated.truncate(self.untranslated.len() - scopes);
        self.floating.truncate(self.floating.len() - scopes);
        self.mixed.truncate(self.mixed.len() - scopes);
        for _ in 0..scopes {
            if let Some(length) = self.scopes.pop() {
                self.formulas.truncate(length);
                self.terms.truncate(length);
            }
        }
    }

    fn check(&mut self, terms: &Terms) -> Answer {
        self.whole = None;
        self.known = None;
        self.words = None;
        if !self.is_floating() {
            if self.is_mixed() {
                return match self.ask_words(terms) {
                    Some(answer) => answer,
                    None if self.resource_limit > 0 => self.ask_mixed(),
                    None => self.ask_plainly(),
                };
            }
            let answer = self.ask_plainly();
            if answer == Answer::Unknown
                && let Some(answer) = self.ask_words(terms)
            {
                return answer;
            }
            return answer;
        }
        match propagated(terms, &self.terms) {
            Propagated::Contradiction => return Answer::Unsatisfiable,
            Propagated::Model(values) if self.untranslated.iter().all(|count| *count == 0) => {
                self.known = Some(values);
                return Answer::Satisfiable;
            }
            _ => {}
        }
        match self.effort.decide(terms, &self.terms) {
            Some(Decision::Unsatisfiable) => return Answer::Unsatisfiable,
            Some(Decision::Satisfiable(values)) if self.untranslated.iter().all(|count| *count == 0) => {
                self.known = Some(values);
                return Answer::Satisfiable;
            }
            _ => {}
        }
        if self.is_mixed()
            && let Some(answer) = self.ask_words(terms)
        {
            return answer;
        }
        let (result, solver) = ask_afresh(self.resource_limit, self.formulas.iter());
        self.whole = Some(solver);
        self.answer(result)
    }

    fn model(&mut self, terms: &Terms, variables: &[TermId]) -> Option<Assignment> {
        if let Some(known) = &self.known {
            let value = |variable: &TermId| {
                let known = known.get(variable).cloned();
                known.unwrap_or_else(|| terms.default_value(terms.sort(*variable)))
            };
            return Some(variables.iter().map(|variable| (*variable, value(variable))).collect());
        }
        if let Some((solver, integers)) = &self.words {
            return values(terms, &mut self.translator, &solver.get_model()?, integers, variables);
        }
        let model = self.whole.as_ref().unwrap_or(&self.solver).get_model()?;
        let mut values = Assignment::new();
        for variable in variables {
            let translated = self.translator.term(terms, *variable)?;
            let value = model_value(terms, &model, &translated, terms.sort(*variable))?;
            values.insert(*variable, value);
        }
        Some(values)
    }

    fn core(&mut self, terms: &Terms, assumptions: &[TermId]) -> Option<Vec<usize>> {
        if self.is_floating() || assumptions.iter().any(|assumption| terms.has_floats(*assumption)) {
            return self.core_of_whole(terms, assumptions);
        }
        let is_mixed = self.is_mixed()
            || assumptions
                .iter()
                .any(|assumption| terms.mixes_words_and_integers(*assumption));
        if is_mixed && let Some(core) = self.core_of_words(terms, assumptions) {
            return Some(core);
        }
        self.solver.push();
        let mut flags = Vec::with_capacity(assumptions.len());
        let mut translated = true;
        for assumption in assumptions {
            let flag = Bool::fresh_const("needed");
            match self.translator.formula(terms, *assumption) {
                Some(formula) => self.solver.assert(flag.implies(&formula)),
                None => translated = false,
            }
            flags.push(flag);
        }
        // A core may be read only after an unsatisfiable answer; when the rest alone is unsatisfiable it is empty.
        let core = (translated && self.solver.answer(&flags) == SatResult::Unsat).then(|| self.solver.get_unsat_core());
        self.solver.pop(1);
        let core = core?;
        Some(
            (0..flags.len())
                .filter(|position| core.contains(&flags[*position]))
                .collect(),
        )
    }
}
