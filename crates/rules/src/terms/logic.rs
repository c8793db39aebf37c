//! Constructors of formulas: comparisons in normal form, connectives flattened and sorted, negations pushed to the atoms.

use super::{Comparison, Operator, Rational, SortId, TermId, Terms};
use num_traits::One;

impl Terms {
    /// `left = right`, of any one sort.
    pub fn equal(&mut self, left: TermId, right: TermId) -> TermId {
        if left == right {
            return TermId::TRUE;
        }
        let sort = self.sort(left);
        if sort.is_numeric() {
            return self.compare(left, right, Comparison::Equal);
        }
        if sort == SortId::BOOL {
            return self.equivalent(left, right);
        }
        if self.datatype(sort).is_some() {
            return self.equal_constructed(left, right);
        }
        // Different words; other numbers have been compared.
        if self.number_value(left).is_some() && self.number_value(right).is_some() {
            return TermId::FALSE;
        }
        let (first, second) = (left.min(right), left.max(right));
        self.intern(Operator::Equal, &[first, second], SortId::BOOL)
    }

    fn equivalent(&mut self, left: TermId, right: TermId) -> TermId {
        match (left, right) {
            (TermId::TRUE, other) | (other, TermId::TRUE) => other,
            (TermId::FALSE, other) | (other, TermId::FALSE) => self.not(other),
            _ if self.not(left) == right => TermId::FALSE,
            _ => {
                let (first, second) = (left.min(right), left.max(right));
                self.intern(Operator::Equal, &[first, second], SortId::BOOL)
            }
        }
    }

    /// `left ≠ right`.
    pub fn not_equal(&mut self, left: TermId, right: TermId) -> TermId {
        let equal = self.equal(left, right);
        self.not(equal)
    }

    /// `left =< right`, over one numeric sort.
    pub fn less_or_equal(&mut self, left: TermId, right: TermId) -> TermId {
        self.compare(left, right, Comparison::LessOrEqual)
    }

    /// `left < right`, over one numeric sort.
    pub fn less(&mut self, left: TermId, right: TermId) -> TermId {
        self.compare(left, right, Comparison::Less)
    }

    /// `left ⋈ right`, over one numeric sort.
    pub fn compare(&mut self, left: TermId, right: TermId, comparison: Comparison) -> TermId {
        // A variable and a number are in normal form already, but for a strict bound on an integer.
        if self.is_variable(left) && self.number_value(right).is_some() {
            let sort = self.sort(left);
            match comparison {
                Comparison::Equal => return self.intern(Operator::Equal, &[left, right], SortId::BOOL),
                Comparison::LessOrEqual => return self.intern(Operator::LessOrEqual, &[left, right], SortId::BOOL),
                Comparison::Less if sort == SortId::REAL => {
                    return self.intern(Operator::Less, &[left, right], SortId::BOOL);
                }
                Comparison::Less => {}
            }
        }
        let form = self
            .linear_form(left)
            .add_scaled(&self.linear_form(right), &-Rational::one());
        self.linear_formula(&form, comparison, self.sort(left))
    }

    /// The negation of a formula, pushed inwards to the atoms.
    pub fn not(&mut self, formula: TermId) -> TermId {
        if let Some(known) = self.nodes[formula.index()].negation {
            return known;
        }
        if !matches!(self.operator(formula), Operator::And | Operator::Or) {
            let negation = self.not_atom(formula);
            self.nodes[formula.index()].negation = Some(negation);
            return negation;
        }
        // An explicit stack: formulas can be nested as deeply as an input likes. `done` maps a formula to its negation.
        let mut done: hashbrown::HashMap<TermId, TermId> = hashbrown::HashMap::new();
        let mut stack = vec![formula];
        while let Some(&current) = stack.last() {
            if done.contains_key(&current) {
                stack.pop();
                continue;
            }
            let operator = self.operator(current);
            if matches!(operator, Operator::And | Operator::Or) {
                let arguments = self.arguments(current);
                let waiting: Vec<TermId> = arguments
                    .iter()
                    .copied()
                    .filter(|argument| !done.contains_key(argument))
                    .collect();
                if !waiting.is_empty() {
                    stack.extend(waiting);
                    continue;
                }
                let negated: Vec<TermId> = arguments
                    .iter()
                    .map(|argument| done.get(argument).copied().unwrap_or(TermId::TRUE))
                    .collect();
                let negation = if operator == Operator::And {
                    self.or(&negated)
                } else {
                    self.and(&negated)
                };
                done.insert(current, negation);
            } else {
                let negation = self.not(current);
                done.insert(current, negation);
            }
            stack.pop();
        }
        let negation = done.get(&formula).copied().unwrap_or(TermId::TRUE);
        self.nodes[formula.index()].negation = Some(negation);
        negation
    }

