//! What Boolean variables stand for: bounds on columns, equalities of a column and a number, disjunctions.

use super::boolean::{Boolean, Literal, Variable};
use super::number::Delta;
use super::simplex::{Column, Side, Simplex};
use crate::terms::Rational;
use hashbrown::HashMap;

/// What a Boolean variable stands for.
pub enum Kind {
    /// Nothing that is known here: a Boolean variable of the formulas, or something opaque.
    Free,
    /// The column is at most this.
    AtMost(Column, Delta),
    /// The column is exactly this; the literals say that it is at most and at least this.
    Equality {
        /// The column.
        column: Column,
        /// The number.
        value: Rational,
        /// At most the number.
        at_most: Literal,
        /// At least the number.
        at_least: Literal,
    },
    /// One of the literals holds. (A conjunction is the negation of one.)
    Or(Vec<Literal>),
}

/// All Boolean variables with their meanings.
pub struct Formulas {
    kinds: Vec<Kind>,
    /// The [`Kind::AtMost`] atoms of each column, by bound.
    atoms: Vec<Vec<(Delta, Variable)>>,
    disjunctions: HashMap<Vec<Literal>, Variable>,
    equalities: HashMap<(Column, Rational), Variable>,
}

impl Formulas {
    /// The constant alone.
    pub fn new() -> Formulas {
        Formulas {
            kinds: vec![Kind::Free],
            atoms: Vec::new(),
            disjunctions: HashMap::new(),
            equalities: HashMap::new(),
        }
    }

    /// What a variable stands for.
    pub fn kind(&self, variable: Variable) -> &Kind {
        &self.kinds[variable as usize]
    }

    fn add(&mut self, boolean: &mut Boolean, kind: Kind) -> Variable {
        self.kinds.push(kind);
        boolean.add_variable()
    }

    /// A variable without a meaning.
    pub fn free(&mut self, boolean: &mut Boolean) -> Literal {
        Literal::positive(self.add(boolean, Kind::Free))
    }

    /// Column at most bound.
    pub fn at_most(&mut self, boolean: &mut Boolean, simplex: &Simplex, column: Column, bound: Delta) -> Literal {
        let bound = if simplex.is_integral(column) {
            Delta::exactly(bound.floor())
        } else {
            bound
        };
        if self.atoms.len() < simplex.len() {
            self.atoms.resize_with(simplex.len(), Vec::new);
        }
        let place = match self.atoms[column as usize].binary_search_by(|(other, _)| other.cmp(&bound)) {
            Ok(place) => return Literal::positive(self.atoms[column as usize][place].1),
            Err(place) => place,
        };
        let variable = self.add(boolean, Kind::AtMost(column, bound.clone()));
        let literal = Literal::positive(variable);
        if let Some(upper) = simplex.bound(column, Side::Upper)
            && upper.value <= bound
        {
            boolean.imply(literal, upper.reason);
        } else if let Some(lower) = simplex.bound(column, Side::Lower)
            && lower.value > bound
        {
            boolean.imply(!literal, lower.reason);
        }
        self.atoms[column as usize].insert(place, (bound, variable));
        literal
    }

    /// Column at least bound.
    pub fn at_least(&mut self, boolean: &mut Boolean, simplex: &Simplex, column: Column, bound: Delta) -> Literal {
        let below = if simplex.is_integral(column) {
            Delta::exactly(bound.ceil() - Rational::ONE)
        } else {
            Delta {
                main: bound.main,
                slope: &bound.slope - Rational::ONE,
            }
        };
        !self.at_most(boolean, simplex, column, below)
    }

    /// Column equal to value.
    pub fn equality(&mut self, boolean: &mut Boolean, simplex: &Simplex, column: Column, value: Rational) -> Literal {
        if simplex.is_integral(column) && !value.is_integer() {
            return Literal::FALSE;
        }
        if let Some(variable) = self.equalities.get(&(column, value.clone())) {
            return Literal::positive(*variable);
        }
        let bound = Delta::exactly(value.clone());
        let at_most = self.at_most(boolean, simplex, column, bound.clone());
        let at_least = self.at_least(boolean, simplex, column, bound);
        let variable = self.add(
            boolean,
            Kind::Equality {
                column,
                value: value.clone(),
                at_most,
                at_least,
            },
        );
        self.equalities.insert((column, value), variable);
        let literal = Literal::positive(variable);
        boolean.add_clause(vec![!literal, at_most]);
        boolean.add_clause(vec![!literal, at_least]);
        boolean.add_clause(vec![literal, !at_most, !at_least]);
        literal
    }

    /// The disjunction of literals.
    pub fn disjunction(&mut self, boolean: &mut Boolean, mut literals: Vec<Literal>) -> Literal {
        literals.retain(|literal| *literal != Literal::FALSE);
        literals.sort_unstable();
        literals.dedup();
        let complementary = |pair: &[Literal]| matches!(pair, [first, second] if *first == !*second);
        if literals.contains(&Literal::TRUE) || literals.windows(2).any(complementary) {
            return Literal::TRUE;
        }
        match literals[..] {
            [] => return Literal::FALSE,
            [only] => return only,
            _ => {}
        }
        if let Some(variable) = self.disjunctions.get(&literals) {
            return Literal::positive(*variable);
        }
        let variable = self.add(boolean, Kind::Or(literals.clone()));
        self.disjunctions.insert(literals.clone(), variable);
        let whole = Literal::positive(variable);
        for literal in &literals {
            boolean.add_clause(vec![whole, !*literal]);
        }
        literals.push(!whole);
        boolean.add_clause(literals);
        whole
    }

    /// The conjunction of literals.
    pub fn conjunction(&mut self, boolean: &mut Boolean, literals: Vec<Literal>) -> Literal {
        !self.disjunction(boolean, literals.into_iter().map(|literal| !literal).collect())
    }

    /// The bound that a literal asserts, if it asserts one.
    pub fn bound_of(&self, simplex: &Simplex, literal: Literal) -> Option<(Column, Side, Delta)> {
        let Kind::AtMost(column, bound) = self.kind(literal.variable()) else {
            return None;
        };
        if !literal.is_negated() {
            return Some((*column, Side::Upper, bound.clone()));
        }
        let beyond = if simplex.is_integral(*column) {
            Delta::exactly(&bound.main + Rational::ONE)
        } else {
            Delta {
                main: bound.main.clone(),
                slope: &bound.slope + Rational::ONE,
            }
        };
        Some((*column, Side::Lower, beyond))
    }

    /// Assigns the atoms on a column that a bound which was just asserted implies.
    pub fn imply(&self, boolean: &mut Boolean, column: Column, side: Side, bound: &Delta, reason: Literal) {
        let Some(atoms) = self.atoms.get(column as usize) else {
            return;
        };
        // Further away than an atom that is assigned already, the others are, too.
        match side {
            Side::Upper => {
                let start = atoms.partition_point(|(other, _)| other < bound);
                for (_, variable) in &atoms[start..] {
                    let literal = Literal::positive(*variable);
                    match boolean.value(literal) {
                        None => boolean.imply(literal, reason),
                        Some(_) if literal == reason => {}
                        Some(_) => break,
                    }
                }
            }
            Side::Lower => {
                let end = atoms.partition_point(|(other, _)| other < bound);
                for (_, variable) in atoms[..end].iter().rev() {
                    let literal = !Literal::positive(*variable);
                    match boolean.value(literal) {
                        None => boolean.imply(literal, reason),
                        Some(_) if literal == reason => {}
                        Some(_) => break,
                    }
                }
            }
        }
    }
}
