//! Terms in normal form, as far as definitions and lemmas say what they are.

use super::instances::is_instance;
use crate::terms::{Operator, Rational, SortId, Substitution, TermId, Terms};
use hashbrown::HashMap;
use num_traits::One;

/// Definitions are put in so often for one term.
const UNFOLDED: usize = 300;
/// Of larger terms the size is not told.
const MOST_PARTS: usize = 240;

/// Terms with definitions put in where their cases are known, and by lemmas that make them smaller.
pub(super) struct Normalization {
    rules: Vec<(TermId, TermId)>,
    done: HashMap<TermId, TermId>,
    /// How many definitions were put in, for all terms and for one.
    pub unfolded: usize,
    left: usize,
}

impl Normalization {
    /// By definitions and these lemmas.
    pub fn new(terms: &mut Terms, lemmas: &[TermId]) -> Normalization {
        let mut rules = Vec::new();
        for lemma in lemmas {
            let ways = oriented(terms, *lemma).into_iter();
            rules.extend(ways.filter(|(from, to)| size(terms, *from) > size(terms, *to)));
        }
        Normalization {
            rules,
            done: HashMap::new(),
            unfolded: 0,
            left: 0,
        }
    }

    /// What a term is.
    pub fn normal(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        self.left = UNFOLDED;
        self.within(terms, term)
    }

    /// Each level puts in a definition or uses a lemma, of which there is a limited number.
    fn within(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        if let Some(known) = self.done.get(&term) {
            return *known;
        }
        let arguments = terms.arguments(term).to_vec();
        let normal: Vec<TermId> = match terms.operator(term) {
            Operator::IfThenElse => {
                let condition = self.within(terms, arguments[0]);
                match condition {
                    TermId::TRUE => return self.within(terms, arguments[1]),
                    TermId::FALSE => return self.within(terms, arguments[2]),
                    _ => [&[condition], &arguments[1..]].concat(),
                }
            }
            _ => arguments.iter().map(|argument| self.within(terms, *argument)).collect(),
        };
        let built = if normal == arguments {
            term
        } else {
            terms.with_arguments(term, &normal)
        };
        let result = match terms.operator(built) {
            Operator::Apply(_) => self.applied(terms, built),
            _ => built,
        };
        self.done.insert(term, result);
        result
    }

    fn applied(&mut self, terms: &mut Terms, call: TermId) -> TermId {
        if self.left == 0 {
            return call;
        }
        self.left -= 1;
        self.unfolded += 1;
        let mut body = terms.unfolded(call);
        while let Some(current) = body {
            if current.index() <= 1 {
                return current;
            }
            let (operator, arguments) = (terms.operator(current), terms.arguments(current).to_vec());
            match (operator, &arguments[..]) {
                (Operator::IfThenElse, &[condition, left, right]) => {
                    body = match self.within(terms, condition) {
                        TermId::TRUE => Some(left),
                        TermId::FALSE => Some(right),
                        _ => None,
                    };
                }
                _ if terms.sort(current) == SortId::BOOL => {
                    let value = self.within(terms, current);
                    if value.index() <= 1 || matches!(terms.operator(value), Operator::Apply(_)) {
                        return value;
                    }
                    body = None;
                }
                _ => return self.within(terms, current),
            }
        }
        for (from, to) in self.rules.clone() {
            let mut bindings = Vec::new();
            if is_instance(terms, from, call, &mut bindings) {
                let (variables, values): (Vec<TermId>, Vec<TermId>) = bindings.into_iter().unzip();
                let instance = Substitution::of(terms, &variables, &values);
                let by = terms.substitute(to, &instance);
                return self.within(terms, by);
            }
        }
        call
    }
}

/// An equation as what may be put in the place of what: applications by the other side.
pub(super) fn oriented(terms: &mut Terms, equation: TermId) -> Vec<(TermId, TermId)> {
    let (Operator::Equal, &[left, right]) = (terms.operator(equation), terms.arguments(equation)) else {
        return Vec::new();
    };
    let mut ways = Vec::new();
    let is_call = |terms: &Terms, term: TermId| matches!(terms.operator(term), Operator::Apply(_));
    let covers = |terms: &Terms, from: TermId, to: TermId| {
        let inside = terms.variables(from);
        terms.variables(to).iter().all(|one| inside.contains(one))
    };
    let sort = terms.sort(left);
    if !sort.is_numeric() {
        let both = [(left, right), (right, left)].into_iter();
        ways.extend(both.filter(|(from, to)| is_call(terms, *from) && covers(terms, *from, *to)));
        return ways;
    }
    let form = terms
        .linear_form(left)
        .add_scaled(&terms.linear_form(right), &-Rational::one());
    for (part, factor) in &form.terms {
        if is_call(terms, *part) && factor * factor == Rational::one() {
            let own = terms.linear_form(*part);
            let rest = form.add_scaled(&own, &-factor).scaled(&-factor);
            let rest = terms.linear_term(&rest, sort);
            if covers(terms, *part, rest) {
                ways.push((*part, rest));
            }
        }
    }
    ways
}

/// How many parts a term has, each as often as it is there.
pub(super) fn size(terms: &Terms, term: TermId) -> usize {
    let mut size = 0;
    let mut stack = vec![term];
    while let Some(current) = stack.pop() {
        size += 1;
        if size > MOST_PARTS {
            break;
        }
        stack.extend(terms.arguments(current));
    }
    size
}