    fn not_atom(&mut self, atom: TermId) -> TermId {
        if let Some(negation) = self.negated_emptiness(atom) {
            return negation;
        }
        match self.operator(atom) {
            Operator::True => TermId::FALSE,
            Operator::False => TermId::TRUE,
            Operator::Not => self.arguments(atom)[0],
            Operator::LessOrEqual | Operator::Less => {
                let strict = self.operator(atom) == Operator::LessOrEqual;
                let sort = self.sort(self.arguments(atom)[0]);
                match self.linear_atom(atom) {
                    Some(linear) => {
                        let form = linear.form.scaled(&-Rational::one());
                        let comparison = if strict {
                            Comparison::Less
                        } else {
                            Comparison::LessOrEqual
                        };
                        self.linear_formula(&form, comparison, sort)
                    }
                    None => self.intern(Operator::Not, &[atom], SortId::BOOL),
                }
            }
            _ => self.intern(Operator::Not, &[atom], SortId::BOOL),
        }
    }

    /// The conjunction of formulas.
    pub fn and(&mut self, formulas: &[TermId]) -> TermId {
        self.connective(Operator::And, formulas, TermId::TRUE, TermId::FALSE)
    }

    /// The disjunction of formulas.
    pub fn or(&mut self, formulas: &[TermId]) -> TermId {
        self.connective(Operator::Or, formulas, TermId::FALSE, TermId::TRUE)
    }

    /// `premise` implies `conclusion`.
    pub fn implies(&mut self, premise: TermId, conclusion: TermId) -> TermId {
        let negated = self.not(premise);
        self.or(&[negated, conclusion])
    }

    fn connective(&mut self, operator: Operator, formulas: &[TermId], neutral: TermId, absorbing: TermId) -> TermId {
        let mut parts = Vec::with_capacity(formulas.len());
        for formula in formulas {
            if *formula == absorbing {
                return absorbing;
            }
            if self.operator(*formula) == operator {
                parts.extend_from_slice(self.arguments(*formula));
            } else if *formula != neutral {
                parts.push(*formula);
            }
        }
        parts.sort();
        parts.dedup();
        for index in 0..parts.len() {
            let part = parts[index];
            let complement = match self.operator(part) {
                Operator::And | Operator::Or => continue,
                _ => self.not(part),
            };
            if parts.binary_search(&complement).is_ok() {
                return absorbing;
            }
        }
        match parts[..] {
            [] => neutral,
            [only] => only,
            _ => self.intern(operator, &parts, SortId::BOOL),
        }
    }

    /// `if condition then left else right`. Over Booleans it becomes a formula of the other connectives.
    pub fn if_then_else(&mut self, condition: TermId, left: TermId, right: TermId) -> TermId {
        match condition {
            TermId::TRUE => return left,
            TermId::FALSE => return right,
            _ if left == right => return left,
            _ => {}
        }
        let sort = self.sort(left);
        if sort == SortId::BOOL {
            let otherwise = self.not(condition);
            let first = self.or(&[otherwise, left]);
            let second = self.or(&[condition, right]);
            return self.and(&[first, second]);
        }
        self.intern(Operator::IfThenElse, &[condition, left, right], sort)
    }

    /// The conjuncts of a formula: its arguments if it is a conjunction, none if it is true, otherwise itself.
    pub fn conjuncts(&self, formula: TermId) -> Vec<TermId> {
        match self.operator(formula) {
            Operator::And => self.arguments(formula).to_vec(),
            Operator::True => Vec::new(),
            _ => vec![formula],
        }
    }
}
