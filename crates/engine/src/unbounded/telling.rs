//! What was found out of integers, told of the words that they stand for: formulas, certificates and derivations.
//!
//! A sum is compared in words that are wide enough for it, so that the formula says of the words what it said of the integers as long as
//! these fit; an equation is told in the width of its words, where it stays true when they wrap around.

use super::operations::{Signs, range, wrapped};
use super::reading::Reading;
use crate::engine::Verdict;
use crate::evidence::{Certificate, Invariant};
use crate::relations::Offered;
use crate::rules::{Derivation, Program, Rule, Step};
use crate::terms::{Assignment, Comparison, LinearForm, Operator, Rational, TermId, Terms, Value, WordOperator};
use hashbrown::HashMap;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// So many conditional terms of an atom are told by cases.
const MOST_CASES: usize = 32;
/// Words wider than this are not made.
const MOST_BITS: u32 = 512;

/// How inequalities are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Telling {
    /// Of the numbers, in words that are wide enough.
    Exact,
    /// By the operations of the words themselves, as programs say it.
    Wrapping,
}

impl Reading {
    /// The verdict about words, if there is one that can be told.
    pub fn told(&self, program: &Program, verdict: &Verdict) -> Option<Verdict> {
        match verdict {
            Verdict::Safe(certificate) => self.certificate(program, certificate).map(Verdict::Safe),
            Verdict::Unsafe(derivation) => self.derivation(program, derivation).map(Verdict::Unsafe),
            Verdict::Unknown(_) => None,
        }
    }

    /// The same certificate about words, without what cannot be told. `None` if it is of another kind than this is said for.
    fn certificate(&self, program: &Program, certificate: &Certificate) -> Option<Certificate> {
        if !certificate.has_invariants()
            || !certificate.universal.is_empty()
            || !certificate.lemmas.is_empty()
            || !certificate.terms.functions().is_empty()
        {
            return None;
        }
        let mut own = certificate.clone();
        for invariant in own.invariants.iter_mut().chain(&mut own.summaries) {
            let mut words = self.words_of(program, &own.terms, invariant);
            for disjunct in &mut invariant.disjuncts {
                let told = disjunct
                    .iter()
                    .filter_map(|conjunct| words.formula(&mut own.terms, *conjunct, Telling::Exact));
                *disjunct = told.filter(|conjunct| *conjunct != TermId::TRUE).collect();
            }
        }
        Some(own)
    }

    /// All that a certificate says, one by one, as guesses at what holds of the words.
    pub fn guesses(&self, program: &Program, certificate: &Certificate) -> (Program, Vec<Offered>) {
        let mut own = program.clone();
        own.terms = certificate.terms.clone();
        let mut guesses: Vec<Offered> = Vec::new();
        for invariant in certificate.invariants.iter().chain(&certificate.summaries) {
            let mut words = self.words_of(program, &own.terms, invariant);
            for telling in [Telling::Exact, Telling::Wrapping] {
                let mut told = |conjunct: &TermId| words.formula(&mut own.terms, *conjunct, telling);
                let formulas: Vec<TermId> = match &invariant.disjuncts[..] {
                    [only] => only.iter().filter_map(&mut told).collect(),
                    several => {
                        let conjunctions = several.iter().map(|one| one.iter().filter_map(&mut told).collect());
                        let conjunctions: Vec<Vec<TermId>> = conjunctions.collect();
                        let parts: Vec<TermId> = conjunctions.iter().map(|one| own.terms.and(one)).collect();
                        vec![own.terms.or(&parts)]
                    }
                };
                for formula in formulas {
                    let is_known = |other: &Offered| other.predicate == invariant.predicate && other.formula == formula;
                    if formula != TermId::TRUE && !guesses.iter().any(is_known) {
                        guesses.push(Offered {
                            predicate: invariant.predicate,
                            formula,
                            implied_by: Vec::new(),
                        });
                    }
                }
            }
        }
        (own, guesses)
    }

