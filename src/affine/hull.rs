//! The affine hull of the points at which a predicate is reached: of its integers, of these modulo some numbers, and of its reals.

use super::residues::{Modulus, ResidueSpace, Residues};
use crate::steps::affine_space::Space;
use crate::terms::{Assignment, Comparison, LinearForm, Rational, SortId, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

/// What adding a point, or reading equations off, may cost, in subtractions of vectors.
const SUBTRACTIONS: u32 = 100_000;

/// The parameters of one sort, and what their values span.
#[derive(Clone)]
pub(super) struct Hull {
    sort: SortId,
    parameters: Vec<TermId>,
    space: Space,
    residues: Vec<ResidueSpace>,
}

impl Hull {
    /// The hull of no points.
    pub fn new(sort: SortId, parameters: Vec<TermId>, moduli: &[Modulus]) -> Hull {
        let moduli = if sort == SortId::INT { moduli } else { &[] };
        Hull {
            sort,
            parameters,
            space: Space::default(),
            residues: moduli.iter().map(|modulus| ResidueSpace::new(*modulus)).collect(),
        }
    }

    /// How many dimensions it has, in all.
    pub fn dimensions(&self) -> usize {
        let residues = self.residues.iter().map(ResidueSpace::dimension);
        self.space.rows.len() + residues.sum::<u32>() as usize
    }

    /// Adds the point with these values of the parameters; whether it was not in the hull. `None` if a value is missing or no number.
    pub fn add(&mut self, values: &Assignment) -> Option<bool> {
        let mut point = LinearForm::constant(Rational::one());
        let mut numbers = Vec::with_capacity(self.parameters.len());
        for parameter in &self.parameters {
            let Value::Number(number) = values.get(parameter)? else {
                return None;
            };
            if !number.is_zero() {
                point.terms.push((*parameter, number.clone()));
            }
            numbers.push(number);
        }
        point.terms.sort_by_key(|(parameter, _)| *parameter);
        let mut subtractions = SUBTRACTIONS;
        let remainder = self.space.remainder(point, &mut subtractions);
        let mut is_new = self.space.add(&remainder).is_some();
        for residues in &mut self.residues {
            let mut vector: Residues = numbers
                .iter()
                .map(|number| residue(&number.to_integer(), residues.modulus()))
                .collect();
            vector.push(1);
            is_new |= residues.add(vector);
        }
        Some(is_new)
    }

    /// What holds on the whole hull: equations, and modulo each number those that do not follow from these.
    pub fn formulas(&self, terms: &mut Terms) -> Vec<TermId> {
        let mut subtractions = SUBTRACTIONS;
        let equations = self.space.equations(&self.parameters, &mut subtractions);
        let mut formulas = Vec::new();
        for equation in &equations {
            formulas.push(terms.linear_formula(equation, Comparison::Equal, self.sort));
        }
        for residues in &self.residues {
            let mut known = ResidueSpace::new(residues.modulus());
            for equation in &equations {
                known.add(self.coefficients(equation, residues.modulus()));
            }
            for vector in residues.annihilators(self.parameters.len() + 1) {
                if known.add(vector.clone()) {
                    formulas.push(self.congruence(terms, &vector, residues.modulus()));
                }
            }
        }
        formulas
    }

    /// The residues of a form's coefficients once they are integers without a common divisor, the constant as the last.
    fn coefficients(&self, form: &LinearForm, modulus: Modulus) -> Residues {
        let form = form.scaled(&Rational::normalizing_factor(
            form.terms.iter().map(|(_, value)| value).chain([&form.constant]),
        ));
        let of_parameters = self.parameters.iter().map(|parameter| form.coefficient(*parameter));
        of_parameters
            .chain([form.constant.clone()])
            .map(|value| residue(&value.to_integer(), modulus))
            .collect()
    }

    /// That a sum of multiples of the parameters, and of one as the last, is zero modulo a number.
    fn congruence(&self, terms: &mut Terms, vector: &[u128], modulus: Modulus) -> TermId {
        // A common factor leaves a smaller modulus.
        let mut value = modulus.value();
        let mut vector = vector.to_vec();
        while value > modulus.prime && vector.iter().all(|residue| residue.is_multiple_of(modulus.prime)) {
            value /= modulus.prime;
            vector.iter_mut().for_each(|residue| *residue /= modulus.prime);
        }
        let mut form = LinearForm::constant(Rational::zero());
        for (parameter, residue) in self.parameters.iter().zip(&vector) {
            if *residue != 0 {
                let nearest = BigInt::from(*residue) - if *residue > value / 2 { value } else { 0 };
                form.terms.push((*parameter, Rational::from_integer(nearest)));
            }
        }
        form.terms.sort_by_key(|(parameter, _)| *parameter);
        let sum = terms.linear_term(&form, SortId::INT);
        let divisor = terms.integer(value);
        let rest = terms.modulo(sum, divisor);
        let constant = vector.last().copied().unwrap_or(0);
        let expected = terms.integer((value - constant) % value);
        terms.equal(rest, expected)
    }
}

fn residue(number: &BigInt, modulus: Modulus) -> u128 {
    let modulus = BigInt::from(modulus.value());
    let residue = ((number % &modulus) + &modulus) % &modulus;
    residue.to_u128().unwrap_or(0)
}
