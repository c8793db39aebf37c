//! Recursive datatypes by their sizes: what a program says of how many constructors its lists, trees and numbers have.
//!
//! Many properties of programs over lists and trees follow from sizes alone: `append` adds lengths, what is inserted makes a tree larger
//! by one. So each parameter of a recursive datatype becomes an integer, its [size](crate::terms::Terms::size_of), and the rules say of
//! these integers what they said of the terms, as far as it can be said (more runs may be possible then, never fewer). If that
//! program is safe, its certificate with sizes in the place of the integers is one for the original, which the checker decides.
//! Otherwise nothing is known. Where a datatype is the natural numbers, with zero and a successor, nothing is lost.
//!
//! The seeds have no such step; functions on terms that are defined by their recursion are known as catamorphisms.
//!
//! ```
//! use clausal::engine::{Options, Verdict};
//!
//! let source = "(set-logic HORN)
//!     (declare-datatypes ((list 0)) (((nil) (cons (head Int) (tail list)))))
//!     (declare-fun append (list list list) Bool)
//!     (assert (forall ((Y list)) (append nil Y Y)))
//!     (assert (forall ((H Int) (X list) (Y list) (Z list)) (=> (append X Y Z) (append (cons H X) Y (cons H Z)))))
//!     (assert (forall ((X list)) (=> (append X (cons 1 nil) X) false)))";
//! let program = clausal::horn::read_with_calls(source).product.expect("a well-formed text");
//! let outcome = clausal::sizes::verify(&program, &Options::default());
//! assert!(matches!(outcome.verdict, Verdict::Safe(_)));
//! ```

use crate::deep_stack::on_deep_stack;
use crate::engine::{self, Options, Outcome, StopReason, Verdict};
use crate::evidence::{Certificate, CheckError, CheckLimits, Invariant, check_certificate};
use crate::relations;
use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::steps::budget::{Budget, BudgetWatch};
use crate::terms::{ConstructorId, Operator, Sort, SortId, Substitution, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use std::time::Instant;

/// Verifies that no query of the program derives the error, by what it says of sizes. The answer is *safe* or unknown.
pub fn verify(program: &Program, options: &Options) -> Outcome {
    let has_sizes = program
        .terms
        .datatypes()
        .iter()
        .any(|datatype| program.terms.is_recursive(datatype.sort));
    if !has_sizes {
        return unknown("programs without recursive datatypes, by sizes");
    }
    let started = Instant::now();
    let abstraction = match on_deep_stack(|| Abstraction::new(program)) {
        Ok(abstraction) => abstraction,
        Err(failure) => return engine::failed(failure),
    };
    let mut outcome = relations::verify(&abstraction.program, options);
    outcome.invariants.clear();
    outcome.tree = None;
    outcome.verdict = match outcome.verdict {
        Verdict::Safe(certificate) => {
            let rest = options.budget.after(started.elapsed());
            abstraction.concluded(program, certificate, options, &rest)
        }
        Verdict::Unsafe(_) => Verdict::Unknown(StopReason::NotSupported(
            "properties of datatypes that do not follow from sizes, by sizes".to_string(),
        )),
        unknown => unknown,
    };
    outcome
}

fn unknown(what: &str) -> Outcome {
    Outcome::unknown(StopReason::NotSupported(what.to_string()))
}

/// What becomes of terms of a sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// They stay.
    Kept,
    /// Their size takes their place.
    Sized,
    /// They have recursive datatypes inside; nothing is said of them.
    Dropped,
}

/// A program about sizes, and how its parameters come from those of the original.
struct Abstraction {
    program: Program,
    /// Each parameter of the new program, with the original's.
    parameters: Vec<(TermId, TermId)>,
}

impl Abstraction {
    fn new(original: &Program) -> Abstraction {
        let mut program = Program::new();
        program.terms = original.terms.clone();
        let kinds: Vec<Vec<Kind>> = original
            .predicates()
            .iter()
            .map(|predicate| {
                let sorts = predicate.parameters.iter().map(|one| original.terms.sort(*one));
                sorts.map(|sort| kind_of(&original.terms, sort)).collect()
            })
            .collect();
        let mut parameters = Vec::new();
        for (predicate, kinds) in original.predicates().iter().zip(&kinds).skip(2) {
            let mut declared: Vec<(&str, SortId)> = Vec::new();
            let mut origins = Vec::new();
            for (parameter, kind) in predicate.parameters.iter().zip(kinds) {
                let sort = match kind {
                    Kind::Kept => original.terms.sort(*parameter),
                    Kind::Sized => SortId::INT,
                    Kind::Dropped => continue,
                };
                declared.push((original.terms.variable_name(*parameter), sort));
                origins.push(*parameter);
            }
            let id = program.add_predicate(&predicate.name, predicate.point.as_deref(), &declared);
            parameters.extend(program.predicate(id).parameters.iter().copied().zip(origins));
        }
        for rule in original.rules() {
            let rule = RuleOfSizes::new(&mut program.terms, &kinds).rule(rule);
            program.add_rule(rule);
        }
        Abstraction { program, parameters }
    }

