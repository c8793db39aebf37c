//! The affine hull of the points at which a predicate is reached: of its integers, of these modulo some numbers, of its reals, or of its
//! words of one width, which are numbers modulo a power of two.

use super::residues::{Modulus, ResidueSpace, Residues};
use crate::steps::affine_space::Space;
use crate::terms::{Assignment, Comparison, LinearForm, Rational, SortId, TermId, Terms, Value, WordOperator};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

/// Words that are wider are not looked at, in bits.
const WIDEST: u32 = 64;
/// What adding a point, or reading equations off, may cost, in subtractions of vectors.
const SUBTRACTIONS: u32 = 100_000;

/// The parameters of one sort, and what their values span.
#[derive(Clone)]
pub(super) struct Hull {
    sort: SortId,
    parameters: Vec<TermId>,
    /// For words there are residues alone.
    space: Option<Space>,
    residues: Vec<ResidueSpace>,
}

impl Hull {
    /// The hull of no points; `None` for sorts of what is no number, and if there are no parameters.
    pub fn new(terms: &Terms, sort: SortId, parameters: Vec<TermId>, moduli: &[Modulus]) -> Option<Hull> {
        let word = |width| Modulus {
            prime: 2,
            exponent: width,
        };
        let moduli = match terms.width(sort) {
            Some(width) if width <= WIDEST => vec![word(width)],
            None if sort == SortId::INT => moduli.to_vec(),
            None if sort == SortId::REAL => Vec::new(),
            _ => return None,
        };
        (!parameters.is_empty()).then(|| Hull {
            sort,
            parameters,
            space: terms.width(sort).is_none().then(Space::default),
            residues: moduli.into_iter().map(ResidueSpace::new).collect(),
        })
    }

    /// How many dimensions it has, in all.
    pub fn dimensions(&self) -> usize {
        let residues = self.residues.iter().map(ResidueSpace::dimension);
        self.space.as_ref().map_or(0, |space| space.rows.len()) + residues.sum::<u32>() as usize
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
        let mut is_new = false;
        if let Some(space) = &mut self.space {
            let mut subtractions = SUBTRACTIONS;
            let remainder = space.remainder(point, &mut subtractions);
            is_new = space.add(&remainder).is_some();
        }
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
        let space = self.space.iter();
        let equations = space.flat_map(|space| space.equations(&self.parameters, &mut subtractions));
        let equations: Vec<LinearForm> = equations.collect();
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
                    let congruence = match terms.width(self.sort) {
                        Some(width) => self.of_words(terms, &vector, width),
                        None => Some(self.congruence(terms, &vector, residues.modulus())),
                    };
                    formulas.extend(congruence);
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

    /// The same of words: positive multiples on one side, the others and the constant on the other.
    fn of_words(&self, terms: &mut Terms, vector: &[u128], width: u32) -> Option<TermId> {
        let size = 1_u128 << width;
        let is_less = |residue: u128| residue <= size / 2;
        let mut sides = [Vec::new(), Vec::new()];
        for (parameter, residue) in self.parameters.iter().zip(vector).filter(|(_, residue)| **residue != 0) {
            let (side, factor) = match is_less(*residue) {
                true => (0, *residue),
                false => (1, size - residue),
            };
            let factor = terms.word(factor, width);
            sides[side].push(terms.word_operation(WordOperator::Multiply, &[*parameter, factor], width)?);
        }
        let constant = vector.last().copied().unwrap_or(0);
        sides[1].push(terms.word((size - constant) % size, width));
        let mut sums = Vec::with_capacity(sides.len());
        for side in sides {
            let mut sum = terms.word(0, width);
            for part in side {
                sum = terms.word_operation(WordOperator::Add, &[sum, part], width)?;
            }
            sums.push(sum);
        }
        Some(terms.equal(sums[0], sums[1]))
    }
}

fn residue(number: &BigInt, modulus: Modulus) -> u128 {
    let modulus = BigInt::from(modulus.value());
    let residue = ((number % &modulus) + &modulus) % &modulus;
    residue.to_u128().unwrap_or(0)
}