    /// The same steps with the words that the integers are; `None` if turns were left out.
    fn derivation(&self, program: &Program, derivation: &Derivation) -> Option<Derivation> {
        if !derivation.repetitions.is_empty() {
            return None;
        }
        let terms = &program.terms;
        let mut steps = Vec::with_capacity(derivation.steps.len());
        for step in &derivation.steps {
            let known: Assignment = step.values.iter().cloned().collect();
            let rule: &Rule = program.rules().get(step.rule.index())?;
            let variables = terms.variables_of_all(&rule.terms().collect::<Vec<_>>()).into_iter();
            let values = variables.map(|variable| {
                let sort = terms.sort(variable);
                let read = self.integers.get(&variable).copied().unwrap_or(variable);
                let value = match (known.get(&read), terms.width(sort)) {
                    (Some(Value::Number(number)), Some(width)) => Value::Number(wrapped(number, width)),
                    (Some(value), _) => value.clone(),
                    (None, _) => terms.default_value(sort),
                };
                (variable, value)
            });
            steps.push(Step {
                rule: step.rule,
                values: values.collect(),
            });
        }
        Some(Derivation::new(steps))
    }

    fn words_of(&self, program: &Program, terms: &Terms, invariant: &Invariant) -> Words {
        let given = &program.predicate(invariant.predicate).parameters;
        let read = &self.program.predicate(invariant.predicate).parameters;
        Words {
            signs: self.signs,
            of: read.iter().copied().zip(given.iter().copied()).collect(),
            told: [HashMap::new(), HashMap::new()],
            widths: given
                .iter()
                .filter_map(|word| Some((*word, terms.width(terms.sort(*word))?)))
                .collect(),
        }
    }
}

/// The parameters of a predicate.
struct Words {
    signs: Signs,
    /// What each parameter of the integers stands for.
    of: HashMap<TermId, TermId>,
    /// Formulas that have been told, exactly and with wrapping.
    told: [HashMap<TermId, Option<TermId>>; 2],
    widths: HashMap<TermId, u32>,
}

impl Words {
    /// The formula about words; `None` if it cannot be told.
    fn formula(&mut self, terms: &mut Terms, formula: TermId, telling: Telling) -> Option<TermId> {
        let place = usize::from(telling == Telling::Wrapping);
        for part in terms.subterms(&[formula]) {
            if terms.sort(part) != crate::terms::SortId::BOOL || self.told[place].contains_key(&part) {
                continue;
            }
            let told = match terms.linear_atom(part) {
                Some(atom) => self.by_cases(terms, (&atom.form, atom.comparison), telling, &mut { MOST_CASES }),
                None => self.connective(terms, part, place),
            };
            self.told[place].insert(part, told);
        }
        self.told[place].get(&formula).copied().flatten()
    }

    fn connective(&self, terms: &mut Terms, formula: TermId, place: usize) -> Option<TermId> {
        if terms.is_variable(formula) {
            return self.of.get(&formula).copied();
        }
        let is_connective = matches!(
            terms.operator(formula),
            Operator::True
                | Operator::False
                | Operator::Not
                | Operator::And
                | Operator::Or
                | Operator::Equal
                | Operator::IfThenElse
        );
        let arguments = terms.arguments(formula).iter();
        let told = arguments.map(|part| self.told[place].get(part).copied().flatten());
        let told: Vec<TermId> = told.collect::<Option<_>>()?;
        match (is_connective, told.is_empty()) {
            (false, _) => None,
            (true, true) => Some(formula),
            (true, false) => Some(terms.with_arguments(formula, &told)),
        }
    }

    /// `form ⋈ 0` where the form may have conditional terms: a case for either branch, as long as there are some left.
    fn by_cases(
        &self,
        terms: &mut Terms,
        (form, comparison): (&LinearForm, Comparison),
        telling: Telling,
        left: &mut usize,
    ) -> Option<TermId> {
        let is_conditional = |(term, _): &&(TermId, Rational)| terms.operator(*term) == Operator::IfThenElse;
        let Some((term, coefficient)) = form.terms.iter().find(is_conditional) else {
            return self.comparison(terms, form, comparison, telling);
        };
        *left = left.checked_sub(1)?;
        let &[condition, one, other] = terms.arguments(*term) else {
            return None;
        };
        let place = usize::from(telling == Telling::Wrapping);
        let condition = self.told[place].get(&condition).copied().flatten()?;
        let mut rest = form.clone();
        rest.terms.retain(|(part, _)| part != term);
        let mut branch = |terms: &mut Terms, branch: TermId| {
            let form = rest.add_scaled(&terms.linear_form(branch), coefficient);
            self.by_cases(terms, (&form, comparison), telling, left)
        };
        let (one, other) = (branch(terms, one)?, branch(terms, other)?);
        Some(terms.if_then_else(condition, one, other))
    }