    /// The verdict on the original that a certificate for the sizes gives.
    fn concluded(&self, original: &Program, certificate: Certificate, options: &Options, budget: &Budget) -> Verdict {
        let mut terms = certificate.terms;
        let mut sizes = Substitution::new();
        for (parameter, origin) in &self.parameters {
            let value = match kind_of(&terms, terms.sort(*origin)) {
                Kind::Sized => terms.size_of(*origin),
                _ => *origin,
            };
            sizes.insert(&terms, *parameter, value);
        }
        let mut of_original = |invariants: Vec<Invariant>| -> Vec<Invariant> {
            let translated = invariants.into_iter().map(|invariant| {
                let disjuncts = invariant.disjuncts.iter();
                let disjuncts = disjuncts
                    .map(|conjuncts| terms.substitute_all(conjuncts, &sizes))
                    .collect();
                Invariant { disjuncts, ..invariant }
            });
            translated.collect()
        };
        let (invariants, summaries) = (of_original(certificate.invariants), of_original(certificate.summaries));
        let certificate = Certificate {
            terms,
            invariants,
            summaries,
            universal: Vec::new(),
            induction_depth: certificate.induction_depth,
        };
        let budget = BudgetWatch::start(budget, &options.cancellation);
        let limits = CheckLimits {
            query_resources: options.budget.query_resources,
            watch: Some(&budget),
        };
        match check_certificate(original, &certificate, limits) {
            Ok(_) => Verdict::Safe(certificate),
            Err(CheckError::Cancelled) => Verdict::Unknown(budget.interruption().unwrap_or(StopReason::Cancelled)),
            // What is unfolded of sizes may be too little for a conclusion that holds.
            Err(error) => Verdict::Unknown(StopReason::SolverGaveUp(format!("checking the certificate: {error}"))),
        }
    }
}

fn kind_of(terms: &Terms, sort: SortId) -> Kind {
    if terms.datatype(sort).is_some() && terms.is_recursive(sort) {
        return Kind::Sized;
    }
    let mut seen: HashSet<SortId> = HashSet::new();
    let mut stack = vec![sort];
    while let Some(inner) = stack.pop() {
        if !seen.insert(inner) {
            continue;
        }
        if inner != sort && terms.is_recursive(inner) {
            return Kind::Dropped;
        }
        match terms.sort_of_id(inner) {
            Sort::Array(index, element) => stack.extend([index, element]),
            Sort::Datatype(_) => {
                let constructors = terms.datatype(inner).map_or(&[][..], |datatype| &datatype.constructors);
                let fields = constructors.iter().flat_map(|id| &terms.constructor(*id).fields);
                stack.extend(fields.map(|field| terms.field(*field).sort));
            }
            Sort::Int | Sort::Real | Sort::Bool | Sort::Word(_) | Sort::Float(_) => {}
        }
    }
    Kind::Kept
}

/// One rule on its way to what it says of sizes.
struct RuleOfSizes<'a> {
    terms: &'a mut Terms,
    kinds: &'a [Vec<Kind>],
    /// The integers for the sizes of terms, and variables for what is not said.
    stand_ins: HashMap<TermId, TermId>,
    /// What is known of them.
    known: Vec<TermId>,
}

impl<'a> RuleOfSizes<'a> {
    fn new(terms: &'a mut Terms, kinds: &'a [Vec<Kind>]) -> RuleOfSizes<'a> {
        RuleOfSizes {
            terms,
            kinds,
            stand_ins: HashMap::new(),
            known: Vec::new(),
        }
    }

    fn rule(mut self, rule: &Rule) -> Rule {
        let mut constraint = Vec::new();
        for formula in &rule.constraint {
            constraint.push(self.implied(*formula, true));
        }
        let head = self.atom(&rule.head);
        let body = rule.body.iter().map(|atom| self.atom(atom)).collect();
        constraint.append(&mut self.known);
        constraint.retain(|formula| *formula != TermId::TRUE);
        Rule {
            head,
            constraint,
            body,
            location: rule.location,
        }
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        let kinds = &self.kinds[atom.predicate.index()];
        let mut arguments = Vec::with_capacity(atom.arguments.len());
        for (argument, kind) in atom.arguments.iter().zip(kinds) {
            match kind {
                Kind::Kept => arguments.push(self.kept(*argument)),
                Kind::Sized => arguments.push(self.size(*argument)),
                Kind::Dropped => {}
            }
        }
        Atom {
            predicate: PredicateId::from_index(atom.predicate.index()),
            arguments,
        }
    }

    fn kind(&self, term: TermId) -> Kind {
        kind_of(self.terms, self.terms.sort(term))
    }

    /// Whether a term has others inside that do not stay.
    fn is_foreign(&self, term: TermId) -> bool {
        let mut seen: HashSet<TermId> = HashSet::new();
        let mut stack = vec![term];
        while let Some(current) = stack.pop() {
            if seen.insert(current) {
                if self.kind(current) != Kind::Kept {
                    return true;
                }
                stack.extend(self.terms.arguments(current));
            }
        }
        false
    }

    fn stand_in(&mut self, term: TermId, sort: SortId) -> TermId {
        if let Some(known) = self.stand_ins.get(&term) {
            return *known;
        }
        let name = match self.terms.is_variable(term) {
            true => self.terms.variable_name(term).to_string(),
            false => "Part".to_string(),
        };
        let variable = self.terms.fresh_variable(&name, sort);
        self.stand_ins.insert(term, variable);
        variable
    }

    /// The size of a term of a recursive datatype.
    fn size(&mut self, term: TermId) -> TermId {
        let (mut parts, mut constructed) = (Vec::new(), 0i64);
        let mut stack = vec![term];
        while let Some(current) = stack.pop() {
            if let Operator::Construct(constructor) = self.terms.operator(current) {
                constructed += 1;
                let fields = self.terms.constructor(constructor).fields.clone();
                for (field, argument) in fields.into_iter().zip(self.terms.arguments(current).to_vec()) {
                    if self.terms.is_recurring(field) {
                        stack.push(argument);
                    }
                }
                continue;
            }
            let is_new = !self.stand_ins.contains_key(&current);
            let variable = self.stand_in(current, SortId::INT);
            if is_new {
                let one = self.terms.integer(1);
                self.known.push(self.terms.less_or_equal(one, variable));
                self.branches(current, variable);
            }
            parts.push(variable);
        }
        parts.push(self.terms.integer(constructed));
        let mut sum = parts[0];
        for part in &parts[1..] {
            sum = self.terms.add(sum, *part);
        }
        sum
    }

    /// The size of an `if` is that of one of its branches.
    fn branches(&mut self, term: TermId, size: TermId) {
        if let (Operator::IfThenElse, &[condition, left, right]) =
            (self.terms.operator(term), self.terms.arguments(term))
        {
            let sides = [(condition, true, left), (condition, false, right)].map(|(condition, holds, side)| {
                let condition = self.implied(condition, holds);
                let side = self.size(side);
                let equal = self.terms.equal(size, side);
                self.terms.and(&[condition, equal])
            });
            let either = self.terms.or(&sides);
            self.known.push(either);
        }
    }

    /// A term that stays, with variables for what is inside of it and does not.
    fn kept(&mut self, term: TermId) -> TermId {
        if !self.is_foreign(term) {
            return term;
        }
        // What reads from something that does not stay, outermost first.
        let mut readers: Vec<TermId> = Vec::new();
        let mut seen: HashSet<TermId> = HashSet::new();
        let mut stack = vec![term];
        while let Some(current) = stack.pop() {
            if !seen.insert(current) {
                continue;
            }
            let arguments = self.terms.arguments(current).to_vec();
            match arguments.iter().any(|argument| self.kind(*argument) != Kind::Kept) {
                true => readers.push(current),
                false => stack.extend(arguments),
            }
        }
        readers.sort();
        let mut done = HashMap::new();
        for reader in readers {
            let sort = self.terms.sort(reader);
            let variable = self.stand_in(reader, sort);
            done.insert(reader, variable);
        }
        self.terms.rewritten(term, &mut done, |_, _| None, |_, built| built)
    }

    /// What a formula, or its negation, says of sizes. Formulas are as deeply nested as their readers allow, so is the recursion.
    fn implied(&mut self, formula: TermId, holds: bool) -> TermId {
        let arguments = self.terms.arguments(formula).to_vec();
        match (self.terms.operator(formula), &arguments[..]) {
            (Operator::Not, [inner]) => self.implied(*inner, !holds),
            (operator @ (Operator::And | Operator::Or), _) => {
                let parts: Vec<TermId> = arguments.iter().map(|part| self.implied(*part, holds)).collect();
                match (operator == Operator::And) == holds {
                    true => self.terms.and(&parts),
                    false => self.terms.or(&parts),
                }
            }
            (Operator::Equal, [left, right]) if self.terms.sort(*left) == SortId::BOOL => {
                let sides = [true, false].map(|truth| {
                    let left = self.implied(*left, truth);
                    let right = self.implied(*right, truth == holds);
                    self.terms.and(&[left, right])
                });
                self.terms.or(&sides)
            }
            (Operator::Equal, [left, right]) => match self.kind(*left) {
                Kind::Kept => self.literal(formula, holds),
                Kind::Dropped => TermId::TRUE,
                Kind::Sized => self.equality(*left, *right, holds),
            },
            (Operator::IsMadeBy(constructor), [whole]) => match self.kind(*whole) {
                Kind::Kept => self.literal(formula, holds),
                Kind::Dropped => TermId::TRUE,
                Kind::Sized => self.made(constructor, *whole, holds),
            },
            _ => self.literal(formula, holds),
        }
    }

    fn literal(&mut self, formula: TermId, holds: bool) -> TermId {
        let formula = self.kept(formula);
        match holds {
            true => formula,
            false => self.terms.not(formula),
        }
    }

    fn equality(&mut self, left: TermId, right: TermId, holds: bool) -> TermId {
        for (side, other) in [(left, right), (right, left)] {
            if let (Operator::Construct(constructor), []) = (self.terms.operator(side), self.terms.arguments(side)) {
                return self.made(constructor, other, holds);
            }
        }
        let is_exact = self.terms.is_natural(self.terms.sort(left));
        if !holds && !is_exact {
            return TermId::TRUE;
        }
        let (first, second) = (self.size(left), self.size(right));
        let equal = self.terms.equal(first, second);
        if !holds {
            return self.terms.not(equal);
        }
        // Beside their sizes, the parts of what is constructed are the parts of the other side, where that is constructed too; the
        // constructors of terms have seen to that.
        equal
    }

    /// What a constructor says of the size, or that it was another one.
    fn made(&mut self, constructor: ConstructorId, whole: TermId, holds: bool) -> TermId {
        let size = self.size(whole);
        let sort = self.terms.constructed_sort(constructor);
        let constructors = self.terms.datatype(sort).map(|datatype| datatype.constructors.clone());
        let possible = constructors.unwrap_or_default().into_iter();
        let possible: Vec<ConstructorId> = possible.filter(|other| (*other == constructor) == holds).collect();
        let mut ways = Vec::with_capacity(possible.len());
        for other in possible {
            let fields = self.terms.constructor(other).fields.clone();
            let recurring = fields.iter().filter(|field| self.terms.is_recurring(**field)).count();
            let least = self.terms.integer(1 + recurring as i64);
            ways.push(match recurring {
                0 => self.terms.equal(size, least),
                _ => self.terms.less_or_equal(least, size),
            });
        }
        self.terms.or(&ways)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTS: &str = "(set-logic HORN)
        (declare-datatypes ((nat 0)) (((zero) (succ (pred nat)))))
        (declare-datatypes ((list 0)) (((nil) (cons (head nat) (tail list)))))
        (declare-fun append (list list list) Bool)
        (assert (forall ((Y list)) (append nil Y Y)))
        (assert (forall ((H nat) (X list) (Y list) (Z list)) (=> (append X Y Z) (append (cons H X) Y (cons H Z)))))
        (declare-fun length (list nat) Bool)
        (assert (length nil zero))
        (assert (forall ((H nat) (T list) (N nat)) (=> (length T N) (length (cons H T) (succ N)))))
        (declare-fun plus (nat nat nat) Bool)
        (assert (forall ((Y nat)) (plus zero Y Y)))
        (assert (forall ((X nat) (Y nat) (Z nat)) (=> (plus X Y Z) (plus (succ X) Y (succ Z)))))\n";

    fn verdict(question: &str) -> Verdict {
        let program = crate::horn::read_with_calls(&format!("{LISTS}{question}"));
        let program = program.product.expect("a well-formed text");
        verify(&program, &Options::default()).verdict
    }

    #[test]
    fn lengths_of_appended_lists_add_up() {
        let safe =
            "(assert (forall ((X list) (Y list) (Z list) (A nat) (B nat) (C nat) (D nat)) (=> (and (append X Y Z)
            (length X A) (length Y B) (length Z C) (plus A B D) (not (= C D))) false)))";
        assert!(matches!(verdict(safe), Verdict::Safe(_)), "{:?}", verdict(safe));
    }

    #[test]
    fn what_sizes_do_not_say_is_left_open() {
        let open = "(assert (forall ((X list)) (=> (append X nil (cons zero X)) false)))
            (assert (forall ((X list) (Y list)) (=> (and (append X nil Y) (not (= X Y))) false)))";
        assert!(matches!(verdict(open), Verdict::Unknown(_)));
        let wrong = "(assert (forall ((X list) (N nat)) (=> (and (length X N) (= N (succ (succ zero)))) false)))";
        assert!(matches!(verdict(wrong), Verdict::Unknown(_)));
    }
}