    /// `form ⋈ 0` of words.
    fn comparison(
        &self,
        terms: &mut Terms,
        form: &LinearForm,
        comparison: Comparison,
        telling: Telling,
    ) -> Option<TermId> {
        let mut summands = Vec::with_capacity(form.terms.len());
        let mut size = form.constant.to_integer().abs();
        let mut widest = 1;
        for (term, coefficient) in &form.terms {
            let word = *self.of.get(term)?;
            let width = *self.widths.get(&word)?;
            if !coefficient.is_integer() {
                return None;
            }
            size += coefficient.to_integer().abs();
            widest = width.max(widest);
            summands.push((word, width, coefficient.to_integer()));
        }
        let is_equation = comparison == Comparison::Equal;
        if let [(word, width, coefficient)] = &summands[..]
            && coefficient.abs().is_one()
            && !is_equation
        {
            return self.bound(terms, (*word, *width), coefficient.is_positive(), form, comparison);
        }
        if let [(left, width, one), (right, other, minus)] = &summands[..]
            && width == other
            && one.abs().is_one()
            && (one + minus).is_zero()
            && !is_equation
        {
            let (left, right) = if one.is_positive() {
                (*left, *right)
            } else {
                (*right, *left)
            };
            let is_strict = comparison == Comparison::Less || form.constant == Rational::from_integer(BigInt::one());
            if form.constant.is_zero() || (is_strict && comparison == Comparison::LessOrEqual) {
                return match is_strict {
                    true => terms.word_less(self.at_most(), left, right),
                    false => terms.word_operation(self.at_most(), &[left, right], 0),
                };
            }
        }
        let is_wrapping = is_equation || telling == Telling::Wrapping;
        let bits = u32::try_from(size.bits()).ok()?;
        let width = if is_wrapping {
            widest
        } else {
            widest.checked_add(bits)?.checked_add(1)?
        };
        if width > MOST_BITS {
            return None;
        }
        let mut sum = terms.word(form.constant.to_integer(), width);
        for (word, own, coefficient) in summands {
            let word = self.widened(terms, word, own, width)?;
            let coefficient = terms.word(coefficient, width);
            let product = terms.word_operation(WordOperator::Multiply, &[coefficient, word], width)?;
            sum = terms.word_operation(WordOperator::Add, &[sum, product], width)?;
        }
        let zero = terms.word(0, width);
        match comparison {
            Comparison::Equal => Some(terms.equal(sum, zero)),
            Comparison::LessOrEqual => terms.word_operation(WordOperator::SignedLessOrEqual, &[sum, zero], 0),
            Comparison::Less => terms.word_less(WordOperator::SignedLessOrEqual, sum, zero),
        }
    }

    /// A bound of one word, `±word + constant ⋈ 0`.
    fn bound(
        &self,
        terms: &mut Terms,
        (word, width): (TermId, u32),
        is_upper: bool,
        form: &LinearForm,
        comparison: Comparison,
    ) -> Option<TermId> {
        let slack = BigInt::from(u8::from(comparison == Comparison::Less));
        let constant = form.constant.to_integer();
        let (least, greatest) = range(self.signs, width);
        let limit = if is_upper { -constant - slack } else { constant + slack };
        if (is_upper && limit >= greatest) || (!is_upper && limit <= least) {
            return Some(TermId::TRUE);
        }
        if limit < least || limit > greatest {
            return Some(TermId::FALSE);
        }
        let limit = terms.word(limit, width);
        let sides = if is_upper { [word, limit] } else { [limit, word] };
        terms.word_operation(self.at_most(), &sides, 0)
    }

    fn at_most(&self) -> WordOperator {
        match self.signs {
            Signs::Signed => WordOperator::SignedLessOrEqual,
            Signs::Unsigned => WordOperator::UnsignedLessOrEqual,
        }
    }

    fn widened(&self, terms: &mut Terms, word: TermId, own: u32, width: u32) -> Option<TermId> {
        match (self.signs, width.checked_sub(own)?) {
            (_, 0) => Some(word),
            (Signs::Signed, _) => terms.word_operation(WordOperator::SignExtend, &[word], width),
            (Signs::Unsigned, more) => {
                let zeros = terms.word(0, more);
                terms.word_operation(WordOperator::Concatenate, &[zeros, word], width)
            }
        }
    }
}
